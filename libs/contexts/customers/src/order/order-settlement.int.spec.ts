import { randomBytes } from 'node:crypto';
import { draftOf, requestContext } from '../customers.fixture';
import { OrderClaimTable } from './order-claim.table';
import { losingNextCommit } from './lost-commit.fixture';
import { changeOrder } from './order-change';
import { orderAggregate } from './order.aggregate';
import { redemption, startOrders } from './orders.fixture';

let orders: Awaited<ReturnType<typeof startOrders>>;

beforeAll(async () => {
  orders = await startOrders('order_settlement');
});

afterAll(() => orders.customers.stop());

test('a batch of 256 verdicts, some settled already, one abandoned, is carried out whole', async () => {
  const all = Array.from({ length: 256 }, () => redemption());
  const drafts = await Promise.all(
    all.map(async (ids) => {
      const order = draftOf(ids.redemption_id);
      await orders.claim(ids, order);
      return order;
    }),
  );
  all.forEach((ids, n) => (n === 7 ? orders.abandon(ids) : orders.record(ids)));
  await orders.settle(all[3]!, drafts[3]!.id);
  const verdicts = all.map((ids, n) => orders.verdictOn(ids, drafts[n]!.id));
  await Promise.all([
    orders.customers.port.settle(requestContext(), { verdicts }),
    orders.other.port.settle(requestContext(), { verdicts }),
  ]);
  expect(await Promise.all(all.map(orders.stateOf))).toEqual(
    all.map((_, n) => (n === 7 ? 'REVERTED' : 'CONFIRMED')),
  );
  expect(await orders.eventsOf(drafts[200]!.id)).toEqual(['OrderCreated', 'OrderPaid']);
  expect(await orders.eventsOf(drafts[3]!.id)).toEqual(['OrderCreated', 'OrderPaid']);
  expect(await orders.eventsOf(drafts[7]!.id)).toEqual([]);
});

test('a claim that cannot be confirmed stops none of its batch', async () => {
  const [bad, good] = [redemption(), redemption()];
  const [badOrder, goodOrder] = [draftOf(bad.redemption_id), draftOf(good.redemption_id)];
  await orders.claim(bad, badOrder);
  await orders.claim(good, goodOrder);
  await orders.customers.dataSource.query(
    `UPDATE order_claims SET kept = kept - 'created_at' WHERE claim_id = $1`,
    [bad.claim_id],
  );
  orders.record(bad);
  orders.record(good);
  const verdicts = [orders.verdictOn(bad, badOrder.id), orders.verdictOn(good, goodOrder.id)];
  await expect(orders.customers.port.settle(requestContext(), { verdicts })).rejects.toThrow('created_at');
  expect([await orders.stateOf(bad), await orders.stateOf(good)]).toEqual(['PROVISIONAL', 'CONFIRMED']);
  await orders.customers.dataSource.query('DELETE FROM order_claims WHERE claim_id = $1', [bad.claim_id]);
});

test('what a writer that does not look for a holder wrote is not overwritten', async () => {
  const { order, version } = await orders.storedOrder();
  const ids = redemption();
  await orders.claim(ids, draftOf(ids.redemption_id, { stored: order }), { baseVersion: version });
  const written = { ...order, metadata: { gift: true } };
  await orders.other.eventStore.aggregate(orderAggregate).execute({
    context: requestContext(),
    streamId: order.id,
    decide: () => ({ events: changeOrder(order, written), answer: null }),
  });
  orders.record(ids);
  await expect(orders.settle(ids, order.id)).rejects.toThrow(`changed to version ${version + 1}`);
  expect(await orders.stateOf(ids)).toBe('PROVISIONAL');
  expect(await orders.eventsOf(order.id)).toHaveLength(version + 1);
  await orders.customers.dataSource.query('DELETE FROM order_claims WHERE claim_id = $1', [ids.claim_id]);
  expect((await orders.load({ id: order.id })).order).toEqual(written);
});

test('a claim is confirmed although the order changed its version because a refund lost its commit', async () => {
  const { order, version, ids: first } = await orders.storedOrder();
  const second = redemption();
  const draft = draftOf(second.redemption_id, { stored: order, amountOff: 50 });
  // The claim waits for the lock of the refund, which ends with its connection, before its commit is given up.
  const lost = losingNextCommit(async () => {
    const answer = await orders.claim(second, draft, { baseVersion: version, process: orders.other });
    expect(answer).toHaveProperty('granted');
    orders.record(second);
  });
  const { redemption_id, claim_id } = first;
  const [refunded] = await orders.customers.port.refund(requestContext(), {
    claims: [
      {
        redemption_id,
        claim_id,
        object_id: order.id,
        rollback_id: 'rr_1',
        order: { mode: 'WITH_ORDER', rolled_back_at: '2026-04-01T10:00:00.000Z', difference: {} },
      },
    ],
  });
  expect(lost()).toBe(1);
  expect(refunded).toMatchObject({ granted: { order: { total_discount_amount: 50, total_amount: 950 } } });
  expect([await orders.stateOf(first), await orders.stateOf(second)]).toEqual(['REFUNDED', 'CONFIRMED']);
});

test('confirms 40 of the largest orders, of which not all may be in memory together', async () => {
  const all = Array.from({ length: 40 }, () => redemption());
  const verdicts = await Promise.all(
    all.map(async (ids) => {
      const note = randomBytes(60_000).toString('base64');
      const order = draftOf(ids.redemption_id, { metadata: { note } });
      await orders.claim(ids, order);
      orders.record(ids);
      return orders.verdictOn(ids, order.id);
    }),
  );
  const reads = jest.spyOn(OrderClaimTable.prototype, 'provisional');
  await orders.customers.port.settle(requestContext(), { verdicts });
  const pages = await Promise.all(reads.mock.results.map(({ value }) => value as Promise<object[]>));
  reads.mockRestore();
  expect(pages.every((page) => JSON.stringify(page).length < 2_000_000)).toBe(true);
  expect(pages.length).toBeGreaterThan(2);
  expect(await Promise.all(all.map(orders.stateOf))).toEqual(all.map(() => 'CONFIRMED'));
});

test('folding the events gives the stored state', async () => {
  expect(await orders.customers.eventStore.verifyState()).toEqual([]);
});
