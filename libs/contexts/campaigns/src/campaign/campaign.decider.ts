import type {
  CampaignEvent,
  CampaignSnapshot,
  GenerationStatus,
  VouchersImported,
} from '@scrip/contracts/campaigns';
import type { Instant } from '@scrip/contracts/snapshot';
import { refuse } from '@scrip/kernel';
import type { CampaignsRefusal } from '../campaigns.refusals';

/** Codes that a campaign may hold by generation or import. Source: reference 04 §3. */
export const codesPerCampaignMax = 100_000;

/** Refuses codes beyond `codesPerCampaignMax`. */
export const tooManyCodes = () =>
  refuse('invalid_campaign', `A campaign holds at most ${codesPerCampaignMax} codes.`);

/** Refuses codes that are generated beyond `codesPerCampaignMax`. Source: reference 04 §3. */
export const codesMustFitTheCampaign = (
  { vouchers_count }: CampaignSnapshot,
  count: number,
): CampaignsRefusal | null => (vouchers_count + count > codesPerCampaignMax ? tooManyCodes() : null);

/** One code order, on its way. */
export interface RunningGeneration {
  async_action_id: string;
  count: number;
  done: number;
  initial: boolean;
}

/** The last code order that ended. A job that was killed right after the end finds it here, and does not end it again. */
export interface EndedGeneration {
  async_action_id: string;
  count: number;
  error: string | null;
  ended_at: Instant;
}

/** A campaign as its stream tells it. `generated`: codes made by jobs; codes added singly are counted where they
 *  are stored, so that adding one never waits for a job. Imported codes are generated ones. Source: ADR 33. */
export interface CampaignState {
  campaign: CampaignSnapshot;
  /** How often it changed what decides about its vouchers: its fields and its switch. Absent = never. */
  revision?: number;
  generated: number;
  running: RunningGeneration | null;
  ended: EndedGeneration | null;
  /** Tasks of changes that its vouchers have yet to follow. Absent where there never was one. */
  updates?: readonly string[];
  /** When it was deleted; absent while calls find it. */
  deleted_at?: Instant;
  /** It is deleted for good: its name is free. */
  permanently?: true;
  /** Codes of imports that have not ended, by the id of their task. Absent where no import ever was. */
  imports?: Readonly<Record<string, number>>;
}

/** A code to store, with its voucher's id. */
export interface GeneratedVoucher {
  id: string;
  code: string;
}

/** What can be asked of a campaign. `single_codes`: codes added singly so far, less those of code orders that were deleted. */
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
  | { type: 'SwitchCampaign'; active: boolean; single_codes: number; now: Instant }
  | {
      type: 'CompleteUpdate';
      async_action_id: string;
      count: number;
      error: string | null;
      single_codes: number;
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

/** The state after a change of what binds the campaign's vouchers. Source: ADR 75. */
const changed = (state: CampaignState, campaign: CampaignSnapshot): CampaignState => ({
  ...state,
  campaign,
  revision: (state.revision ?? 0) + 1,
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
    case 'VouchersImported':
      return withImported(state, event.data);
    case 'CampaignVouchersAdded':
      return withoutImport(state, event.data.async_action_id);
    case 'CampaignEnabled':
    case 'CampaignDisabled':
      return changed(state, event.data.campaign);
    case 'CampaignUpdated': {
      const { campaign, async_action_id } = event.data;
      const updated = changed(state, campaign);
      if (async_action_id === null) return updated;
      return { ...updated, updates: [...(state.updates ?? []), async_action_id] };
    }
    case 'CampaignVouchersUpdated':
      return {
        ...state,
        campaign: event.data.campaign,
        updates: (state.updates ?? []).filter((id) => id !== event.data.async_action_id),
      };
    case 'CampaignDeleted': {
      const { campaign, permanent, deleted_at } = event.data;
      const deleted = { ...changed(state, campaign), running: null, deleted_at };
      return permanent ? { ...deleted, permanently: true } : deleted;
    }
    case 'CampaignPurged':
      return { ...state, permanently: true };
    default:
      return event satisfies never;
  }
};

const withImported = (
  state: CampaignState,
  { async_action_id: id, vouchers: { length } }: VouchersImported['data'],
): CampaignState => ({
  ...state,
  generated: state.generated + length,
  imports: { ...state.imports, [id]: (state.imports?.[id] ?? 0) + length },
});

const withoutImport = (state: CampaignState, id: string | null): CampaignState => {
  if (id === null || state.imports?.[id] === undefined) return state;
  const { [id]: _, ...imports } = state.imports;
  return { ...state, imports };
};

type Of<Type extends CampaignCommand['type']> = Extract<CampaignCommand, { type: Type }>;

/** Empty where the update is over. The status goes back to what else is under way. Source: reference 04 §2.2. */
const completeUpdate = (
  state: CampaignState,
  { async_action_id, count, error, single_codes, now }: Of<'CompleteUpdate'>,
): CampaignEvent[] => {
  const { updates = [], running } = state;
  if (!updates.includes(async_action_id)) return [];
  const left = updates.length > 1 ? 'MODIFYING' : 'DONE';
  const status = running && left === 'DONE' ? 'IN_PROGRESS' : left;
  const campaign: CampaignSnapshot = {
    ...withAllCodes(state, single_codes),
    vouchers_generation_status: status,
    creation_status: status === 'IN_PROGRESS' && !running?.initial ? 'DONE' : status,
    updated_at: now,
  };
  return [
    {
      type: 'CampaignVouchersUpdated',
      data: { async_action_id, count, error, completed_at: now, campaign },
    },
  ];
};

/** Empty where the switch stands so already. Source: reference 04 §4.5. */
const switchTo = (
  state: CampaignState,
  { active, single_codes, now }: Of<'SwitchCampaign'>,
): CampaignEvent[] => {
  if (state.campaign.active === active) return [];
  const campaign = { ...withAllCodes(state, single_codes), active, updated_at: now };
  return [
    active
      ? { type: 'CampaignEnabled', data: { enabled_at: now, campaign } }
      : { type: 'CampaignDisabled', data: { disabled_at: now, campaign } },
  ];
};

const start = (state: CampaignState, command: Of<'StartGeneration'>): CampaignEvent[] | CampaignsRefusal => {
  const { async_action_id, count, initial, single_codes, now } = command;
  if (state.running?.async_action_id === async_action_id || state.ended?.async_action_id === async_action_id)
    return [];
  if (state.running)
    throw new Error(`campaign ${state.campaign.id} generates for ${state.running.async_action_id}`);
  if (state.generated + single_codes + count > codesPerCampaignMax) {
    return tooManyCodes();
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
  const status = state.updates?.length ? 'MODIFYING' : 'DONE';
  const campaign = withStatus(withAllCodes(state, single_codes), status, initial, now);
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
  if (!state || state.deleted_at !== undefined)
    return refuse('not_found', 'The campaign does not exist any more.');
  switch (command.type) {
    case 'SwitchCampaign':
      return switchTo(state, command);
    case 'CompleteUpdate':
      return completeUpdate(state, command);
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
