import type { OrderSnapshot } from './order.snapshot';

/** Orders as redemptions and order calls leave them: one stream per order. Each event carries the whole order right after
 *  the fact. Source: spec 06 §9.2. */
export type OrderEvent = OrderCreated | OrderUpdated | OrderPaid | OrderCanceled | OrderFulfilled;

/** An order became known. A status other than CREATED follows as an event of its own. */
export interface OrderCreated {
  type: 'OrderCreated';
  data: { order: OrderSnapshot };
}

/** An order changed. A new status follows as an event of its own. */
export interface OrderUpdated {
  type: 'OrderUpdated';
  data: { order: OrderSnapshot };
}

/** An order is now PAID. */
export interface OrderPaid {
  type: 'OrderPaid';
  data: { order: OrderSnapshot };
}

/** An order is now CANCELED: by a call, or because its redemption was rolled back. */
export interface OrderCanceled {
  type: 'OrderCanceled';
  data: { order: OrderSnapshot };
}

/** An order is now FULFILLED. */
export interface OrderFulfilled {
  type: 'OrderFulfilled';
  data: { order: OrderSnapshot };
}
