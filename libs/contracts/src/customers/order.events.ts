import type { OrderSnapshot } from './order.snapshot';

/** Stream `order` (service customers). Source: spec 06 §9.2. */
export type OrderEvent = OrderCreated | OrderUpdated | OrderPaid | OrderCanceled | OrderFulfilled;

export interface OrderCreated {
  type: 'OrderCreated';
  data: { order: OrderSnapshot };
}

export interface OrderUpdated {
  type: 'OrderUpdated';
  data: { order: OrderSnapshot };
}

export interface OrderPaid {
  type: 'OrderPaid';
  data: { order: OrderSnapshot };
}

export interface OrderCanceled {
  type: 'OrderCanceled';
  data: { order: OrderSnapshot };
}

export interface OrderFulfilled {
  type: 'OrderFulfilled';
  data: { order: OrderSnapshot };
}
