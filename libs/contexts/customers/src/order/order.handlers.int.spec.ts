import type { OrderSnapshot } from '@scrip/contracts/customers';
import { type IdSource, derivedIds, isRefused, newId, randomIds } from '@scrip/kernel';
import { rounds } from '@scrip/testing';
import { draftOf, requestContext } from '../customers.fixture';
import { losingNextCommit } from './lost-commit.fixture';
import type { CreateOrderRequest, UpdateOrderRequest } from './order-requests';
import { redemption, startOrders } from './orders.fixture';

let orders: Awaited<ReturnType<typeof startOrders>>;

beforeAll(async () => {
  orders = await startOrders('order_handlers');
});

afterAll(() => orders.customers.stop());

const within = () => ({ ...requestContext(), deadlineAt: Date.now() + 60_000 });

const processOf = (n: number) => [orders.customers, orders.other][n % 2]!.orderHandlers;

const upsert = (
  request: CreateOrderRequest,
  { ids = randomIds, process = 0 }: { ids?: IdSource; process?: number } = {},
) => processOf(process).upsert(within(), ids, request);

const stored = async (request: CreateOrderRequest): Promise<OrderSnapshot> => {
  const order = await upsert(request);
  if (isRefused(order)) throw new Error(JSON.stringify(order));
  return order;
};

const update = async (id: string, request: UpdateOrderRequest, process = 0) => {
  const order = await processOf(process).find(within(), id);
  return isRefused(order) ? order : processOf(process).update(within(), randomIds, order, request);
};

const callers = Array.from({ length: 50 }, (_, n) => n);

const namedIn = async (sourceId: string): Promise<string[]> => {
  const rows = await orders.customers.dataSource.query<{ id: string }[]>(
    'SELECT id FROM orders WHERE source_id = $1',
    [sourceId],
  );
  return rows.map(({ id }) => id);
};

describe('an upsert', () => {
  test('by 50 callers with one source id creates one order, and loses nothing of what they say', async () => {
    const answers = await Promise.all(
      callers.map((n) => upsert({ source_id: 'fifty', metadata: { [`caller_${n}`]: n } }, { process: n })),
    );
    const [id, ...others] = new Set(answers.map((order) => (order as OrderSnapshot).id));
    expect(others).toEqual([]);
    const { order } = await orders.load({ source_id: 'fifty' });
    expect(order.id).toBe(id);
    expect(order.metadata).toEqual(Object.fromEntries(callers.map((n) => [`caller_${n}`, n])));
    const events = await orders.eventsOf(order.id);
    expect(events).toEqual(['OrderCreated', ...Array.from({ length: 49 }, () => 'OrderUpdated')]);
  });

  test('repeated under the same ids creates nothing again', async () => {
    const ids = derivedIds({ createdAt: new Date('2026-03-31T10:00:00Z'), commandId: 'command_1' });
    const answers = await Promise.all(callers.map((n) => upsert({ amount: 500 }, { ids, process: n })));
    expect(new Set(answers.map((order) => (order as OrderSnapshot).id)).size).toBe(1);
    expect(await orders.eventsOf((answers[0] as OrderSnapshot).id)).toEqual(['OrderCreated']);
  });

  test('whose commit is lost creates its order once', async () => {
    const lost = losingNextCommit(async () => undefined);
    const order = await stored({ source_id: 'lost', amount: 100 });
    // A creation is one statement without a COMMIT of its own; the change after it has one.
    expect(lost()).toBe(0);
    const changed = await upsert({ source_id: 'lost', amount: 200 });
    expect(lost()).toBe(1);
    expect(changed).toMatchObject({ id: order.id, amount: 200 });
    expect(await orders.eventsOf(order.id)).toEqual(['OrderCreated', 'OrderUpdated']);
  });

  test('waits for the redemption that creates the order, and changes what that one left', async () => {
    const ids = redemption();
    const draft = draftOf(ids.redemption_id, { source_id: 'redeemed-first' });
    await orders.claim(ids, draft);
    const changed = upsert({ source_id: 'redeemed-first', status: 'FULFILLED' });
    orders.record(ids);
    expect(await changed).toMatchObject({ id: draft.id, status: 'FULFILLED', total_discount_amount: 100 });
    expect(await orders.stateOf(ids)).toBe('CONFIRMED');
  });

  test('creates its own order where that redemption gives up', async () => {
    const ids = redemption();
    const draft = draftOf(ids.redemption_id, { source_id: 'given-up' });
    await orders.claim(ids, draft);
    const created = upsert({ source_id: 'given-up', amount: 700 });
    orders.abandon(ids);
    const order = (await created) as OrderSnapshot;
    expect(order).toMatchObject({ source_id: 'given-up', amount: 700, redemptions: {} });
    expect(order.id).not.toBe(draft.id);
  });

  test('keeps redemptions that come later off its source id', async () => {
    await stored({ source_id: 'taken', amount: 100 });
    const ids = redemption();
    const answer = await orders.claim(ids, draftOf(ids.redemption_id, { source_id: 'taken' }));
    expect(answer).toMatchObject({ refusal: { refused: 'multiple_requests' } });
  });

  test('and a redemption at the same moment make one order of a source id', async () => {
    for (let round = 0; round < Math.max(4, rounds(40)); round++) {
      const source_id = `raced-${round}`;
      const ids = redemption();
      const claimed = orders.claim(ids, draftOf(ids.redemption_id, { source_id }), { process: orders.other });
      const upserted = upsert({ source_id, metadata: { call: true } });
      const answer = await claimed;
      if ('granted' in answer) orders.record(ids);
      expect(await upserted).toMatchObject({ source_id, metadata: { call: true } });
      const [id, ...others] = await namedIn(source_id);
      expect(others).toEqual([]);
      const { order } = await orders.load({ id: id! });
      expect(Object.keys(order.redemptions)).toEqual('granted' in answer ? [ids.redemption_id] : []);
    }
  });
});

describe('a source id', () => {
  test('that 50 callers give to orders of theirs goes to one of them', async () => {
    const theirs = await Promise.all(callers.map((n) => stored({ metadata: { n } })));
    const answers = await Promise.all(theirs.map(({ id }, n) => update(id, { source_id: 'wanted' }, n)));
    const [winner, ...others] = answers.filter((answer) => !isRefused(answer)) as OrderSnapshot[];
    expect(others).toEqual([]);
    expect(await namedIn('wanted')).toEqual([winner!.id]);
    const refused = answers.flatMap((answer) => (isRefused(answer) ? [answer] : []));
    expect(new Set(refused.map(({ details }) => details))).toEqual(
      new Set(['Duplicated order exists with source_id wanted']),
    );
    expect(refused[0]).toMatchObject({
      refused: 'duplicate_found',
      resourceId: 'wanted',
      resourceType: 'order',
    });
  });

  test.each<[string, () => Promise<OrderSnapshot>]>([
    ['a call', () => stored({ source_id: newId('of-a-call-') })],
    ['a redemption', async () => (await orders.storedOrder({ source_id: newId('of-a-redemption-') })).order],
  ])('that an order of %s gives up is free for others, the new one is not', async (_, make) => {
    const order = await make();
    const [first, second] = [order.source_id!, `${order.source_id!}-2`];
    expect(await update(order.id, { source_id: second })).toMatchObject({ source_id: second });
    const taken = await stored({ source_id: first });
    expect(taken.id).not.toBe(order.id);
    const claimOf = async (source_id: string) => {
      const ids = redemption();
      return orders.claim(ids, draftOf(ids.redemption_id, { source_id }));
    };
    expect(await claimOf(second)).toMatchObject({ refusal: { refused: 'multiple_requests' } });
    expect(await update(order.id, { source_id: null })).toMatchObject({ source_id: null });
    expect(await update(order.id, { source_id: null })).toMatchObject({ source_id: null });
    expect(await claimOf(second)).toHaveProperty('granted');
    expect(await update(order.id, { source_id: first })).toMatchObject({ refused: 'duplicate_found' });
    expect(await update(order.id, { source_id: `${first}-3` })).toMatchObject({ id: order.id });
  });

  test('that a call moved to another order while an upsert waited stays there', async () => {
    const order = await stored({ source_id: 'moved' });
    const ids = redemption();
    const { version } = await orders.load({ id: order.id });
    const draft = draftOf(ids.redemption_id, { stored: { ...order, ...draftOf('r_none'), id: order.id } });
    await orders.claim(ids, { ...draft, source_id: 'moved-away' }, { baseVersion: version });
    const upserted = upsert({ source_id: 'moved', amount: 300 });
    orders.record(ids);
    const created = (await upserted) as OrderSnapshot;
    expect(created.id).not.toBe(order.id);
    expect((await orders.load({ id: order.id })).order.source_id).toBe('moved-away');
  });
});

describe('an order that a redemption holds', () => {
  test('is changed by 50 callers without a loss while it is redeemed', async () => {
    const order = await stored({
      source_id: 'held',
      items: [{ product_id: 'prod_1', price: 500, quantity: 2 }],
    });
    const redeem = async (): Promise<string> => {
      for (;;) {
        const { order: read, version, after } = await orders.load({ id: order.id });
        const ids = redemption();
        const draft = draftOf(ids.redemption_id, { stored: read, amountOff: 10, metadata: read.metadata });
        const answer = await orders.claim(ids, draft, { baseVersion: version, after, process: orders.other });
        if ('refusal' in answer || orders.customers.coordinator.outcomes.has(ids.redemption_id)) continue;
        orders.record(ids);
        await orders.settle(ids, order.id, orders.other);
        return ids.redemption_id;
      }
    };
    const [redeemed, ...answers] = await Promise.all([
      redeem(),
      ...callers.map((n) => update('held', { metadata: { [`caller_${n}`]: n } }, n)),
    ]);
    const succeeded = callers.filter((n) => !isRefused(answers[n]!));
    expect(succeeded.length).toBeGreaterThan(0);
    const left = (await orders.load({ id: order.id })).order;
    expect(left.metadata).toEqual(Object.fromEntries(succeeded.map((n) => [`caller_${n}`, n])));
    expect(Object.keys(left.redemptions)).toEqual([redeemed]);
    expect(left.total_discount_amount).toBe(10);
  });

  test('is left alone, and the caller told so, where it stays held', async () => {
    const order = await stored({ amount: 1_000 });
    const { version } = await orders.load({ id: order.id });
    const ids = redemption();
    await orders.claim(ids, draftOf(ids.redemption_id, { stored: order }), { baseVersion: version });
    const answer = await processOf(0).update(within(), randomIds, order, { amount: 2_000 });
    expect(answer).toEqual({
      refused: 'multiple_requests',
      details: 'Order is in use by another request',
      resourceId: order.id,
      resourceType: 'order',
    });
    expect(await orders.eventsOf(order.id)).toEqual(['OrderCreated']);
    orders.abandon(ids);
    await orders.settle(ids, order.id);
  });
});

describe('whose order it is', () => {
  test('customer and referrer are stored, and named by their ids', async () => {
    const order = await stored({
      customer: { source_id: 'ada', name: 'Ada' },
      referrer: { source_id: 'bea', name: 'Bea' },
    });
    const [ada, bea] = await orders.customers.port.loadCustomers(within(), {
      ids: [order.customer_id!, order.referrer_id!],
    });
    expect([ada, bea]).toMatchObject([{ name: 'Ada' }, { name: 'Bea' }]);
    const again = await stored({ id: order.id, referrer_id: ada!.id, customer: { id: bea!.id } });
    expect(again).toMatchObject({ id: order.id, customer_id: bea!.id, referrer_id: ada!.id });
    expect(await stored({ id: order.id, referrer_id: null })).toMatchObject({
      customer_id: bea!.id,
      referrer_id: null,
    });
  });

  test.each<[string, CreateOrderRequest, string]>([
    ['order', { id: 'ord_none' }, 'Cannot find order with id ord_none'],
    ['customer', { customer: { id: 'cust_none' } }, 'Cannot find customer with id cust_none'],
    ['referrer', { referrer: { id: 'cust_none' } }, 'Cannot find customer with id cust_none'],
    ['referrer by id alone', { referrer_id: 'cust_none' }, 'Cannot find customer with id cust_none'],
  ])('an unknown %s is not found', async (_, request, details) => {
    expect(await upsert({ source_id: 'not-created', ...request })).toMatchObject({
      refused: 'not_found',
      details,
    });
    expect(await namedIn('not-created')).toEqual([]);
  });
});

test('an id is tried before a source id', async () => {
  const named = await stored({ amount: 1 });
  const other = await stored({ source_id: named.id, amount: 2 });
  expect(await processOf(0).find(within(), named.id)).toMatchObject({ amount: 1 });
  await stored({ source_id: 'plain', amount: 3 });
  expect(await processOf(0).find(within(), 'plain')).toMatchObject({ amount: 3 });
  expect(await processOf(0).find(within(), other.id)).toMatchObject({ amount: 2 });
  expect(
    await processOf(0).find({ ...within(), project: { ...within().project, id: 'proj_2' } }, 'plain'),
  ).toEqual({
    refused: 'not_found',
    details: 'Cannot find order with id plain',
    resourceId: 'plain',
    resourceType: 'order',
  });
});

test('folding the events gives the stored state', async () => {
  expect(await orders.customers.eventStore.verifyState()).toEqual([]);
});
