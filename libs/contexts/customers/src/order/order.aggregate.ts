import { type OrderEvent, type OrderSnapshot, orderUpcasters } from '@scrip/contracts/customers';
import type { AggregateDefinition } from '@scrip/event-store';
import { evolveOrder } from './order.decider';

/** Stream `order`; table `orders`. */
export const orderAggregate: AggregateDefinition<OrderSnapshot, OrderEvent> = {
  aggregate: 'order',
  table: 'orders',
  evolve: evolveOrder,
  snapshotEvents: ['OrderCreated', 'OrderUpdated'],
  upcasters: orderUpcasters,
  columns: {
    source_id: { type: 'text', of: (order) => order.source_id },
    customer_id: { type: 'text', of: (order) => order.customer_id },
    created_at: { type: 'timestamptz', of: (order) => order.created_at },
    changed_at: { type: 'timestamptz', of: (order) => order.updated_at ?? order.created_at },
  },
};
