import type { StoredOrder } from '@scrip/contracts/customers';
import { waitUntil } from '@scrip/testing';
import type { Discount } from '@scrip/order-calculation';
import { draftOf, requestContext } from '../customers.fixture';
import { type Redemption, redemption, startOrders } from './orders.fixture';

let orders: Awaited<ReturnType<typeof startOrders>>;

beforeAll(async () => {
  orders = await startOrders('order_refund');
});

afterAll(() => orders.customers.stop());

describe('rolling back (reference 03 §9)', () => {
  const refund = async (
    { redemption_id, claim_id }: Redemption,
    orderId: string,
    rollback_id = `rr_${redemption_id}`,
  ) => {
    const order = {
      rolled_back_at: '2026-04-01T10:00:00.000Z',
      mode: 'WITH_ORDER' as const,
      difference: { discount_amount: 100 },
    };
    const claim = { redemption_id, claim_id, object_id: orderId, rollback_id, order };
    const [answer] = await orders.customers.port.refund(requestContext(), { claims: [claim] });
    return answer!;
  };

  test('takes the discounts off, cancels, and changes nothing when repeated', async () => {
    const { ids, order } = await orders.storedOrder();
    const answer = await refund(ids, order.id);
    expect(answer).toMatchObject({
      granted: { order: { status: 'CANCELED', amount: 1000, total_amount: 1000 } },
    });
    expect(await refund(ids, order.id)).toEqual(answer);
    expect(await orders.stateOf(ids)).toBe('REFUNDED');
    expect(await orders.eventsOf(order.id)).toEqual([
      'OrderCreated',
      'OrderPaid',
      'OrderUpdated',
      'OrderCanceled',
    ]);
    expect(await refund(ids, order.id, 'rr_other')).toMatchObject({
      refusal: { refused: 'already_rolled_back' },
    });
  });

  test('of a redemption still provisional asks first: recorded is confirmed and then refunded', async () => {
    const ids = redemption();
    const order = draftOf(ids.redemption_id);
    await orders.claim(ids, order);
    orders.record(ids);
    expect(await refund(ids, order.id)).toMatchObject({
      granted: { order: { status: 'CANCELED', total_amount: 1000 } },
    });
  });

  test('of a redemption still provisional asks first: an unrecorded one is abandoned, and nothing is refunded', async () => {
    const ids = redemption();
    const order = draftOf(ids.redemption_id);
    await orders.claim(ids, order);
    expect(await refund(ids, order.id)).toHaveProperty('refusal');
    expect(await orders.stateOf(ids)).toBe('REVERTED');
    expect(await orders.eventsOf(order.id)).toEqual([]);
  });

  test('settles whoever else holds the order before it changes it', async () => {
    const { ids, order, version } = await orders.storedOrder();
    const second = redemption();
    const draft = draftOf(second.redemption_id, { stored: order, amountOff: 50 });
    await orders.claim(second, draft, { baseVersion: version });
    orders.record(second);
    expect(await refund(ids, order.id)).toMatchObject({
      granted: { order: { total_amount: 950, total_discount_amount: 50 } },
    });
    expect(await orders.stateOf(second)).toBe('CONFIRMED');
  });

  test('racing with new redemptions of the order loses no discount and returns none twice', async () => {
    for (let round = 0; round < 10; round++) {
      const { ids, order, version } = await orders.storedOrder();
      const second = redemption();
      const draft = draftOf(second.redemption_id, { stored: order, amountOff: 50 });
      const redeem = async () => {
        const answer = await orders.claim(second, draft, { baseVersion: version, process: orders.other });
        if ('refusal' in answer || orders.customers.coordinator.outcomes.has(second.redemption_id))
          return false;
        orders.record(second);
        await orders.settle(second, order.id, orders.other);
        return true;
      };
      const [redeemed, refunded] = await Promise.all([redeem(), refund(ids, order.id)]);
      expect(refunded).toHaveProperty('granted');
      expect((await orders.load({ id: order.id })).order.total_discount_amount ?? 0).toBe(redeemed ? 50 : 0);
    }
  });
});

describe('redemptions of one order', () => {
  const drill = draftOf('r_none', { amountOff: 0 });
  const free: Discount = { type: 'UNIT', effect: 'ADD_NEW_ITEMS', unit_off: 1, unit_type: 'prod_charger' };
  const freed: Discount = { type: 'UNIT', effect: 'ADD_MISSING_ITEMS', unit_off: 1, unit_type: 'prod_1' };
  const off: Discount = { type: 'AMOUNT', effect: 'APPLY_TO_ITEMS_BY_QUANTITY', amount_off: 30 };
  const percent: Discount = { type: 'PERCENT', effect: 'APPLY_TO_ORDER', percent_off: 10 };

  const redeem = async (
    discount: Discount,
    before?: StoredOrder,
  ): Promise<Redemption & { orderId: string }> => {
    const ids = redemption();
    const draft = draftOf(ids.redemption_id, { discount, ...(before ? { stored: before.order } : {}) });
    const answer = await orders.claim(ids, draft, before ? { baseVersion: before.version } : {});
    expect(answer).not.toHaveProperty('refusal');
    orders.record(ids);
    await orders.settle(ids, draft.id);
    return { ...ids, orderId: draft.id };
  };

  const rollBack = async ({ redemption_id, claim_id }: Redemption, orderId: string) => {
    const order = {
      rolled_back_at: '2026-04-01T10:00:00.000Z',
      mode: 'WITH_ORDER' as const,
      // What the order itself says counts.
      difference: {},
    };
    const claim = { redemption_id, claim_id, object_id: orderId, rollback_id: `rr_${redemption_id}`, order };
    const [answer] = await orders.customers.port.refund(requestContext(), { claims: [claim] });
    return answer!;
  };

  test('an added unit leaves with its redemption', async () => {
    const { orderId, ...ids } = await redeem(free);
    expect((await orders.load({ id: orderId })).order.items).toHaveLength(2);
    await rollBack(ids, orderId);
    const { order } = await orders.load({ id: orderId });
    expect(order.items).toHaveLength(1);
    expect(order.redemptions[ids.redemption_id]).not.toHaveProperty('difference');
  });

  test.each([[[0, 1, 2, 3]], [[3, 2, 1, 0]], [[1, 3, 0, 2]], [[2, 0, 3, 1]]])(
    'rolled back as %j, the order ends as if nothing had been redeemed',
    async (turns) => {
      const first = await redeem(freed);
      const all = [first];
      for (const discount of [off, free, percent]) {
        all.push(await redeem(discount, await orders.load({ id: first.orderId })));
      }
      for (const turn of turns) {
        const { orderId, ...ids } = all[turn]!;
        expect(await rollBack(ids, orderId)).toHaveProperty('granted');
      }
      const { order } = await orders.load({ id: first.orderId });
      expect(order).toMatchObject({ amount: drill.amount, total_amount: drill.amount });
      expect(order.items).toEqual(drill.items);
      expect(order).not.toHaveProperty('total_discount_amount');
    },
  );
});

test('a claim waits for whoever is changing the order, and then sees that it has changed', async () => {
  const { order, version } = await orders.storedOrder();
  const { dataSource } = orders.customers;
  const changing = dataSource.createQueryRunner();
  await changing.startTransaction();
  try {
    await changing.query('UPDATE orders SET version = version + 1 WHERE id = $1', [order.id]);
    const ids = redemption();
    let answered = false;
    const claiming = orders
      .claim(ids, draftOf(ids.redemption_id, { stored: order }), {
        baseVersion: version,
        process: orders.other,
      })
      .finally(() => (answered = true));
    const waits = async () => {
      const rows = await dataSource.query<object[]>(
        `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'
           AND query LIKE '%INSERT INTO order_claims%'`,
      );
      return rows.length > 0;
    };
    await waitUntil(async () => answered || (await waits()), { what: 'the claim to wait for the order' });
    expect(answered).toBe(false);
    await changing.commitTransaction();
    expect(await claiming).toMatchObject({ refusal: { refused: 'multiple_requests' } });
    expect(await orders.stateOf(ids)).toBeUndefined();
  } finally {
    if (changing.isTransactionActive) await changing.rollbackTransaction();
    await changing.release();
  }
  await dataSource.query('UPDATE orders SET version = $2 WHERE id = $1', [order.id, version]);
});

test('folding the events gives the stored state', async () => {
  expect(await orders.customers.eventStore.verifyState()).toEqual([]);
});
