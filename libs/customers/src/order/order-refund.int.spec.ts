import { waitUntil } from '@scrip/testing';
import { draftOf, requestContext } from '../customers.fixture';
import { type Redemption, redemption, startOrders } from './orders.fixture';

let orders: Awaited<ReturnType<typeof startOrders>>;

beforeAll(async () => {
  orders = await startOrders('order_refund');
});

afterAll(() => orders.customers.stop());

describe('rolling back (spec 03 §9)', () => {
  const refund = (ids: Redemption, orderId: string, fields: object = {}) =>
    orders.customers.port.refundOrder(requestContext(), {
      ...ids,
      order_id: orderId,
      rollback_id: `rr_${ids.redemption_id}`,
      rolled_back_at: '2026-04-01T10:00:00.000Z',
      mode: 'WITH_ORDER',
      discount_amount: 100,
      items_discount_amounts: [],
      ...fields,
    });

  test('takes the discounts off, cancels, and changes nothing when repeated', async () => {
    const { ids, order } = await orders.storedOrder();
    const answer = await refund(ids, order.id);
    expect(answer).toMatchObject({ order: { status: 'CANCELED', amount: 1000, total_amount: 1000 } });
    expect(await refund(ids, order.id)).toEqual(answer);
    expect(await orders.stateOf(ids)).toBe('REFUNDED');
    expect(await orders.eventsOf(order.id)).toEqual([
      'OrderCreated',
      'OrderPaid',
      'OrderUpdated',
      'OrderCanceled',
    ]);
    expect(await refund(ids, order.id, { rollback_id: 'rr_other' })).toMatchObject({
      refusal: { refused: 'already_rolled_back' },
    });
  });

  test('of a redemption still provisional asks first: recorded is confirmed and then refunded', async () => {
    const ids = redemption();
    const order = draftOf(ids.redemption_id);
    await orders.claim(ids, order);
    orders.record(ids);
    expect(await refund(ids, order.id)).toMatchObject({ order: { status: 'CANCELED', total_amount: 1000 } });
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
      order: { total_amount: 950, total_discount_amount: 50 },
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
      expect(refunded).toHaveProperty('order');
      expect((await orders.load({ id: order.id })).order.total_discount_amount ?? 0).toBe(redeemed ? 50 : 0);
    }
  });
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
