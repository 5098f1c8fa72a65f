import type { OrderSnapshot, OrderStatus } from './order.snapshot';

/** Orders as redemptions and order calls leave them: one stream per order. A change carries the whole order right after the
 *  fact, its new status included; the status then follows as an event of its own, which does not repeat the order.
 *  Source: reference 06 §9.2. */
export type OrderEvent = OrderCreated | OrderUpdated | OrderPaid | OrderCanceled | OrderFulfilled;

/** An order became known. A status other than CREATED follows as an event of its own, unless the order was imported. */
export interface OrderCreated {
  type: 'OrderCreated';
  data: {
    order: OrderSnapshot;
    /** Whether an import created it: nothing follows from it but figures about its customer. */
    imported?: boolean;
  };
}

/** An order changed. A new status follows as an event of its own. */
export interface OrderUpdated {
  type: 'OrderUpdated';
  data: { order: OrderSnapshot };
}

/** A status that an order reached by the change right before, in the same stream. Since schema version 2; version 1 had
 *  the order instead. */
interface ReachedStatus<Status extends OrderStatus> {
  order_id: string;
  status: Status;
}

/** An order is now PAID. */
export interface OrderPaid {
  type: 'OrderPaid';
  data: ReachedStatus<'PAID'>;
}

/** An order is now CANCELED: by a call, or because its redemption was rolled back. */
export interface OrderCanceled {
  type: 'OrderCanceled';
  data: ReachedStatus<'CANCELED'>;
}

/** An order is now FULFILLED. */
export interface OrderFulfilled {
  type: 'OrderFulfilled';
  data: ReachedStatus<'FULFILLED'>;
}
