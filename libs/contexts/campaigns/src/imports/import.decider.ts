import type { CampaignEvent } from '@scrip/contracts/campaigns';
import type { Instant } from '@scrip/contracts/snapshot';
import { refuse } from '@scrip/kernel';
import type { CampaignsRefusal } from '../campaigns.refusals';
import {
  type CampaignState,
  type GeneratedVoucher,
  codesPerCampaignMax,
  withAllCodes,
} from '../campaign/campaign.decider';

/** What imports ask of a campaign's stream. `single_codes`: codes added singly so far. */
export type ImportCommand =
  | {
      type: 'ImportCodes';
      async_action_id: string;
      definition_id: string;
      vouchers: GeneratedVoucher[];
      now: Instant;
    }
  | { type: 'CompleteImport'; async_action_id: string; single_codes: number; now: Instant };

/** Codes that a campaign can still take by imports; a code order under way keeps its room. Source: reference 04 §4.7. */
export const roomFor = ({ generated, running }: CampaignState, singleCodes: number): number =>
  Math.max(0, codesPerCampaignMax - generated - singleCodes - (running ? running.count - running.done : 0));

/** What follows from a command of an import: codes that are new, or the end of an import that brought some. Refuses
 *  `not_found`. Source: reference 04 §4.7. */
export const decideImport = (
  command: ImportCommand,
  state: CampaignState | undefined,
): CampaignEvent[] | CampaignsRefusal => {
  if (!state || state.deleted_at !== undefined) return refuse('not_found');
  const { async_action_id, now } = command;
  if (command.type === 'ImportCodes') {
    const { definition_id, vouchers } = command;
    return vouchers.length === 0
      ? []
      : [
          {
            type: 'VouchersImported',
            data: { async_action_id, definition_id, vouchers, imported_at: now },
          },
        ];
  }
  const count = state.imports?.[async_action_id];
  if (count === undefined) return [];
  const campaign = withAllCodes(state, command.single_codes);
  return [{ type: 'CampaignVouchersAdded', data: { async_action_id, count, added_at: now, campaign } }];
};
