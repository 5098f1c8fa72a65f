import type { OrderEvent, OrderSnapshot, OrderStatus } from '@scrip/contracts';
import { newestSchemaVersion, upcast } from '@scrip/event-store';
import canceledV1 from './fixtures/order-canceled.v1.json';
import createdV1 from './fixtures/order-created.v1.json';
import fulfilledV1 from './fixtures/order-fulfilled.v1.json';
import paidV1 from './fixtures/order-paid.v1.json';
import updatedV1 from './fixtures/order-updated.v1.json';
import { orderAggregate } from './order.aggregate';

// Written by released code; never to be changed. A new schema version adds a file.
const stored = [createdV1, updatedV1, paidV1, canceledV1, fulfilledV1];

const statusOf: Record<string, OrderStatus> = { OrderCanceled: 'CANCELED', OrderFulfilled: 'FULFILLED' };

test('there is a fixture of each newest version', () => {
  const types: OrderEvent['type'][] = [
    'OrderCreated',
    'OrderUpdated',
    'OrderPaid',
    'OrderCanceled',
    'OrderFulfilled',
  ];
  for (const type of types) {
    const version = newestSchemaVersion(orderAggregate.upcasters, type);
    expect(stored).toContainEqual(expect.objectContaining({ type, schema_version: version }));
  }
});

test.each(stored)(
  'a stored $type of version $schema_version is read as it was meant',
  ({ type, schema_version, data }) => {
    const newest = upcast(orderAggregate.upcasters, type, schema_version, data);
    const order = orderAggregate.evolve(undefined, { type, data: newest } as OrderEvent);
    expect(order).toEqual({
      id: 'ord_1',
      source_id: 'order-1',
      status: statusOf[type] ?? 'PAID',
      customer_id: 'cust_1',
      referrer_id: null,
      amount: 1000,
      initial_amount: 1000,
      discount_amount: 100,
      total_discount_amount: 100,
      total_amount: 900,
      applied_discount_amount: 100,
      total_applied_discount_amount: 100,
      items: [
        {
          object: 'order_item',
          product_id: 'prod_1',
          quantity: 2,
          initial_quantity: 2,
          price: 500,
          amount: 1000,
          initial_amount: 1000,
          subtotal_amount: 1000,
        },
      ],
      metadata: { channel: 'web' },
      redemptions: {
        r_1: {
          date: '2026-03-31T10:00:00.000Z',
          related_object_type: 'voucher',
          related_object_id: 'v_1',
          related_object_parent_id: 'camp_1',
        },
      },
      created_at: '2026-03-31T10:00:00.000Z',
      updated_at: null,
    } satisfies OrderSnapshot);
  },
);
