import type { OrderSnapshot } from '@scrip/contracts/customers';
import type { RedemptionSnapshot, RollbackOrderMode } from '@scrip/contracts/qualification';
import type { CalculatedOrder } from '@scrip/order-calculation';
import type { VoucherResponse } from '@scrip/wire/campaigns';
import type { OrderResponse, SimpleCustomer } from '@scrip/wire/customers';
import type { RedeemedTierResponse } from '@scrip/wire/promotions';

/** What an answer shows beside the redemption itself, rendered by its owners' renderers. `voucher` undefined: not
 *  shown (a parent, a tier, or nothing was found); `promotion_tier` likewise. */
export interface RedemptionRelations {
  customer: SimpleCustomer | null;
  order: OrderResponse | StepOrder | null;
  voucher?: VoucherResponse | BriefVoucher | undefined;
  promotion_tier?: RedeemedTierResponse | undefined;
  related_redemptions?: RelatedRedemptions | undefined;
}

/** What belongs to a redemption: its rollbacks, and the children of a stack. */
export interface RelatedRedemptions {
  rollbacks?: RelatedRollback[];
  redemptions?: RelatedRedemption[];
}

/** A child of a stack. */
export interface RelatedRedemption {
  id: string;
  date: string;
}

/** The voucher of an entry in a list. */
export type BriefVoucher = Pick<VoucherResponse, 'id' | 'code' | 'campaign' | 'campaign_id'>;

/** The order of one child of a stack: identity, amounts and items, as they stood right after it. */
export type StepOrder = Pick<OrderSnapshot, 'id' | 'source_id' | 'items'> &
  Omit<CalculatedOrder, 'items'> & { object: 'order' };

export interface RelatedRollback {
  id: string;
  date: string;
  rollback_order_mode?: RollbackOrderMode;
}

/** Credits of a gift card, spent or given back; nothing of other redemptions. */
const spentOf = ({ amount, voucher }: RedemptionSnapshot): { amount?: number; gift?: { amount: number } } =>
  amount === undefined ? {} : { amount, ...(voucher?.type === 'GIFT_VOUCHER' ? { gift: { amount } } : {}) };

/** A redemption or a failed redemption as the API answers it. Source: reference 03 §6.2, §7. */
export const renderRedemption = (
  redemption: RedemptionSnapshot,
  { customer, order, voucher, promotion_tier, related_redemptions }: RedemptionRelations,
) => ({
  id: redemption.id,
  object: redemption.object,
  date: redemption.date,
  customer_id: redemption.customer_id,
  tracking_id: redemption.tracking_id,
  metadata: redemption.metadata,
  ...(redemption.session_key === undefined ? {} : { session: { key: redemption.session_key } }),
  ...spentOf(redemption),
  redemption: redemption.redemption,
  result: redemption.result,
  status: redemption.status,
  ...(related_redemptions === undefined ? {} : { related_redemptions }),
  ...(redemption.failure_code === undefined ? {} : { failure_code: redemption.failure_code }),
  ...(redemption.failure_message === undefined ? {} : { failure_message: redemption.failure_message }),
  order,
  channel: redemption.channel,
  customer,
  related_object_type: redemption.related_object_type,
  related_object_id: redemption.related_object_id,
  ...(voucher === undefined ? {} : { voucher }),
  ...(promotion_tier === undefined ? {} : { promotion_tier }),
});

/** What `renderRedemption` makes. */
export type RedemptionResponse = ReturnType<typeof renderRedemption>;

/** A rollback (`rr_`) or a failed one (`rrf_`) as the API answers it. Source: reference 03 §9. */
export const renderRollback = (
  rollback: RedemptionSnapshot,
  { customer, order, voucher, promotion_tier }: Omit<RedemptionRelations, 'related_redemptions'>,
) => ({
  id: rollback.id,
  object: rollback.object,
  date: rollback.date,
  customer_id: rollback.customer_id,
  tracking_id: rollback.tracking_id,
  metadata: rollback.metadata,
  ...spentOf(rollback),
  redemption: rollback.redemption,
  ...(typeof rollback.reason === 'string' ? { reason: rollback.reason } : {}),
  result: rollback.result,
  status: rollback.status,
  ...(rollback.failure_code === undefined ? {} : { failure_code: rollback.failure_code }),
  ...(rollback.failure_message === undefined ? {} : { failure_message: rollback.failure_message }),
  order,
  channel: rollback.channel,
  customer,
  related_object_type: rollback.related_object_type,
  related_object_id: rollback.related_object_id,
  ...(voucher === undefined ? {} : { voucher }),
  ...(promotion_tier === undefined ? {} : { promotion_tier }),
});

/** What `renderRollback` makes. */
export type RollbackResponse = ReturnType<typeof renderRollback>;

/** An entry of a list of redemptions: redemption, failed redemption or rollback. */
export type RedemptionEntryResponse = RedemptionResponse | RollbackResponse;

/** The order of one child of a stack: identity, amounts and items, as they stood right after it. Source: reference 03 §6.2. */
export const stepOrder = (order: OrderSnapshot): StepOrder => {
  const { id, source_id, items } = order;
  const amounts = Object.fromEntries(
    Object.entries(order).filter(([field, value]) => field.endsWith('amount') && value !== undefined),
  );
  return { id, source_id, ...amounts, items, object: 'order' };
};
