import type { CampaignEvent } from '@scrip/contracts/campaigns';
import type { Instant } from '@scrip/contracts/snapshot';
import type { Refusal } from '@scrip/kernel';
import { campaignNotFound } from '../campaign/campaign.aggregate';
import { type CampaignState, withAllCodes } from '../campaign/campaign.decider';

/** Deletes a campaign that calls find; `permanent`: for good. */
export interface DeleteCampaign {
  type: 'DeleteCampaign';
  id: string;
  permanent: boolean;
  single_codes: number;
  now: Instant;
}

/** Deletes a campaign in the bin for good. */
export interface PurgeCampaign {
  type: 'PurgeCampaign';
  id: string;
  now: Instant;
}

/** One event tells of the campaign and of the vouchers that have no event of their own. Refuses `not_found` for a campaign that is
 *  deleted, and for the purge of one that is not in the bin. Source: reference 04 §4.4, §13. */
export const decideCampaignDeletion = (
  command: DeleteCampaign | PurgeCampaign,
  state: CampaignState | undefined,
): CampaignEvent[] | Refusal<'not_found'> => {
  if (!state) return campaignNotFound(command.id);
  const deleted = state.deleted_at !== undefined;
  switch (command.type) {
    case 'DeleteCampaign': {
      if (deleted) return campaignNotFound(command.id);
      const { permanent, single_codes, now } = command;
      const campaign = withAllCodes(state, single_codes);
      return [{ type: 'CampaignDeleted', data: { campaign, permanent, deleted_at: now } }];
    }
    case 'PurgeCampaign': {
      if (!deleted || state.permanently) return campaignNotFound(command.id);
      return [{ type: 'CampaignPurged', data: { name: state.campaign.name, purged_at: command.now } }];
    }
    default:
      return command satisfies never;
  }
};
