import type { Instant, OrderEvent, OrderRedemption, OrderSnapshot, OrderStatus } from '@scrip/contracts';
import { type Refusal, refuse } from '@scrip/kernel';
import { removeDiscounts } from '@scrip/order-calculation';

const statusEvent = {
  PAID: 'OrderPaid',
  CANCELED: 'OrderCanceled',
  FULFILLED: 'OrderFulfilled',
} as const satisfies Partial<Record<OrderStatus, OrderEvent['type']>>;

/** What became of an order, told once as a change and once more for the status it reached: repeating a status does
 *  nothing. Source: spec 07 §5. */
export const changeOrder = (before: OrderSnapshot | undefined, after: OrderSnapshot): OrderEvent[] => {
  const events: OrderEvent[] = [{ type: before ? 'OrderUpdated' : 'OrderCreated', data: { order: after } }];
  if (after.status === 'CREATED' || after.status === before?.status) return events;
  return [...events, { type: statusEvent[after.status], data: { order: after } }];
};

/** Each event tells the whole order. */
export const evolveOrder = (_: OrderSnapshot | undefined, event: OrderEvent): OrderSnapshot =>
  event.data.order;

/** What a rollback takes back; amounts: minor units that the redemption had applied. */
export interface RefundOrder {
  redemption_id: string;
  rollback_id: string;
  rolled_back_at: Instant;
  rollback_stacked?: string[];
  mode: 'WITH_ORDER' | 'WITHOUT_ORDER';
  discount_amount: number;
  items_discount_amounts: number[];
}

const rolledBackEntry = (entry: OrderRedemption, refund: RefundOrder): OrderRedemption => ({
  ...entry,
  rollback_id: refund.rollback_id,
  rollback_date: refund.rolled_back_at,
  ...(refund.rollback_stacked ? { rollback_stacked: refund.rollback_stacked } : {}),
});

/** Takes a redemption's discounts off its order and cancels it (WITH_ORDER), or only notes the rollback
 *  (WITHOUT_ORDER); the redemption's entry tells of it either way. Nothing when this rollback is noted already.
 *  Refuses `already_rolled_back` when another one is, `invalid_order` when the redemption never touched the order.
 *  Source: spec 03 §9. */
export const refundOrder = (order: OrderSnapshot, refund: RefundOrder): OrderEvent[] | Refusal => {
  const entry = order.redemptions[refund.redemption_id];
  if (!entry) return refuse('invalid_order', 'Order is not related with redemption.');
  if (entry.rollback_id === refund.rollback_id) return [];
  if (entry.rollback_id !== undefined) {
    return refuse('already_rolled_back', 'Redemption has been already rolled back.');
  }
  const noted: OrderSnapshot = {
    ...order,
    redemptions: { ...order.redemptions, [refund.redemption_id]: rolledBackEntry(entry, refund) },
    updated_at: refund.rolled_back_at,
  };
  if (refund.mode === 'WITHOUT_ORDER') return changeOrder(order, noted);
  return changeOrder(order, { ...removeDiscounts(noted, refund), status: 'CANCELED' });
};
