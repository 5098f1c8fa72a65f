import type { OrderEvent, OrderRedemption, OrderSnapshot } from '@scrip/contracts/customers';
import type { Instant } from '@scrip/contracts/snapshot';
import { notFound, refuse } from '@scrip/kernel';
import {
  heldDifferences,
  type OrderDifference,
  undoRedemption,
  withDifferences,
} from '@scrip/order-calculation';
import type { CustomersRefusal } from '../customers.refusals';
import { changeOrder } from './order-change';

/** A change tells the whole order, a status only itself. Total: returns undefined for a status before the first event,
 *  never throws or decides. */
export const evolveOrder = (
  order: OrderSnapshot | undefined,
  event: OrderEvent,
): OrderSnapshot | undefined => {
  switch (event.type) {
    case 'OrderCreated':
    case 'OrderUpdated':
      return event.data.order;
    default:
      return order && { ...order, status: event.data.status };
  }
};

/** What a rollback takes back. `difference`: what the redemption did, where the order does not say it itself. */
export interface OrderCommand {
  type: 'RefundOrder';
  order_id: string;
  redemption_id: string;
  rollback_id: string;
  rolled_back_at: Instant;
  rollback_stacked?: string[];
  mode: 'WITH_ORDER' | 'WITHOUT_ORDER';
  difference: OrderDifference;
}

const rolledBackEntry = (entry: OrderRedemption, refund: OrderCommand): OrderRedemption => ({
  ...entry,
  rollback_id: refund.rollback_id,
  rollback_date: refund.rolled_back_at,
  ...(refund.rollback_stacked ? { rollback_stacked: refund.rollback_stacked } : {}),
});

/** Returns the referrer of an order without the code of one redemption: the one that the earliest of the other codes names. A
 *  referrer that no code named stays. */
const referrerWithout = ({ referrer_id, redemptions }: OrderSnapshot, id: string): string | null => {
  const { [id]: undone, ...others } = redemptions;
  if (undone?.referrer_id !== referrer_id) return referrer_id;
  const [earliest] = Object.values(others)
    .filter((entry) => entry.rollback_id === undefined && entry.referrer_id !== undefined)
    .sort((one, other) => (one.date < other.date ? -1 : 1));
  return earliest?.referrer_id ?? null;
};

/** The order without what one of its redemptions did. */
const without = (order: OrderSnapshot, id: string, undone: OrderDifference): OrderSnapshot => {
  const { [id]: _, ...others } = heldDifferences(order);
  const left = undoRedemption(order, undone, others);
  const { [id]: entry, ...entries } = withDifferences(order.redemptions, left.others);
  const { difference: __, referrer_id: ___, ...rest } = entry!;
  return {
    ...left.order,
    referrer_id: referrerWithout(order, id),
    redemptions: { ...entries, [id]: rest },
  };
};

/** Takes exactly what a redemption did off its order and cancels it (WITH_ORDER), or only notes the rollback
 *  (WITHOUT_ORDER); the redemption's entry tells of it either way. Nothing when this rollback is noted already.
 *  Refuses `not_found`, `already_rolled_back` when another rollback is noted, `invalid_order` when the redemption never touched the order.
 *  Source: reference 03 §9. */
export const decideOrder = (
  refund: OrderCommand,
  order: OrderSnapshot | undefined,
): OrderEvent[] | CustomersRefusal => {
  if (!order) return notFound('order', refund.order_id);
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
  const undone = entry.difference ?? refund.difference;
  return changeOrder(order, { ...without(noted, refund.redemption_id, undone), status: 'CANCELED' });
};
