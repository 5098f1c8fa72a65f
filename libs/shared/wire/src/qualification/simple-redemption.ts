import type { RedemptionSnapshot } from '@scrip/contracts/qualification';

/** Status texts of webhooks; the API's answers keep the underscore. */
const spoken = (status: RedemptionSnapshot['status']) => (status === 'ROLLED_BACK' ? 'ROLLED BACK' : status);

/** The short form in webhook data, of redemptions and rollbacks alike. The relations are short
 *  forms too; what is null is left out. `tracking_id`: the one that it shows (`shownTrackingId`). Source: reference 06 §2. */
export const simpleRedemption = (
  redemption: RedemptionSnapshot,
  relations: {
    customer: object | null;
    order: object | null;
    voucher: object | null;
    promotion_tier: object | null;
    /** Recognises the same visitor in other redemptions; opaque. */
    tracking_id: string | null;
  },
) => ({
  id: redemption.id,
  customer_id: redemption.customer_id,
  ...(relations.tracking_id === null ? {} : { tracking_id: relations.tracking_id }),
  date: redemption.date,
  ...(redemption.amount === undefined ? {} : { amount: redemption.amount }),
  ...(relations.order ? { order: relations.order } : {}),
  ...(relations.customer ? { customer: relations.customer } : {}),
  result: redemption.result,
  status: spoken(redemption.status),
  ...(relations.voucher ? { voucher: relations.voucher } : {}),
  ...(relations.promotion_tier ? { promotion_tier: relations.promotion_tier } : {}),
  ...(redemption.redemption === null ? {} : { redemption: redemption.redemption }),
  metadata: redemption.metadata ?? {},
  ...(redemption.failure_code === undefined ? {} : { failure_code: redemption.failure_code }),
  ...(redemption.failure_message === undefined ? {} : { failure_message: redemption.failure_message }),
  ...(typeof redemption.reason === 'string' ? { reason: redemption.reason } : {}),
  channel: redemption.channel,
  object: redemption.object,
});
