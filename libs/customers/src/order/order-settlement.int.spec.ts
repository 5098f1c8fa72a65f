import { draftOf, requestContext } from '../customers.fixture';
import { type Redemption, redemption, startOrders } from './orders.fixture';

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
  const outcomes = all.map((ids, n) => (n === 7 ? orders.abandon(ids) : orders.record(ids)));
  await orders.settle(all[3]!, drafts[3]!.id);
  const claims = all.map((ids, n) => ({ ...ids, order_id: drafts[n]!.id }));
  await Promise.all([
    orders.customers.port.settle(requestContext(), { outcomes, claims }),
    orders.other.port.settle(requestContext(), { outcomes, claims }),
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
    `UPDATE order_claims SET draft = draft - 'created_at' WHERE claim_id = $1`,
    [bad.claim_id],
  );
  const outcomes = [orders.record(bad), orders.record(good)];
  const claims = [
    { ...bad, order_id: badOrder.id },
    { ...good, order_id: goodOrder.id },
  ];
  await expect(orders.customers.port.settle(requestContext(), { outcomes, claims })).rejects.toThrow(
    'created_at',
  );
  expect([await orders.stateOf(bad), await orders.stateOf(good)]).toEqual(['PROVISIONAL', 'CONFIRMED']);
  await orders.customers.dataSource.query('DELETE FROM order_claims WHERE claim_id = $1', [bad.claim_id]);
});

describe('the settlement loop (architecture §8.4)', () => {
  const age = (ids: Redemption, seconds: number) =>
    orders.customers.dataSource.query(
      `UPDATE order_claims SET claimed_at = now() - make_interval(secs => $2) WHERE claim_id = $1`,
      [ids.claim_id, seconds],
    );

  test('abandons what nobody recorded in 30 s, leaves younger claims alone, and confirms what is recorded', async () => {
    const [dead, young, forgotten] = [redemption(), redemption(), redemption()];
    for (const ids of [dead, young, forgotten]) await orders.claim(ids, draftOf(ids.redemption_id));
    await age(dead, 31);
    await age(young, 29);
    await age(forgotten, 5);
    orders.record(forgotten);
    await orders.customers.loop.settleAll();
    expect([
      await orders.stateOf(dead),
      await orders.stateOf(young),
      await orders.stateOf(forgotten),
    ]).toEqual(['REVERTED', 'PROVISIONAL', 'CONFIRMED']);
    expect(orders.customers.coordinator.asked).toContain(dead.redemption_id);
    expect(orders.customers.coordinator.asked).not.toContain(young.redemption_id);
  });
});

test('folding the events gives the stored state', async () => {
  expect(await orders.customers.eventStore.verifyState()).toEqual([]);
});
