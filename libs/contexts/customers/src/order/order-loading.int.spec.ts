import { draftOf, requestContext } from '../customers.fixture';
import { redemption, startOrders } from './orders.fixture';

let orders: Awaited<ReturnType<typeof startOrders>>;

beforeAll(async () => {
  orders = await startOrders('order_loading');
});

afterAll(() => orders.customers.stop());

/** What a redemption reads before it claims. */
const loadToRedeem = (named: { id?: string; source_id?: string }) =>
  orders.customers.port.loadOrder(requestContext(), { ...named, settle: true });

/** An order stored at a version, and a draft of it that waits for its verdict. */
const withDraft = async () => {
  const { order, version } = await orders.storedOrder();
  const ids = redemption();
  const draft = draftOf(ids.redemption_id, { stored: order, amountOff: 50 });
  await orders.claim(ids, draft, { baseVersion: version });
  return { order, version, ids, draft };
};

const letPass = (claimId: string, seconds: number) =>
  orders.customers.dataSource.query(
    `UPDATE order_claims SET claimed_at = claimed_at - make_interval(secs => $2) WHERE claim_id = $1`,
    [claimId, seconds],
  );

describe('an order that is loaded to be redeemed', () => {
  test('is shown without the draft of an abandoned redemption, and can be claimed', async () => {
    const { order, version, ids } = await withDraft();
    orders.abandon(ids);
    const read = await loadToRedeem({ id: order.id });
    expect(read).toEqual({ order, version });
    expect(await orders.stateOf(ids)).toBe('REVERTED');
    const next = redemption();
    const draft = draftOf(next.redemption_id, { stored: order });
    expect(await orders.claim(next, draft, { baseVersion: version })).toHaveProperty('granted');
  });

  test('is not there when only an abandoned redemption made it', async () => {
    const ids = redemption();
    const order = draftOf(ids.redemption_id, { source_id: 'order-abandoned' });
    await orders.claim(ids, order);
    orders.abandon(ids);
    expect(await loadToRedeem({ source_id: 'order-abandoned' })).toBeNull();
    expect(await loadToRedeem({ id: order.id })).toMatchObject({ refused: 'not_found' });
  });

  test('is confirmed first when its redemption is recorded', async () => {
    const { order, version, ids, draft } = await withDraft();
    orders.record(ids);
    expect(await loadToRedeem({ id: order.id })).toEqual({ order: draft, version: version + 1 });
    expect(await orders.stateOf(ids)).toBe('CONFIRMED');
  });

  test('is shown with the draft of a young redemption, which is left alone', async () => {
    const { order, version, ids, draft } = await withDraft();
    await letPass(ids.claim_id, -3_600); // young, however long the machine takes
    expect(await loadToRedeem({ id: order.id })).toEqual({
      order: draft,
      version: version + 1,
      after: ids.claim_id,
    });
    expect(orders.customers.coordinator.asked).not.toContain(ids.redemption_id);
    expect(await orders.stateOf(ids)).toBe('PROVISIONAL');
  });

  test('loses the draft of a redemption that is too old to be under way', async () => {
    const { order, version, ids } = await withDraft();
    await letPass(ids.claim_id, 10);
    expect(await loadToRedeem({ id: order.id })).toEqual({ order, version });
    expect(orders.customers.coordinator.outcomes.get(ids.redemption_id)?.verdict).toBe('ABANDONED');
  });
});

test('an order that is only looked at shows its draft, whatever its verdict', async () => {
  const { order, ids, draft } = await withDraft();
  orders.abandon(ids);
  expect(await orders.load({ id: order.id })).toMatchObject({ order: draft });
  expect(await orders.stateOf(ids)).toBe('PROVISIONAL');
});
