import type { OrderSnapshot } from '@scrip/contracts/customers';
import type { ExportParameters } from '@scrip/contracts/operations';
import { readInput } from '@scrip/edge';
import { fixedClock, isRefused, newId, randomIds } from '@scrip/kernel';
import { ListReader } from '@scrip/service';
import { draftOf, requestContext } from '../customers.fixture';
import { OrderExport } from '../exports/order.export';
import { OrderListQuery } from './order-list.query';
import { OrderLists } from './order-lists.reads';
import { type OrderRow, readOrder } from './order.reads';
import { redemption, startOrders } from './orders.fixture';

let orders: Awaited<ReturnType<typeof startOrders>>;
let lists: OrderLists;

beforeAll(async () => {
  orders = await startOrders('unread_orders');
  const { dataSource } = orders.customers;
  lists = new OrderLists(new ListReader(dataSource, { poolSize: 2, statementTimeoutMs: 10_000 }));
});

afterAll(() => orders.customers.stop());

const context = (projectId?: string) => requestContext(undefined, projectId);

const storedCustomer = async (): Promise<string> => {
  const request = { customer: { source_id: newId('') }, new_id: newId('cust_') };
  const upserted = await orders.customers.customers.upsert(context(), request);
  if (isRefused(upserted)) throw new Error(upserted.details);
  return upserted.customer.id;
};

const ways: Record<string, (customerId: string) => Promise<unknown>> = {
  deleted: (id) => orders.customers.customers.delete(context(), id),
  erased: (id) => orders.customers.erasures.erase(context(), id, newId('del_')),
  'deleted and then erased': async (id) => {
    await orders.customers.customers.delete(context(), id);
    await orders.customers.erasures.erase(context(), id, newId('del_'));
  },
};

const listed = async (query: object = { limit: '100' }): Promise<{ ids: string[]; total: number }> => {
  const found = await lists.list(context(), readInput(OrderListQuery, query, 'query'));
  if (isRefused(found)) throw new Error(found.details);
  return { ids: found.orders.map(({ id }) => id), total: found.total };
};

const exported = async (): Promise<string[]> => {
  const parameters: ExportParameters = {
    fields: ['id'],
    order: 'created_at',
    filters: { junction: 'and', fields: {} },
  };
  const statement = new OrderExport(fixedClock('2026-03-31T10:00:00.000Z')).statement(
    context(),
    parameters,
    () => undefined,
  );
  if (isRefused(statement)) throw new Error(statement.details);
  const rows = await orders.customers.dataSource.query<OrderRow[]>(statement.text, statement.values);
  return rows.map((row) => readOrder(row).order.id);
};

const handlers = () => orders.customers.orderHandlers;
const ofCustomer = async (customer_id: string, source_id: string): Promise<OrderSnapshot> => {
  const customer = { id: customer_id };
  const order = await handlers().upsert(context(), randomIds, { customer, source_id, amount: 100 });
  if (isRefused(order)) throw new Error(order.details);
  return order;
};

const unknown = (resourceId: string) => ({ refused: 'not_found', resourceId });
const duplicate = { refused: 'duplicate_found' };

describe.each(Object.entries(ways))('the orders of a customer who was %s', (_, remove) => {
  const read: [string, (order: OrderSnapshot) => Promise<unknown>, (order: OrderSnapshot) => unknown][] = [
    ['by id', ({ id }) => handlers().find(context(), id), ({ id }) => unknown(id)],
    [
      'by source id',
      ({ source_id }) => handlers().find(context(), source_id!),
      ({ source_id }) => unknown(source_id!),
    ],
    [
      'to be redeemed, by id',
      ({ id }) => orders.customers.port.loadOrder(context(), { id }),
      ({ id }) => unknown(id),
    ],
    [
      'to be redeemed, by source id',
      ({ source_id }) => orders.customers.port.loadOrder(context(), { source_id: source_id!, settle: true }),
      () => duplicate,
    ],
    ['with others', ({ id }) => orders.customers.port.loadOrders(context(), { ids: [id] }), () => []],
    [
      'as what a claim is about',
      ({ id }) => orders.customers.port.load(context(), { objects: [id] }),
      ({ id }) => [unknown(id)],
    ],
    [
      'to be changed by id',
      ({ id }) => handlers().upsert(context(), randomIds, { id, amount: 1 }),
      ({ id }) => unknown(id),
    ],
    [
      'to be changed by source id',
      ({ source_id }) => handlers().upsert(context(), randomIds, { source_id: source_id!, amount: 1 }),
      () => duplicate,
    ],
  ];

  test('are in no read, and keep their source ids', async () => {
    const customer = await storedCustomer();
    const source_id = newId('');
    const order = await ofCustomer(customer, source_id);
    const other = await ofCustomer(await storedCustomer(), newId(''));
    const before = await listed();
    await remove(customer);
    for (const [name, call, expected] of read)
      expect([name, await call(order)]).toMatchObject([name, expected(order)]);
    expect(await handlers().update(context(), randomIds, other, { source_id })).toMatchObject(duplicate);
    const { ids, total } = await listed();
    expect([ids, total]).toEqual([before.ids.filter((id) => id !== order.id), before.total - 1]);
    expect(await exported()).toEqual(ids);
    // A page goes on behind an order that left meanwhile.
    expect((await listed({ starting_after_id: order.id })).ids).not.toContain(order.id);
    expect(await orders.eventsOf(order.id)).toEqual(['OrderCreated']);
  });
});

test('a customer of the same id in another project keeps its orders', async () => {
  const customer = await storedCustomer();
  const order = await ofCustomer(customer, newId(''));
  await orders.customers.customers.upsert(context('proj_2'), {
    customer: { source_id: 'same' },
    new_id: customer,
  });
  await orders.customers.customers.delete(context('proj_2'), customer);
  expect(await handlers().find(context(), order.id)).toEqual(order);
});

test('a change that began before the deletion writes nothing after it', async () => {
  const customer = await storedCustomer();
  const order = await ofCustomer(customer, newId(''));
  await orders.customers.customers.delete(context(), customer);
  expect(await handlers().update(context(), randomIds, order, { amount: 5 })).toMatchObject(
    unknown(order.id),
  );
  expect(await orders.eventsOf(order.id)).toEqual(['OrderCreated']);
});

describe('a redemption under way while the customer is deleted', () => {
  const refund = {
    rolled_back_at: '2026-04-01T10:00:00.000Z',
    mode: 'WITH_ORDER' as const,
    difference: { discount_amount: 100 },
  };

  test('creates an order that nobody reads, before and after it is confirmed, and that it can take back', async () => {
    const customer_id = await storedCustomer();
    const ids = redemption();
    const order = draftOf(ids.redemption_id, { customer_id, source_id: newId('') });
    await orders.claim(ids, order);
    await orders.customers.customers.delete(context(), customer_id);
    expect(await handlers().find(context(), order.id)).toMatchObject(unknown(order.id));
    orders.record(ids);
    await orders.settle(ids, order.id);
    expect(await handlers().find(context(), order.id)).toMatchObject(unknown(order.id));
    expect((await listed()).ids).not.toContain(order.id);
    expect(await orders.claim(ids, order)).toMatchObject({ granted: { order: { id: order.id } } });
    const claim = { ...ids, object_id: order.id, rollback_id: newId('rr_'), order: refund };
    const [answer] = await orders.customers.port.refund(context(), { claims: [claim] });
    expect(answer).toMatchObject({ granted: { order: { status: 'CANCELED' } } });
  });

  test('does not show what it makes of an order that was nobody’s', async () => {
    const { order, version } = await orders.storedOrder({ customer_id: null });
    const customer_id = await storedCustomer();
    const ids = redemption();
    const draft = { ...draftOf(ids.redemption_id, { stored: order, amountOff: 50 }), customer_id };
    await orders.claim(ids, draft, { baseVersion: version });
    expect(await orders.load({ id: order.id })).toMatchObject({ order: { customer_id } });
    await orders.customers.customers.delete(context(), customer_id);
    expect(await orders.load({ id: order.id })).toEqual({ order, version });
    expect((await listed()).ids).toContain(order.id);
    orders.record(ids);
    await orders.settle(ids, order.id);
    expect(await handlers().find(context(), order.id)).toMatchObject(unknown(order.id));
  });
});
