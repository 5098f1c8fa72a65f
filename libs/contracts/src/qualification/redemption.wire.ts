import type { CalculatedOrder } from '@scrip/order-calculation';
import type { VoucherResponse } from '../campaigns/voucher.wire';
import type { SimpleCustomer } from '../customers/customer.wire';
import type { OrderSnapshot } from '../customers/order.snapshot';
import type { OrderResponse } from '../customers/order.wire';
import type { RedemptionSnapshot } from './redemption.snapshot';

/** What an answer shows beside the redemption itself, rendered by its owners' renderers. `voucher` undefined: not
 *  shown (a parent, or nothing was found). */
export interface RedemptionRelations {
  customer: SimpleCustomer | null;
  order: OrderResponse | StepOrder | null;
  voucher?: VoucherResponse | BriefVoucher | undefined;
  related_redemptions?:
    { rollbacks?: RelatedRollback[]; redemptions?: { id: string; date: string }[] } | undefined;
}

/** The voucher of an entry in a list. */
export type BriefVoucher = Pick<VoucherResponse, 'id' | 'code' | 'campaign' | 'campaign_id'>;

/** The order of one child of a stack: identity, amounts and items, as they stood right after it. */
export type StepOrder = Pick<OrderSnapshot, 'id' | 'source_id' | 'items'> &
  Omit<CalculatedOrder, 'items'> & { object: 'order' };

export interface RelatedRollback {
  id: string;
  date: string;
  rollback_order_mode?: 'WITH_ORDER' | 'WITHOUT_ORDER';
}

/** A redemption or a failed attempt as the API answers it. Source: spec 03 §6.2, §7. */
export const renderRedemption = (
  redemption: RedemptionSnapshot,
  { customer, order, voucher, related_redemptions }: RedemptionRelations,
) => ({
  id: redemption.id,
  object: redemption.object,
  date: redemption.date,
  customer_id: redemption.customer_id,
  tracking_id: redemption.tracking_id,
  metadata: redemption.metadata,
  ...(redemption.amount === undefined ? {} : { amount: redemption.amount }),
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
});

/** What `renderRedemption` makes. */
export type RedemptionResponse = ReturnType<typeof renderRedemption>;

/** A rollback (`rr_`) or a failed one (`rrf_`) as the API answers it. Source: spec 03 §9. */
export const renderRollback = (
  rollback: RedemptionSnapshot,
  { customer, order, voucher }: Omit<RedemptionRelations, 'related_redemptions'>,
) => ({
  id: rollback.id,
  object: rollback.object,
  date: rollback.date,
  customer_id: rollback.customer_id,
  tracking_id: rollback.tracking_id,
  metadata: rollback.metadata,
  ...(rollback.amount === undefined ? {} : { amount: rollback.amount }),
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
});

/** What `renderRollback` makes. */
export type RollbackResponse = ReturnType<typeof renderRollback>;

/** An entry of a list of redemptions: redemption, failed attempt or rollback. */
export type RedemptionEntryResponse = RedemptionResponse | RollbackResponse;

/** Status texts of webhooks; the API's answers keep the underscore. */
const spoken = (status: RedemptionSnapshot['status']) => (status === 'ROLLED_BACK' ? 'ROLLED BACK' : status);

/** The short form in webhook data, of redemptions and rollbacks alike. `customer`, `order` and `voucher` are short
 *  forms too; what is null is left out. Source: spec 06 §2. */
export const simpleRedemption = (
  redemption: RedemptionSnapshot,
  relations: { customer: object | null; order: object | null; voucher: object | null },
) => ({
  id: redemption.id,
  customer_id: redemption.customer_id,
  ...(redemption.tracking_id === null ? {} : { tracking_id: redemption.tracking_id }),
  date: redemption.date,
  ...(redemption.amount === undefined ? {} : { amount: redemption.amount }),
  ...(relations.order ? { order: relations.order } : {}),
  ...(relations.customer ? { customer: relations.customer } : {}),
  result: redemption.result,
  status: spoken(redemption.status),
  ...(relations.voucher ? { voucher: relations.voucher } : {}),
  ...(redemption.redemption === null ? {} : { redemption: redemption.redemption }),
  metadata: redemption.metadata ?? {},
  ...(redemption.failure_code === undefined ? {} : { failure_code: redemption.failure_code }),
  ...(redemption.failure_message === undefined ? {} : { failure_message: redemption.failure_message }),
  ...(typeof redemption.reason === 'string' ? { reason: redemption.reason } : {}),
  channel: redemption.channel,
  object: redemption.object,
});

/** The order of one child of a stack: identity, amounts and items, as they stood right after it. Source: spec 03 §6.2. */
export const stepOrder = (order: OrderSnapshot): StepOrder => {
  const { id, source_id, items } = order;
  const amounts = Object.fromEntries(
    Object.entries(order).filter(([field, value]) => field.endsWith('amount') && value !== undefined),
  );
  return { id, source_id, ...amounts, items, object: 'order' };
};
