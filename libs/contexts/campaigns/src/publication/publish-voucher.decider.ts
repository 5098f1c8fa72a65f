import type { CampaignSnapshot, VoucherPublished } from '@scrip/contracts/campaigns';
import { type Refusal, refuse } from '@scrip/kernel';
import { isDeleted, voucherNotFound, type VoucherState } from '../voucher/voucher.decider';
import { datesWhenPublished } from './activity-duration';

/** Assigns a voucher to a customer. */
export interface PublishVoucher {
  publication_id: string;
  customer_id: string;
  campaign: Pick<CampaignSnapshot, 'activity_duration_after_publishing'> | null;
  now: Date;
  timezone: string;
}

/** Refuses a voucher that was published before, also to the same customer, and one that is not active. The switch of the campaign
 *  does not count. Source: reference 04 §2.2, §8.1 step 7. */
export const decidePublishing = (
  { publication_id, customer_id, campaign, now, timezone }: PublishVoucher,
  state: VoucherState,
): VoucherPublished[] | Refusal<'not_found' | 'voucher_already_published' | 'voucher_disabled'> => {
  const { voucher } = state;
  if (isDeleted(state)) return voucherNotFound(voucher.code);
  if (voucher.publish.count > 0) {
    return refuse('voucher_already_published', `Voucher '${voucher.id}' has already been published`);
  }
  if (!voucher.active) return refuse('voucher_disabled', `Voucher '${voucher.id}' is not active`);
  return [
    {
      type: 'VoucherPublished',
      data: {
        publication_id,
        holder_id: customer_id,
        referrer_id: voucher.is_referral_code ? customer_id : null,
        ...datesWhenPublished(voucher, campaign, { now, timezone }),
        ...(voucher.gift ? { gift_balance: voucher.gift.balance } : {}),
        published_at: now.toISOString(),
      },
    },
  ];
};
