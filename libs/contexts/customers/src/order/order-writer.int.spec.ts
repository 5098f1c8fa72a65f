import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { OrderSnapshot } from '@scrip/contracts/customers';
import { isRefused, refuse } from '@scrip/kernel';
import { type CustomersProcess, draftOf, requestContext } from '../customers.fixture';
import { redemption, startOrders } from './orders.fixture';
import { changeOrder } from './order-change';

let orders: Awaited<ReturnType<typeof startOrders>>;

beforeAll(async () => {
  orders = await startOrders('order_writer');
});

afterAll(() => orders.customers.stop());

/** What an API call that stores metadata does. */
const store = (
  orderId: string,
  metadata: Record<string, unknown>,
  { process = orders.customers }: { process?: CustomersProcess } = {},
) =>
  process.claims.change<OrderSnapshot>(
    { ...requestContext(), deadlineAt: Date.now() + 60_000 },
    {
      orderId,
      decide: (order) => {
        const after = { ...order, metadata: { ...order.metadata, ...metadata } };
        return { events: changeOrder(order, after), answer: after };
      },
    },
  );

const heldOrder = async () => {
  const { order, version } = await orders.storedOrder();
  const ids = redemption();
  const draft = draftOf(ids.redemption_id, { stored: order, amountOff: 50 });
  await orders.claim(ids, draft, { baseVersion: version });
  return { order, ids };
};

test('changes an order that nobody holds', async () => {
  const { order, version } = await orders.storedOrder();
  expect(await store(order.id, { gift: true })).toEqual({ ...order, metadata: { gift: true } });
  expect(await orders.load({ id: order.id })).toEqual({
    order: { ...order, metadata: { gift: true } },
    version: version + 1,
  });
});

test('waits for the redemption that holds the order, and changes what that one left', async () => {
  const { order, ids } = await heldOrder();
  const stored = store(order.id, { gift: true });
  orders.record(ids);
  expect(await stored).toMatchObject({ metadata: { gift: true }, total_discount_amount: 150 });
  expect(await orders.stateOf(ids)).toBe('CONFIRMED');
});

test('waits for the redemption that creates the order', async () => {
  const ids = redemption();
  const order = draftOf(ids.redemption_id);
  await orders.claim(ids, order);
  const stored = store(order.id, { gift: true });
  orders.record(ids);
  expect(await stored).toEqual({ ...order, metadata: { gift: true } });
  expect(await orders.eventsOf(order.id)).toEqual(['OrderCreated', 'OrderPaid', 'OrderUpdated']);
});

test('refuses multiple_requests and writes nothing where the order stays held', async () => {
  const { order, ids } = await heldOrder();
  const events = await orders.eventsOf(order.id);
  expect(await store(order.id, { gift: true })).toEqual({
    refused: 'multiple_requests',
    details: 'Order is in use by another request',
    resourceId: order.id,
    resourceType: 'order',
  });
  expect(await orders.eventsOf(order.id)).toEqual(events);
  orders.record(ids);
  await orders.settle(ids, order.id);
  expect(await orders.stateOf(ids)).toBe('CONFIRMED');
});

test('refuses what the decision refuses, and an order that does not exist', async () => {
  const { order } = await orders.storedOrder();
  const refusing = { orderId: order.id, decide: () => refuse('invalid_order', 'no') };
  expect(await orders.customers.claims.change(requestContext(), refusing)).toEqual(refusing.decide());
  expect(await store('ord_none', {})).toMatchObject({ refused: 'not_found', resourceId: 'ord_none' });
});

test('answers a decision to write nothing about a stored order whoever holds it', async () => {
  const { order, ids } = await heldOrder();
  const seen = await orders.customers.claims.change(requestContext(), {
    orderId: order.id,
    decide: (stored) => ({ events: [], answer: stored }),
  });
  expect(seen).toEqual(order);
  orders.abandon(ids);
  await orders.settle(ids, order.id);
});

test('50 callers who change an order while it is redeemed lose nothing and overwrite nothing', async () => {
  const { order, ids: first } = await orders.storedOrder();
  const processes = [orders.customers, orders.other];
  const redeem = async (): Promise<string> => {
    for (;;) {
      const { order: stored, version, after } = await orders.load({ id: order.id });
      const ids = redemption();
      const draft = draftOf(ids.redemption_id, { stored, amountOff: 10, metadata: stored.metadata });
      const answer = await orders.claim(ids, draft, { baseVersion: version, after, process: orders.other });
      // A writer that found the order held may have had the claim abandoned.
      if ('refusal' in answer || orders.customers.coordinator.outcomes.has(ids.redemption_id)) continue;
      orders.record(ids);
      await orders.settle(ids, order.id, orders.other);
      return ids.redemption_id;
    }
  };
  const redeemAll = async () => {
    const redeemed: string[] = [];
    for (let turn = 0; turn < 5; turn++) redeemed.push(await redeem());
    return redeemed;
  };
  const callers = Array.from({ length: 50 }, (_, n) => n);
  const [redeemed, ...stored] = await Promise.all([
    redeemAll(),
    ...callers.map((n) => store(order.id, { [`caller_${n}`]: n }, { process: processes[n % 2]! })),
  ]);
  const after = (await orders.load({ id: order.id })).order;
  const succeeded = callers.filter((n) => !isRefused(stored[n]!));
  expect(succeeded.length).toBeGreaterThan(0);
  expect(after.metadata).toEqual(Object.fromEntries(succeeded.map((n) => [`caller_${n}`, n])));
  expect(Object.keys(after.redemptions).sort()).toEqual([first.redemption_id, ...redeemed].sort());
  expect(after.total_discount_amount).toBe(100 + 5 * 10);
});

test('folding the events gives the stored state', async () => {
  expect(await orders.customers.eventStore.verifyState()).toEqual([]);
});

test('nothing else appends to the streams of orders; imports and seeds begin them', () => {
  const context = join(__dirname, '..');
  const sources = readdirSync(context, { recursive: true, encoding: 'utf8' }).filter((file) =>
    /(?<!spec)\.ts$/.test(file),
  );
  const writers = sources.filter((file) =>
    readFileSync(join(context, file), 'utf8').includes('aggregate(orderAggregate)'),
  );
  const begin = ['order-imports/store-orders.ts', 'seeding/customers-seed.ts'];
  expect(writers.sort()).toEqual([...begin, 'order/order-writer.ts'].sort());
  for (const file of begin) {
    const source = readFileSync(join(context, file), 'utf8');
    expect(source).toContain('.createMany(');
    expect(source).not.toContain('.execute');
  }
});
