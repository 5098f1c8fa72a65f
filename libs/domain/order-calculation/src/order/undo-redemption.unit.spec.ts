import {
  amount,
  cart,
  fixed,
  including,
  item,
  percent,
  products,
  redeemables,
  units,
  voucher,
} from '../calculation.fixture';
import { orderView } from './order-state';
import { lasting, redeemed, undone } from './redeemed.fixture';
import { undoRedemption } from './undo-redemption';

const records = {
  products: [
    { id: 'drill', price: 10_000 },
    { id: 'charger', price: 3_500 },
    { id: 'mug', price: 1_000 },
    { id: 'jug', price: 1_500 },
    { id: 'vase', price: 4_000 },
  ],
};
const drill = { items: [{ product_id: 'drill' }] };
const charger = [voucher('FREE', { discount: units('ADD_NEW_ITEMS', 1, 'charger') })];
const upgrade = (id: string, from: string, to: string) =>
  voucher(
    id,
    { discount: units('REPLACE_ITEMS', 1, to) },
    { scope: { included: [{ object: 'product', id: from }], excluded: [], included_all: false } },
  );
const untouched = (sent: Parameters<typeof cart>[0]) => {
  const state = cart(sent, { records });
  return orderView(state, state);
};
const figures = ({
  order,
}: {
  order: { amount?: number; total_amount?: number; items: { quantity: number }[] };
}) => [order.amount, order.total_amount, order.items.map(({ quantity }) => quantity)];

describe('rolling one redemption back (reference 03 §9)', () => {
  test('takes an added unit back: a drill of 10000 with a free charger costs 10000 again, without it', () => {
    const given = redeemed(null, 'r_1', charger, drill, records);
    expect(figures(given)).toEqual([13_500, 10_000, [1, 1]]);
    expect(undone(given, 'r_1')).toEqual({ order: untouched(drill), differences: {} });
  });

  test('takes exactly its own units off a line that the customer pays too', () => {
    const sent = { items: [item('mug', 1_000, 2)] };
    const given = redeemed(null, 'r_1', [voucher('A', { discount: units('ADD_NEW_ITEMS', 3, 'mug') })], sent);
    const both = redeemed(given, 'r_2', redeemables(percent(10, { effect: 'APPLY_TO_ITEMS' })));
    expect(figures(both)).toEqual([5_000, 1_800, [5]]);
    expect(figures(undone(both, 'r_1'))).toEqual([2_000, 1_800, [2]]);
  });

  test('leaves what another redemption took after the items were sent again: 200 per line, not 0', () => {
    const sent = { items: [item('mug', 1_000), item('jug', 1_500)] };
    const first = redeemed(
      null,
      'r_1',
      redeemables(amount(300, { effect: 'APPLY_TO_ITEMS' })),
      sent,
      records,
    );
    const second = redeemed(
      first,
      'r_2',
      redeemables(amount(200, { effect: 'APPLY_TO_ITEMS' })),
      sent,
      records,
    );
    const left = undone(second, 'r_1');
    expect(left.order.items.map((line) => line.discount_amount)).toEqual([200, 200]);
    expect(left.differences).toEqual(second.differences.r_2 && { r_2: second.differences.r_2 });
    expect(lasting(undone(left, 'r_2').order)).toEqual(untouched(sent));
  });

  test('keeps an order-level discount of a redemption whose items were sent again', () => {
    const sent = { items: [item('mug', 1_000)] };
    const first = redeemed(
      null,
      'r_1',
      redeemables(amount(100), amount(50, { effect: 'APPLY_TO_ITEMS' })),
      sent,
    );
    const second = redeemed(first, 'r_2', redeemables(amount(30)), sent);
    expect(second.order).toMatchObject({ discount_amount: 130, total_amount: 870 });
    expect(undone(second, 'r_1').order).toMatchObject({ discount_amount: 30, total_amount: 970 });
  });

  test('an upgrade gives the replaced unit back', () => {
    const sent = { items: [item('mug', 1_000, 3)] };
    const upgraded = redeemed(null, 'r_1', [upgrade('U', 'mug', 'jug')], sent, records);
    expect(figures(upgraded)).toEqual([4_500, 3_000, [0, 3]]);
    expect(undone(upgraded, 'r_1').order).toEqual(untouched(sent));
  });

  test('an upgrade of what an upgrade gave goes with it: nobody owes for a unit nobody bought', () => {
    const sent = { items: [item('mug', 1_000)] };
    const first = redeemed(null, 'r_1', [upgrade('U', 'mug', 'jug')], sent, records);
    const second = redeemed(first, 'r_2', [upgrade('V', 'jug', 'vase')], {}, records);
    expect(figures(second)).toEqual([4_000, 1_000, [0, 0, 1]]);
    const left = undone(second, 'r_1');
    expect(left.order).toEqual(untouched(sent));
    expect(left.differences).toEqual({ r_2: {} });
    expect(figures(undone(second, 'r_2'))).toEqual([1_500, 1_000, [0, 1]]);
  });

  test('a discount that moved to the upgraded unit leaves with the redemption that gave it', () => {
    const sent = { items: [item('mug', 1_000)] };
    const first = redeemed(null, 'r_1', redeemables(amount(400, { effect: 'APPLY_TO_ITEMS' })), sent);
    const second = redeemed(first, 'r_2', [upgrade('U', 'mug', 'jug')], {}, records);
    expect(second.order).toMatchObject({ amount: 1_500, total_amount: 600 });
    expect(undone(second, 'r_1').order).toMatchObject({ amount: 1_500, total_amount: 1_000 });
    expect(undone(second, 'r_2').order).toMatchObject({ amount: 1_000, total_amount: 600 });
  });

  test('units that an upgrade took from discounted ones leave with whichever redemption is undone first', () => {
    const sent = { items: [item('mug', 1_000)] };
    const off = [voucher('OFF', { discount: fixed(600) }, { scope: including(...products('mug')) })];
    const first = redeemed(null, 'r_1', off, sent, records);
    const second = redeemed(first, 'r_2', [upgrade('U', 'mug', 'jug')], {}, records);
    expect(undone(undone(second, 'r_1'), 'r_2').order).toEqual(untouched(sent));
    expect(undone(undone(second, 'r_2'), 'r_1').order).toEqual(untouched(sent));
  });

  test('a discount on units that leave with another redemption is cut, and never taken off twice', () => {
    const given = redeemed(null, 'r_1', charger, drill, records);
    const both = redeemed(given, 'r_2', redeemables(percent(100)), {}, records);
    expect(both.order.total_amount).toBe(0);
    const left = undone(both, 'r_1');
    expect(left.order).toMatchObject({ amount: 10_000, discount_amount: 10_000, total_amount: 0 });
    expect(undone(left, 'r_2').order).toEqual(untouched(drill));
  });

  test('a line that leaves moves those behind it: later redemptions still name theirs', () => {
    const given = redeemed(null, 'r_1', charger, drill, records);
    const second = redeemed(
      given,
      'r_2',
      [voucher('M', { discount: units('ADD_NEW_ITEMS', 2, 'mug') })],
      {},
      records,
    );
    const left = undone(second, 'r_1');
    expect(figures(left)).toEqual([12_000, 10_000, [1, 2]]);
    expect(left.differences.r_2?.items?.map(({ index }) => index)).toEqual([1]);
    expect(undone(left, 'r_2').order).toEqual(untouched(drill));
  });

  test('everything that is not calculated stays', () => {
    const { order, differences } = redeemed(null, 'r_1', redeemables(amount(100)), drill, records);
    const stored = { ...order, id: 'ord_1', metadata: { channel: 'web' } };
    expect(undoRedemption(stored, differences.r_1!, {}).order).toEqual({
      ...untouched(drill),
      id: 'ord_1',
      metadata: { channel: 'web' },
    });
  });
});

describe('a stored order calculated again (reference 01 §3)', () => {
  const sent = { items: [item('mug', 1_000, 3)] };
  const free = [voucher('M', { discount: units('ADD_MISSING_ITEMS', 1, 'mug') })];

  test('remembers which units of the customer are free: the next one costs 1000, not 1333', () => {
    const once = redeemed(null, 'r_1', free, sent);
    expect(once.order.items[0]).toMatchObject({ discount_amount: 1_000, discount_quantity: 1 });
    const twice = redeemed(once, 'r_2', free);
    expect(twice.order.items[0]).toMatchObject({
      discount_amount: 2_000,
      discount_quantity: 2,
      applied_discount_amount: 1_000,
      applied_discount_quantity: 1,
    });
  });

  test('frees them again when the redemption is rolled back', () => {
    const twice = redeemed(redeemed(null, 'r_1', free, sent), 'r_2', free);
    const thrice = redeemed(undone(twice, 'r_1'), 'r_3', free);
    expect(thrice.order.items[0]).toMatchObject({ applied_discount_amount: 1_000, discount_quantity: 2 });
  });

  test('knows units that another redemption discounted before, also after a rollback', () => {
    const each = redeemables(amount(10, { effect: 'APPLY_TO_ITEMS_BY_QUANTITY' }));
    const both = redeemed(redeemed(null, 'r_1', each, sent), 'r_2', each);
    expect(both.order.items[0]).toMatchObject({
      discount_amount: 60,
      discount_quantity: 3,
      applied_discount_quantity: 3,
    });
    expect(undone(both, 'r_1').order.items[0]).toMatchObject({ discount_amount: 30, discount_quantity: 3 });
  });
});

describe('an order from before differences were kept', () => {
  const items = [item('mug', 1_000, 3), item('cup', 500, 2)];
  const { order } = redeemed(
    null,
    'r_1',
    redeemables(amount(100), amount(100, { effect: 'APPLY_TO_ITEMS_BY_QUANTITY' })),
    { items },
    records,
  );
  const off = (discount: number, ...lines: number[]) =>
    undoRedemption(
      order,
      {
        discount_amount: discount,
        items: lines.map((discountAmount, index) => ({ index, discount_amount: discountAmount })),
      },
      {},
    ).order;

  test('loses what the redemption says that it took', () => {
    expect(off(100, 300, 200)).toEqual(untouched({ items }));
    expect(off(40, 250, 200)).toMatchObject({
      discount_amount: 60,
      items: [{ discount_amount: 50, discount_quantity: 3 }, { subtotal_amount: 1_000 }],
    });
  });

  test('loses at most what it has', () => {
    expect(off(5_000, 5_000, 5_000)).toEqual(untouched({ items }));
  });
});
