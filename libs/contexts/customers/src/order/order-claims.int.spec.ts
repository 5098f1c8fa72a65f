import { claimsSuite, lostClaims } from '@scrip/claims/testing';
import type { StoredOrder } from '@scrip/contracts/customers';
import { waitUntil } from '@scrip/testing';
import { draftOf, requestContext } from '../customers.fixture';
import { OrderClaimTable } from './order-claim.table';
import { OrderEffect } from './order-effect';
import { orderBytesMax } from '@scrip/contracts/customers';
import { OrderReads } from './order.reads';
import { redemption, startOrders } from './orders.fixture';

let orders: Awaited<ReturnType<typeof startOrders>>;

beforeAll(async () => {
  orders = await startOrders('order_claims');
});

afterAll(() => orders.customers.stop());

/** Whether some statement of this database waits for a lock. */
const claimsWait = async (): Promise<boolean> => {
  const waiting = await orders.customers.dataSource.query<object[]>(
    `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
  );
  return waiting.length > 0;
};

describe('a new order', () => {
  test('is readable while it is provisional, told when it is confirmed, once', async () => {
    const ids = redemption();
    const order = draftOf(ids.redemption_id, { source_id: 'order-1' });
    expect(await orders.claim(ids, order)).toEqual({ claim_id: ids.claim_id, granted: { order } });
    expect((await orders.load({ source_id: 'order-1' })).order).toEqual(order);
    expect(await orders.customers.port.loadOrders(requestContext(), { ids: [order.id] })).toEqual([order]);
    expect(await orders.eventsOf(order.id)).toEqual([]);

    orders.record(ids);
    await orders.settle(ids, order.id);
    await orders.settle(ids, order.id);
    expect(await orders.eventsOf(order.id)).toEqual(['OrderCreated', 'OrderPaid']);
    expect((await orders.load({ id: order.id })).order).toEqual(order);
  });

  test('its events belong to the request that claimed it, not to the one that settled it', async () => {
    const { ids, order } = await orders.storedOrder();
    const [created] = await orders.customers.eventStore.readStream('order', 'proj_1', order.id);
    expect(created?.metadata).toMatchObject({
      correlation_id: `v-${ids.redemption_id}`,
      api_key_id: 'app_1',
    });
  });

  test('is gone when its redemption is abandoned, and its source id is free again', async () => {
    const ids = redemption();
    const order = draftOf(ids.redemption_id, { source_id: 'order-2' });
    await orders.claim(ids, order);
    orders.abandon(ids);
    await orders.settle(ids, order.id);
    await orders.settle(ids, order.id);
    expect(await orders.customers.port.loadOrder(requestContext(), { source_id: 'order-2' })).toBeNull();
    expect(await orders.customers.port.loadOrder(requestContext(), { id: order.id })).toMatchObject({
      refused: 'not_found',
    });
    const next = redemption();
    expect(await orders.claim(next, draftOf(next.redemption_id, { source_id: 'order-2' }))).toHaveProperty(
      'granted',
    );
  });

  test('status CREATED tells no status', async () => {
    const { order } = await orders.storedOrder({ status: 'CREATED' });
    expect(await orders.eventsOf(order.id)).toEqual(['OrderCreated']);
  });
});

claimsSuite('orders', () =>
  Promise.resolve({
    participant: orders.customers.port,
    loop: orders.customers.claims.loop,
    coordinator: orders.customers.coordinator,
    dataSource: orders.customers.dataSource,
    table: 'order_claims',
    atOnce: 1,
    refusedWhenTaken: 'multiple_requests',
    context: () => ({ ...requestContext(), deadlineAt: Date.now() + 10_000 }),
    objectFor: async () => (await orders.storedOrder()).order.id,
    asks: async (id, redemptionId) => {
      const { order, version, after } = await orders.load({ id });
      const draft = draftOf(redemptionId, { stored: order });
      return { order: { order: draft, base_version: version, ...(after === undefined ? {} : { after }) } };
    },
    refund: ({ redemption_id, claim_id, object_id }) =>
      Promise.resolve({
        redemption_id,
        claim_id,
        object_id,
        rollback_id: `rr_${claim_id}`,
        order: {
          mode: 'WITHOUT_ORDER',
          rolled_back_at: '2026-04-01T10:00:00.000Z',
          difference: {},
        },
      }),
    taken: async (id) => {
      const { redemptions } = (await orders.load({ id })).order;
      return Object.values(redemptions).filter(({ rollback_id }) => rollback_id === undefined).length - 1;
    },
    lost: (state) => lostClaims(orders.customers.metrics, 'order', state),
  }),
);

test('a claim that comes after its abandonment is refused by every process', async () => {
  const ids = redemption();
  const order = draftOf(ids.redemption_id);
  orders.abandon(ids);
  await orders.settle(ids, order.id);
  for (const process of [orders.customers, orders.other]) {
    expect(await orders.claim(ids, order, { process })).toMatchObject({
      refusal: { refused: 'claim_abandoned' },
    });
  }
  expect(await orders.customers.port.loadOrder(requestContext(), { id: order.id })).toMatchObject({
    refused: 'not_found',
  });
});

test('an order too large to be told of is refused before anything is promised', async () => {
  const ids = redemption();
  const order = draftOf(ids.redemption_id, { metadata: { note: 'é'.repeat(orderBytesMax / 2) } });
  expect(await orders.claim(ids, order)).toEqual({
    claim_id: ids.claim_id,
    refusal: { refused: 'invalid_payload', details: 'Property .order cannot be larger than 600000 bytes' },
    facts: null,
  });
  expect(await orders.stateOf(ids)).toBeUndefined();
  const smaller = draftOf(ids.redemption_id, { metadata: { note: 'é'.repeat(orderBytesMax / 2 - 1_000) } });
  expect(await orders.claim(ids, smaller)).toHaveProperty('granted');
  orders.record(ids);
  await orders.settle(ids, smaller.id);
  expect(await orders.stateOf(ids)).toBe('CONFIRMED');
});

describe('a stored order', () => {
  test('shows the provisional change, keeps it when recorded, and loses it when abandoned', async () => {
    const { order, version } = await orders.storedOrder();
    const second = redemption();
    const draft = draftOf(second.redemption_id, { stored: order, amountOff: 50 });
    await orders.claim(second, draft, { baseVersion: version });
    expect((await orders.load({ id: order.id })).order.total_amount).toBe(850);
    orders.abandon(second);
    await orders.settle(second, order.id);
    expect(await orders.load({ id: order.id })).toEqual({ order, version });

    const third = redemption();
    await orders.claim(third, draftOf(third.redemption_id, { stored: order, amountOff: 30 }), {
      baseVersion: version,
    });
    orders.record(third);
    await orders.settle(third, order.id);
    expect((await orders.load({ id: order.id })).order.total_amount).toBe(870);
    expect(await orders.eventsOf(order.id)).toEqual(['OrderCreated', 'OrderPaid', 'OrderUpdated']);
  });

  test('that changed since it was loaded refuses the claim', async () => {
    const { order, version } = await orders.storedOrder();
    const [second, third] = [redemption(), redemption()];
    await orders.claim(second, draftOf(second.redemption_id, { stored: order }), { baseVersion: version });
    orders.record(second);
    await orders.settle(second, order.id);
    expect(
      await orders.claim(third, draftOf(third.redemption_id, { stored: order }), { baseVersion: version }),
    ).toEqual({
      claim_id: third.claim_id,
      refusal: {
        refused: 'multiple_requests',
        details: 'Order is in use by another request',
        resourceId: order.id,
        resourceType: 'order',
      },
      facts: null,
    });
    expect(await orders.eventsOf(order.id)).toHaveLength(3);
  });

  test('read while a change is provisional can be claimed only if that change stands', async () => {
    for (const recorded of [true, false]) {
      const { order, version } = await orders.storedOrder();
      const [second, third] = [redemption(), redemption()];
      await orders.claim(second, draftOf(second.redemption_id, { stored: order }), { baseVersion: version });
      const read = await orders.load({ id: order.id });
      if (recorded) orders.record(second);
      else orders.abandon(second);
      await orders.settle(second, order.id);
      const answer = await orders.claim(third, draftOf(third.redemption_id, { stored: read.order }), {
        baseVersion: read.version,
        after: read.after,
      });
      expect(answer).toHaveProperty(recorded ? 'granted' : 'refusal');
    }
  });

  test('read while a change is provisional cannot be claimed when another change has made the same version', async () => {
    const { order, version } = await orders.storedOrder();
    const [dropped, stands, late] = [redemption(), redemption(), redemption()];
    const draft = draftOf(dropped.redemption_id, { stored: order, amountOff: 50 });
    await orders.claim(dropped, draft, { baseVersion: version });
    const read = await orders.load({ id: order.id });
    orders.abandon(dropped);
    await orders.settle(dropped, order.id);
    const change = draftOf(stands.redemption_id, { stored: order, amountOff: 30 });
    await orders.claim(stands, change, { baseVersion: version });
    orders.record(stands);
    await orders.settle(stands, order.id);
    const stored = await orders.load({ id: order.id });
    expect(stored).toEqual({ order: change, version: read.version });

    const onDropped = draftOf(late.redemption_id, { stored: read.order, amountOff: 10 });
    expect(
      await orders.claim(late, onDropped, { baseVersion: read.version, after: read.after }),
    ).toMatchObject({ refusal: { refused: 'multiple_requests' } });
    expect(await orders.stateOf(late)).toBeUndefined();
    expect(await orders.load({ id: order.id })).toEqual(stored);
  });

  test('read while a change is provisional is refused at once when the change was dropped, whoever holds the order', async () => {
    const { order, version } = await orders.storedOrder();
    const [dropped, holder, late] = [redemption(), redemption(), redemption()];
    await orders.claim(dropped, draftOf(dropped.redemption_id, { stored: order }), { baseVersion: version });
    const read = await orders.load({ id: order.id });
    orders.abandon(dropped);
    await orders.settle(dropped, order.id);
    await orders.claim(holder, draftOf(holder.redemption_id, { stored: order }), { baseVersion: version });
    const verdictsRead = jest.spyOn(orders.customers.coordinator, 'readOutcomes');
    const answer = await orders.claim(late, draftOf(late.redemption_id, { stored: read.order }), {
      baseVersion: read.version,
      after: read.after,
    });
    expect(answer).toMatchObject({ refusal: { refused: 'multiple_requests' } });
    expect(verdictsRead).not.toHaveBeenCalled();
    verdictsRead.mockRestore();
    orders.abandon(holder);
    await orders.settle(holder, order.id);
  });
});

describe('who holds an order', () => {
  test('keeps others off its source id, and is confirmed when its verdict stands', async () => {
    const [first, second] = [redemption(), redemption()];
    await orders.claim(first, draftOf(first.redemption_id, { source_id: 'order-4' }));
    orders.record(first);
    const answer = await orders.claim(second, draftOf(second.redemption_id, { source_id: 'order-4' }), {
      process: orders.other,
    });
    expect(answer).toMatchObject({ refusal: { refused: 'multiple_requests' } });
    expect(orders.customers.coordinator.asked).not.toContain(first.redemption_id);
    expect(await orders.stateOf(first)).toBe('CONFIRMED');
    expect(await orders.stateOf(second)).toBeUndefined();
  });

  test('of 20 redemptions that load, claim, record and settle one order at once, no discount is lost', async () => {
    const { order } = await orders.storedOrder();
    const attempts = await Promise.all(
      Array.from({ length: 20 }, async (_, n) => {
        const process = n % 2 ? orders.other : orders.customers;
        const ids = redemption();
        const read = await orders.load({ id: order.id });
        const draft = draftOf(ids.redemption_id, { stored: read.order, amountOff: 10 });
        const { version: baseVersion, after } = read;
        const answer = await orders.claim(ids, draft, { baseVersion, after, process });
        if ('refusal' in answer || orders.customers.coordinator.outcomes.has(ids.redemption_id)) return false;
        orders.record(ids);
        await orders.settle(ids, order.id, process);
        return true;
      }),
    );
    const winners = attempts.filter(Boolean).length;
    const after = (await orders.load({ id: order.id })).order;
    expect(winners).toBeGreaterThan(0);
    expect(after.total_amount).toBe(900 - 10 * winners);
    expect(Object.keys(after.redemptions)).toHaveLength(1 + winners);
    expect((await orders.eventsOf(order.id)).length).toBe(2 + winners);
  });

  test('of 30 first redemptions of one source id at once exactly one order is stored', async () => {
    const attempts = await Promise.all(
      Array.from({ length: 30 }, async (_, n) => {
        const process = n % 2 ? orders.other : orders.customers;
        const ids = redemption();
        const order = draftOf(ids.redemption_id, { source_id: 'order-5' });
        const answer = await orders.claim(ids, order, { process });
        if ('refusal' in answer || orders.customers.coordinator.outcomes.has(ids.redemption_id)) return null;
        orders.record(ids);
        await orders.settle(ids, order.id, process);
        return order;
      }),
    );
    const winners = attempts.filter((order) => order !== null);
    expect(winners).toHaveLength(1);
    expect((await orders.load({ source_id: 'order-5' })).order).toEqual(winners[0]);
  });
});

test('a source id confirmed while a claim on it was waiting for another order is refused to that claim', async () => {
  const { order, version } = await orders.storedOrder();
  const [first, second, third] = [redemption(), redemption(), redemption()];
  const firstOrder = draftOf(first.redemption_id, { source_id: 'order-6' });
  await orders.claim(first, firstOrder);
  orders.record(first);
  const locker = orders.other.dataSource.createQueryRunner();
  await locker.startTransaction();
  await locker.query('SELECT 1 FROM orders WHERE id = $1 FOR UPDATE', [order.id]);
  // Claims of one moment share a statement: this one sees the world from before the confirmation below.
  const together = Promise.all([
    orders.claim(second, draftOf(second.redemption_id, { stored: order }), { baseVersion: version }),
    orders.claim(third, draftOf(third.redemption_id, { source_id: 'order-6' })),
  ]);
  await waitUntil(() => claimsWait(), { what: 'the claims to wait for the lock' });
  await orders.settle(first, firstOrder.id);
  await locker.rollbackTransaction();
  await locker.release();
  const [onStored, onTaken] = await together;
  expect(onStored).toHaveProperty('granted');
  expect(onTaken).toMatchObject({ refusal: { refused: 'multiple_requests' } });
});

test('claims on several orders lock them in the order of their ids', async () => {
  const [lesser, greater] = (await Promise.all([orders.storedOrder(), orders.storedOrder()])).sort((a, b) =>
    a.order.id < b.order.id ? -1 : 1,
  ) as [StoredOrder, StoredOrder];
  const { dataSource } = orders.customers;
  const locker = orders.other.dataSource.createQueryRunner();
  await locker.startTransaction();
  await locker.query('SELECT 1 FROM orders WHERE id = $1 FOR UPDATE', [lesser.order.id]);
  const [first, second] = [redemption(), redemption()];
  const together = Promise.all([
    orders.claim(first, draftOf(first.redemption_id, { stored: greater.order }), {
      baseVersion: greater.version,
    }),
    orders.claim(second, draftOf(second.redemption_id, { stored: lesser.order }), {
      baseVersion: lesser.version,
    }),
  ]);
  await waitUntil(() => claimsWait(), { what: 'the claims to wait for the lock' });
  const unlocked = await dataSource.query<object[]>(
    'SELECT 1 FROM orders WHERE id = $1 FOR UPDATE SKIP LOCKED',
    [greater.order.id],
  );
  await locker.rollbackTransaction();
  await locker.release();
  expect(await together).toMatchObject([{ granted: {} }, { granted: {} }]);
  expect(unlocked).toHaveLength(1);
});

test('a claim is not kept from its order by the claim that it replaces', async () => {
  const { order, version } = await orders.storedOrder();
  const lost = redemption();
  const draft = draftOf(lost.redemption_id, { stored: order });
  await orders.claim(lost, draft, { baseVersion: version });
  const { dataSource } = orders.customers;
  const none = null as never;
  const effect = new OrderEffect(new OrderClaimTable(dataSource), new OrderReads(dataSource), none, none);
  const asks = { order: { order: draft, base_version: version } };
  const again = { ...lost, claim_id: 'clm_again', object_id: order.id, asks, replaces: [lost.claim_id] };
  expect(await effect.contention(requestContext(), again)).toEqual({ now: 'free' });
  expect(await effect.contention(requestContext(), { ...again, replaces: [] })).toMatchObject({
    now: 'held',
    by: [lost],
  });

  const newOrder = redemption();
  const created = draftOf(newOrder.redemption_id, { source_id: 'order-8' });
  await orders.claim(newOrder, created);
  const createdAgain = {
    ...newOrder,
    claim_id: 'clm_created_again',
    object_id: created.id,
    asks: { order: { order: created, base_version: null } },
    replaces: [newOrder.claim_id],
  };
  expect(await effect.contention(requestContext(), createdAgain)).toEqual({ now: 'free' });
});

test('a source id of a stored order is taken, whoever made the order', async () => {
  const { ids } = await orders.storedOrder({ source_id: 'order-7' });
  await orders.customers.dataSource.query('DELETE FROM order_claims WHERE claim_id = $1', [ids.claim_id]);
  const next = redemption();
  expect(await orders.claim(next, draftOf(next.redemption_id, { source_id: 'order-7' }))).toMatchObject({
    refusal: { refused: 'multiple_requests' },
  });
});

test('folding the events gives the stored state', async () => {
  expect(await orders.customers.eventStore.verifyState()).toEqual([]);
});
