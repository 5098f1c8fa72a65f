import type { OrderEvent, OrderSnapshot } from '@scrip/contracts/customers';
import { upcast } from '@scrip/kernel';
import { FrozenEvents } from '@scrip/testing';
import { join } from 'node:path';
import canceledV1 from './fixtures/order-canceled.v1.json';
import canceledV2 from './fixtures/order-canceled.v2.json';
import createdV1 from './fixtures/order-created.v1.json';
import fulfilledV1 from './fixtures/order-fulfilled.v1.json';
import fulfilledV2 from './fixtures/order-fulfilled.v2.json';
import paidV1 from './fixtures/order-paid.v1.json';
import paidV2 from './fixtures/order-paid.v2.json';
import updatedV1 from './fixtures/order-updated.v1.json';
import { orderAggregate } from './order.aggregate';
import { plainOrder } from './order.fixture';

const changes = [createdV1, updatedV1];
const statuses = [paidV1, canceledV1, fulfilledV1, paidV2, canceledV2, fulfilledV2];

test('events of each version of each type are frozen', () => {
  const frozen = new FrozenEvents(join(__dirname, 'fixtures'), orderAggregate);
  expect(
    frozen.problems(['OrderCreated', 'OrderUpdated', 'OrderPaid', 'OrderCanceled', 'OrderFulfilled']),
  ).toEqual([]);
});

const newest = ({ type, schema_version, data }: { type: string; schema_version: number; data: object }) =>
  ({
    type,
    data: upcast(orderAggregate.upcasters, type, schema_version, data as Record<string, unknown>),
  }) as OrderEvent;

test.each(statuses)(
  'a stored $type of version $schema_version is a status of the order before it',
  (event) => {
    const status = { OrderPaid: 'PAID', OrderCanceled: 'CANCELED', OrderFulfilled: 'FULFILLED' }[event.type];
    expect(newest(event).data).toEqual({ order_id: 'ord_1', status });
    const before = orderAggregate.evolve(undefined, newest(createdV1))!;
    expect(orderAggregate.evolve({ ...before, status: 'CREATED' }, newest(event))).toEqual({
      ...before,
      status,
    });
  },
);

test.each(changes)('a stored $type of version $schema_version is read as it was meant', (event) => {
  const order = orderAggregate.evolve(undefined, newest(event));
  expect(order).toEqual({
    ...plainOrder,
    source_id: 'order-1',
    discount_amount: 100,
    total_discount_amount: 100,
    total_amount: 900,
    applied_discount_amount: 100,
    total_applied_discount_amount: 100,
    redemptions: {
      r_1: {
        date: '2026-03-31T10:00:00.000Z',
        related_object_type: 'voucher',
        related_object_id: 'v_1',
        related_object_parent_id: 'camp_1',
      },
    },
  } satisfies OrderSnapshot);
});
