import { Logger } from '@nestjs/common';
import { waitUntil } from '@scrip/testing';
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

describe('the settlement loop among claims that cannot be settled', () => {
  const strangers = (count: number) =>
    orders.customers.dataSource.query(
      `INSERT INTO order_claims (redemption_id, claim_id, project_id, order_id, state, draft, context, claimed_at)
       SELECT 'r_stuck' || n, 'clm_stuck' || n, 'proj_2', 'ord_stuck' || n, 'PROVISIONAL', '{}', $2::jsonb,
         now() - interval '1 hour' FROM generate_series(1, $1::int) n`,
      [count, JSON.stringify(requestContext('v-2', 'proj_2'))],
    );
  const refuseStrangers = () => {
    const { resolveOutcomes } = orders.customers.coordinator;
    return jest
      .spyOn(orders.customers.coordinator, 'resolveOutcomes')
      .mockImplementation((context, request) =>
        context.project.id === 'proj_2'
          ? Promise.reject(new Error('nobody knows proj_2'))
          : resolveOutcomes.call(orders.customers.coordinator, context, request),
      );
  };
  const overdue = async (): Promise<Redemption> => {
    const ids = redemption();
    await orders.claim(ids, draftOf(ids.redemption_id));
    await orders.customers.dataSource.query(
      `UPDATE order_claims SET claimed_at = now() - interval '31 s' WHERE claim_id = $1`,
      [ids.claim_id],
    );
    return ids;
  };

  afterEach(async () => {
    jest.restoreAllMocks();
    await orders.customers.dataSource.query(`DELETE FROM order_claims WHERE project_id = 'proj_2'`);
  });

  test('settles others of the same page and of the pages behind it, and tells of the failure', async () => {
    await strangers(999);
    const [samePage, nextPage] = [await overdue(), await overdue()];
    refuseStrangers();
    await expect(orders.customers.loop.settleAll()).rejects.toThrow('nobody knows proj_2');
    expect([await orders.stateOf(samePage), await orders.stateOf(nextPage)]).toEqual([
      'REVERTED',
      'REVERTED',
    ]);
  });

  test('forgets old reverted claims all the same, however many', async () => {
    await strangers(1);
    await orders.customers.dataSource.query(
      `INSERT INTO order_claims (redemption_id, claim_id, project_id, order_id, state, claimed_at)
       SELECT 'r_old' || n, 'clm_old' || n, 'proj_1', 'ord_old' || n, 'REVERTED',
         now() - make_interval(days => CASE n WHEN 1 THEN 29 ELSE 31 END) FROM generate_series(1, 5002) n`,
    );
    const left = async (): Promise<string[]> => {
      const rows = await orders.customers.dataSource.query<{ claim_id: string }[]>(
        `SELECT claim_id FROM order_claims WHERE claim_id LIKE 'clm\\_old%'`,
      );
      return rows.map(({ claim_id }) => claim_id);
    };
    const asked = refuseStrangers();
    const warned = jest.spyOn(Logger.prototype, 'warn').mockImplementation();
    orders.customers.loop.onApplicationBootstrap();
    try {
      await waitUntil(async () => (await left()).length === 1, { what: 'the old claims to be forgotten' });
    } finally {
      await orders.customers.loop.onModuleDestroy();
    }
    expect(await left()).toEqual(['clm_old1']);
    expect(asked).toHaveBeenCalled();
    expect(warned).toHaveBeenCalledWith(expect.stringContaining('nobody knows proj_2'));
  });
});

test('folding the events gives the stored state', async () => {
  expect(await orders.customers.eventStore.verifyState()).toEqual([]);
});
