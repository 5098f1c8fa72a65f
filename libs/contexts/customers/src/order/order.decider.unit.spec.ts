import type { OrderEvent, OrderSnapshot, OrderStatus } from '@scrip/contracts/customers';
import { givenFor } from '@scrip/testing';
import { changeOrder } from './order-change';
import { type OrderCommand, decideOrder, evolveOrder } from './order.decider';
import { plainOrder, twoUnits } from './order.fixture';

const order: OrderSnapshot = {
  ...plainOrder,
  discount_amount: 150,
  items_discount_amount: 40,
  total_discount_amount: 190,
  total_amount: 810,
  applied_discount_amount: 100,
  items_applied_discount_amount: 40,
  total_applied_discount_amount: 140,
  items: [{ ...twoUnits, discount_amount: 40, applied_discount_amount: 40, subtotal_amount: 960 }],
  redemptions: {
    r_1: {
      date: '2026-03-31T10:00:00.000Z',
      related_object_type: 'redemption',
      related_object_id: 'r_1',
      related_object_parent_id: null,
      stacked: ['r_2', 'r_3'],
    },
  },
};

describe('what is told of a change (reference 07 §5)', () => {
  const from = (status: OrderStatus): OrderSnapshot => ({ ...order, status });

  test.each<[OrderStatus | null, OrderStatus, OrderEvent['type'][]]>([
    [null, 'CREATED', ['OrderCreated']],
    [null, 'PAID', ['OrderCreated', 'OrderPaid']],
    [null, 'CANCELED', ['OrderCreated', 'OrderCanceled']],
    [null, 'FULFILLED', ['OrderCreated', 'OrderFulfilled']],
    ['CREATED', 'PAID', ['OrderUpdated', 'OrderPaid']],
    ['PAID', 'PAID', ['OrderUpdated']],
    ['PAID', 'FULFILLED', ['OrderUpdated', 'OrderFulfilled']],
    ['FULFILLED', 'CANCELED', ['OrderUpdated', 'OrderCanceled']],
    ['CANCELED', 'CREATED', ['OrderUpdated']],
  ])('%s → %s', (before, after, types) => {
    const events = changeOrder(before === null ? undefined : from(before), from(after));
    expect(events.map(({ type }) => type)).toEqual(types);
    const [change, status] = events.map(({ data }) => data);
    expect(change).toEqual({ order: from(after) });
    expect(status).toEqual(types.length === 1 ? undefined : { order_id: 'ord_1', status: after });
    expect(events.reduce<OrderSnapshot | undefined>(evolveOrder, undefined)).toEqual(from(after));
  });
});

describe('a rollback (reference 03 §9)', () => {
  const given = givenFor<OrderCommand, OrderSnapshot | undefined, OrderEvent>({
    decide: decideOrder,
    evolve: evolveOrder,
    initialState: order,
  });

  const refund: OrderCommand = {
    type: 'RefundOrder',
    order_id: 'ord_1',
    redemption_id: 'r_1',
    rollback_id: 'rr_1',
    rolled_back_at: '2026-04-01T10:00:00.000Z',
    rollback_stacked: ['rr_2', 'rr_3'],
    mode: 'WITH_ORDER',
    difference: { discount_amount: 100, items: [{ index: 0, discount_amount: 40 }] },
  };

  const noted = {
    r_1: {
      ...order.redemptions.r_1!,
      rollback_id: 'rr_1',
      rollback_date: '2026-04-01T10:00:00.000Z',
      rollback_stacked: ['rr_2', 'rr_3'],
    },
  };

  const canceled: OrderSnapshot = {
    ...plainOrder,
    status: 'CANCELED',
    discount_amount: 50,
    total_discount_amount: 50,
    total_amount: 950,
    redemptions: noted,
    updated_at: '2026-04-01T10:00:00.000Z',
  };

  test('WITH_ORDER takes exactly its own discounts off and cancels the order', () => {
    given()
      .when(refund)
      .then(
        { type: 'OrderUpdated', data: { order: canceled } },
        { type: 'OrderCanceled', data: { order_id: 'ord_1', status: 'CANCELED' } },
      );
  });

  test('WITHOUT_ORDER leaves amounts and status alone and notes the rollback', () => {
    given()
      .when({ ...refund, mode: 'WITHOUT_ORDER' })
      .then({
        type: 'OrderUpdated',
        data: { order: { ...order, redemptions: noted, updated_at: '2026-04-01T10:00:00.000Z' } },
      });
  });

  test('of a canceled order is no second cancellation', () => {
    given({ type: 'OrderCanceled', data: { order_id: 'ord_1', status: 'CANCELED' } })
      .when(refund)
      .then({ type: 'OrderUpdated', data: { order: canceled } });
  });

  test('repeated tells nothing', () => {
    given({ type: 'OrderUpdated', data: { order: canceled } })
      .when(refund)
      .then();
  });

  test('under another id is refused', () => {
    given({ type: 'OrderUpdated', data: { order: canceled } })
      .when({ ...refund, rollback_id: 'rr_9' })
      .thenRefused('already_rolled_back');
  });

  test('of a redemption that never touched the order is refused', () => {
    given()
      .when({ ...refund, redemption_id: 'r_9' })
      .thenRefused('invalid_order', { details: 'Order is not related with redemption.' });
  });

  const ref = (referrer_id: string, hour: string, more: object = {}) => ({
    ...{ ...order.redemptions.r_1!, date: `2026-03-31T${hour}:00:00.000Z`, referrer_id, difference: {} },
    ...more,
  });

  test.each<[string, OrderSnapshot['redemptions'], string | null, string | null]>([
    ['that its code set goes', { r_1: ref('cust_a', '10') }, 'cust_a', null],
    [
      'of its code is followed by whom the earliest other code names',
      { r_3: ref('cust_c', '12'), r_2: ref('cust_b', '11'), r_1: ref('cust_a', '10') },
      ...(['cust_a', 'cust_b'] as const),
    ],
    [
      'is not whom a code that was rolled back names',
      { r_2: ref('cust_b', '11', { rollback_id: 'rr_5' }), r_1: ref('cust_a', '10') },
      ...(['cust_a', null] as const),
    ],
    ['that was named since stays', { r_1: ref('cust_a', '10') }, 'cust_hand', 'cust_hand'],
    ['that no code named stays', { r_1: { ...order.redemptions.r_1! } }, 'cust_hand', 'cust_hand'],
  ])('the referrer %s', (_, redemptions, referrer_id, left) => {
    const before = { ...order, referrer_id, redemptions };
    const end = decideOrder(refund, before);
    if (!Array.isArray(end)) throw new Error(end.refused);
    const after = end.reduce<OrderSnapshot | undefined>(evolveOrder, before);
    expect(after?.referrer_id).toBe(left);
    expect(after?.redemptions.r_1).not.toHaveProperty('referrer_id');
  });

  test('takes exactly its own part off where the order says what each redemption did', () => {
    const line = { index: 0, discount_amount: 40 };
    const [r_1, r_2] = [
      { ...order.redemptions.r_1!, difference: { discount_amount: 100 } },
      { ...order.redemptions.r_1!, difference: { discount_amount: 50, items: [line] } },
    ];
    given({ type: 'OrderUpdated', data: { order: { ...order, redemptions: { r_1, r_2 } } } })
      .when({ ...refund, difference: { discount_amount: 150, items: [line] } })
      .thenState({
        ...order,
        status: 'CANCELED',
        discount_amount: 50,
        total_discount_amount: 90,
        total_amount: 910,
        applied_discount_amount: undefined,
        items_applied_discount_amount: undefined,
        total_applied_discount_amount: undefined,
        items: [{ ...order.items[0]!, applied_discount_amount: undefined }],
        redemptions: { r_1: noted.r_1, r_2 },
        updated_at: '2026-04-01T10:00:00.000Z',
      } as unknown as OrderSnapshot);
  });

  test('never takes off more than is there', () => {
    given()
      .when({
        ...refund,
        difference: {
          discount_amount: 1000,
          items: [
            { index: 0, discount_amount: 1000 },
            { index: 1, discount_amount: 5 },
          ],
        },
      })
      .thenState(
        (({ discount_amount: _, total_discount_amount: __, ...rest }) => ({ ...rest, total_amount: 1000 }))(
          canceled,
        ),
      );
  });

  test('needs a stored order', () => {
    expect(decideOrder(refund, undefined)).toMatchObject({ refused: 'not_found', resourceId: 'ord_1' });
  });
});
