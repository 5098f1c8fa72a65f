import type { OrderEvent, OrderSnapshot, OrderStatus } from '@scrip/contracts/customers';

const statusEvent = {
  PAID: 'OrderPaid',
  CANCELED: 'OrderCanceled',
  FULFILLED: 'OrderFulfilled',
} as const satisfies Partial<Record<OrderStatus, OrderEvent['type']>>;

/** What became of an order, told once as a change and once more for the status it reached: repeating a status does
 *  nothing. Source: reference 07 §5. */
export const changeOrder = (before: OrderSnapshot | undefined, after: OrderSnapshot): OrderEvent[] => {
  const events: OrderEvent[] = [{ type: before ? 'OrderUpdated' : 'OrderCreated', data: { order: after } }];
  if (after.status === 'CREATED' || after.status === before?.status) return events;
  return [...events, reached(after.id, after.status)];
};

const reached = (order_id: string, status: keyof typeof statusEvent): OrderEvent =>
  ({ type: statusEvent[status], data: { order_id, status } }) as OrderEvent;
