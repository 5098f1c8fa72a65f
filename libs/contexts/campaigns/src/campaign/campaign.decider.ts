import type { CampaignEvent, CampaignSnapshot, GenerationStatus } from '@scrip/contracts/campaigns';
import type { Instant } from '@scrip/contracts/snapshot';
import { refuse } from '@scrip/kernel';
import type { CampaignsRefusal } from '../campaigns.refusals';

/** Codes that a campaign may hold by generation or import. Source: reference 04 §3. */
export const maxCodesPerCampaign = 100_000;

/** One code order, on its way. */
export interface RunningGeneration {
  async_action_id: string;
  count: number;
  done: number;
  initial: boolean;
}

/** The last code order that ended, so that a job killed right after it ends once. */
export interface EndedGeneration {
  async_action_id: string;
  count: number;
  error: string | null;
  ended_at: Instant;
}

/** A campaign as its stream tells it. `generated`: codes made by jobs; codes added singly are counted where they
 *  are stored, so that adding one never waits for a job. */
export interface CampaignState {
  campaign: CampaignSnapshot;
  generated: number;
  running: RunningGeneration | null;
  ended: EndedGeneration | null;
}

/** A code to store, with its voucher's id. */
export interface GeneratedVoucher {
  id: string;
  code: string;
}

/** What can be asked of a campaign. `single_codes`: codes added singly so far. */
export type CampaignCommand =
  | { type: 'CreateCampaign'; campaign: CampaignSnapshot }
  | {
      type: 'StartGeneration';
      async_action_id: string;
      count: number;
      initial: boolean;
      single_codes: number;
      now: Instant;
    }
  | {
      type: 'StoreCodes';
      async_action_id: string;
      definition_id: string;
      vouchers: GeneratedVoucher[];
      now: Instant;
    }
  | { type: 'NoteAddition'; campaign: CampaignSnapshot; now: Instant }
  | { type: 'CompleteGeneration'; async_action_id: string; single_codes: number; now: Instant }
  | { type: 'FailGeneration'; async_action_id: string; single_codes: number; error: string; now: Instant };

/** The campaign as callers see it: all live codes counted. */
export const withAllCodes = (state: CampaignState, singleCodes: number): CampaignSnapshot => ({
  ...state.campaign,
  vouchers_count: state.generated + singleCodes,
});

const withStatus = (
  campaign: CampaignSnapshot,
  status: GenerationStatus,
  initial: boolean,
  now: Instant,
): CampaignSnapshot => ({
  ...campaign,
  vouchers_generation_status: status,
  ...(initial ? { creation_status: status } : {}),
  updated_at: now,
});

/** Copies what events say. Total: returns undefined for events before the first one, never throws or decides. */
export const evolveCampaign = (
  state: CampaignState | undefined,
  event: CampaignEvent,
): CampaignState | undefined => {
  if (event.type === 'CampaignCreated') {
    return { campaign: event.data.campaign, generated: 0, running: null, ended: null };
  }
  if (!state) return undefined;
  switch (event.type) {
    case 'VoucherGenerationStarted': {
      const { async_action_id, count, initial, campaign } = event.data;
      return { ...state, campaign, running: { async_action_id, count, done: 0, initial } };
    }
    case 'VouchersGenerated': {
      const { length } = event.data.vouchers;
      const running = state.running && { ...state.running, done: state.running.done + length };
      return { ...state, generated: state.generated + length, running };
    }
    case 'VoucherGenerationCompleted': {
      const { async_action_id, count, completed_at, campaign } = event.data;
      return {
        ...state,
        campaign,
        running: null,
        ended: { async_action_id, count, error: null, ended_at: completed_at },
      };
    }
    case 'VoucherGenerationFailed': {
      const { async_action_id, count, error, failed_at, campaign } = event.data;
      return {
        ...state,
        campaign,
        running: null,
        ended: { async_action_id, count, error, ended_at: failed_at },
      };
    }
    case 'CampaignVouchersAdded':
      return state;
    default:
      return event satisfies never;
  }
};

type Of<Type extends CampaignCommand['type']> = Extract<CampaignCommand, { type: Type }>;

const start = (state: CampaignState, command: Of<'StartGeneration'>): CampaignEvent[] | CampaignsRefusal => {
  const { async_action_id, count, initial, single_codes, now } = command;
  if (state.running?.async_action_id === async_action_id || state.ended?.async_action_id === async_action_id)
    return [];
  if (state.running)
    throw new Error(`campaign ${state.campaign.id} generates for ${state.running.async_action_id}`);
  if (state.generated + single_codes + count > maxCodesPerCampaign) {
    return refuse('invalid_campaign', `A campaign holds at most ${maxCodesPerCampaign} codes.`);
  }
  const campaign = withStatus(withAllCodes(state, single_codes), 'IN_PROGRESS', initial, now);
  return [
    {
      type: 'VoucherGenerationStarted',
      data: { async_action_id, count, initial, started_at: now, campaign },
    },
  ];
};

/** Takes as many of the codes as the code order still wants. */
const store = (state: CampaignState, command: Of<'StoreCodes'>): CampaignEvent[] => {
  const { async_action_id, definition_id, vouchers, now } = command;
  if (state.running?.async_action_id !== async_action_id) return [];
  const wanted = vouchers.slice(0, state.running.count - state.running.done);
  return wanted.length === 0
    ? []
    : [
        {
          type: 'VouchersGenerated',
          data: { async_action_id, definition_id, vouchers: wanted, generated_at: now },
        },
      ];
};

const complete = (state: CampaignState, command: Of<'CompleteGeneration'>): CampaignEvent[] => {
  const { async_action_id, single_codes, now } = command;
  if (state.running?.async_action_id !== async_action_id) return [];
  const { done: count, initial } = state.running;
  const campaign = withStatus(withAllCodes(state, single_codes), 'DONE', initial, now);
  const completed: CampaignEvent = {
    type: 'VoucherGenerationCompleted',
    data: { async_action_id, count, initial, completed_at: now, campaign },
  };
  return initial
    ? [completed]
    : [
        completed,
        { type: 'CampaignVouchersAdded', data: { async_action_id, count, added_at: now, campaign } },
      ];
};

const fail = (state: CampaignState, command: Of<'FailGeneration'>): CampaignEvent[] => {
  const { async_action_id, single_codes, error, now } = command;
  if (state.running?.async_action_id !== async_action_id) return [];
  const { done: count, initial } = state.running;
  const missing = state.running.count - count;
  const campaign = {
    ...withStatus(withAllCodes(state, single_codes), 'FAILED', initial, now),
    vouchers_count_invalid: (state.campaign.vouchers_count_invalid ?? 0) + missing,
  };
  return [
    {
      type: 'VoucherGenerationFailed',
      data: { async_action_id, count, error, initial, failed_at: now, campaign },
    },
  ];
};

/** What follows from a command; an empty list where it was carried out before. Refuses `not_found`, and
 *  `invalid_campaign` for more codes than a campaign may hold. Source: reference 04 §2–§4. */
export const decideCampaign = (
  command: CampaignCommand,
  state: CampaignState | undefined,
): CampaignEvent[] | CampaignsRefusal => {
  if (command.type === 'CreateCampaign') {
    return state ? [] : [{ type: 'CampaignCreated', data: { campaign: command.campaign } }];
  }
  if (!state) return refuse('not_found');
  switch (command.type) {
    case 'StartGeneration':
      return start(state, command);
    case 'StoreCodes':
      return store(state, command);
    case 'NoteAddition': {
      const { campaign, now } = command;
      return [
        { type: 'CampaignVouchersAdded', data: { async_action_id: null, count: 1, added_at: now, campaign } },
      ];
    }
    case 'CompleteGeneration':
      return complete(state, command);
    case 'FailGeneration':
      return fail(state, command);
    default:
      return command satisfies never;
  }
};

/** Whether the code order has all its codes. */
export const isFilled = (state: CampaignState, asyncActionId: string): boolean =>
  state.running?.async_action_id === asyncActionId && state.running.done >= state.running.count;
