import type { CampaignSnapshot, VoucherEvent } from '@scrip/contracts/campaigns';
import type { Instant } from '@scrip/contracts/snapshot';
import type { Refusal } from '@scrip/kernel';
import { isDeleted, voucherNotFound, type VoucherState } from '../voucher/voucher.decider';

/** Deletes a voucher that calls find; `permanent`: for good. */
export interface DeleteVoucher {
  type: 'DeleteVoucher';
  id: string;
  campaign: CampaignSnapshot | null;
  permanent: boolean;
  /** With its campaign, which is deleted. */
  bulk?: true;
  now: Instant;
}

/** Deletes a voucher in the bin for good. */
export interface PurgeVoucher {
  type: 'PurgeVoucher';
  id: string;
  now: Instant;
}

/** Deletes or purges, whatever uses of the voucher are claimed: they are settled and given back as before. Refuses `not_found`
 *  for a voucher that is deleted, and for the purge of one that is not in the bin. Source: reference 04 §5, §13. */
export const decideVoucherDeletion = (
  command: DeleteVoucher | PurgeVoucher,
  state: VoucherState | undefined,
): VoucherEvent[] | Refusal<'not_found'> => {
  if (!state) return voucherNotFound(command.id);
  const { voucher, code_key } = state;
  const deleted = state.deleted_at !== undefined;
  switch (command.type) {
    case 'DeleteVoucher': {
      const { campaign, permanent, bulk, now } = command;
      if (bulk ? deleted : isDeleted(state)) return voucherNotFound(command.id);
      const data = { voucher, campaign, permanent, deleted_at: now, ...(bulk && { bulk }) };
      return [{ type: 'VoucherDeleted', data }];
    }
    case 'PurgeVoucher': {
      if (!deleted || code_key === null) return voucherNotFound(command.id);
      const { code, campaign_id } = voucher;
      return [{ type: 'VoucherPurged', data: { code, campaign_id, purged_at: command.now } }];
    }
    default:
      return command satisfies never;
  }
};
