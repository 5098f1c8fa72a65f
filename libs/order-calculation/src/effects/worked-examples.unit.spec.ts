import type { Discount } from '../discount';
import {
  after,
  applied,
  cart,
  covering,
  lineDiscounts,
  lineDiscountQuantities,
  orderOf,
  resolved,
  totalOf,
} from './carts.fixture';

describe('cart C1 of spec 01 §11: mug 1000×2, poster 1500×3, shirt 2000×3, bottle 2500×2 out of scope', () => {
  const c1 = cart(
    { price: 1000, quantity: 2 },
    { price: 1500, quantity: 3 },
    { price: 2000, quantity: 3 },
    { price: 2500, quantity: 2 },
  );
  const inScope = covering([
    { index: 0, units: 2 },
    { index: 1, units: 3 },
    { index: 2, units: 3 },
  ]);

  test.each<{ row: string; discount: Discount; lines: number[]; counted: number[]; total: number }>([
    {
      row: 'AMOUNT 1000, to items',
      discount: { type: 'AMOUNT', amount_off: 1000, effect: 'APPLY_TO_ITEMS' },
      lines: [1000, 1000, 1000, 0],
      counted: [0, 0, 0, 0],
      total: 14500,
    },
    {
      row: 'AMOUNT 1000, by quantity',
      discount: { type: 'AMOUNT', amount_off: 1000, effect: 'APPLY_TO_ITEMS_BY_QUANTITY' },
      lines: [2000, 3000, 3000, 0],
      counted: [2, 3, 3, 0],
      total: 9500,
    },
    {
      row: 'AMOUNT 1000, proportionally',
      discount: { type: 'AMOUNT', amount_off: 1000, effect: 'APPLY_TO_ITEMS_PROPORTIONALLY' },
      lines: [160, 360, 480, 0],
      counted: [0, 0, 0, 0],
      total: 16500,
    },
    {
      row: 'AMOUNT 1000, proportionally by quantity',
      discount: { type: 'AMOUNT', amount_off: 1000, effect: 'APPLY_TO_ITEMS_PROPORTIONALLY_BY_QUANTITY' },
      lines: [250, 375, 375, 0],
      counted: [0, 0, 0, 0],
      total: 16500,
    },
    {
      row: 'PERCENT 10, to items',
      discount: { type: 'PERCENT', percent_off: 10, effect: 'APPLY_TO_ITEMS' },
      lines: [200, 450, 600, 0],
      counted: [0, 0, 0, 0],
      total: 16250,
    },
    {
      row: 'FIXED 1000, to items',
      discount: { type: 'FIXED', fixed_amount: 1000, effect: 'APPLY_TO_ITEMS' },
      lines: [0, 1500, 3000, 0],
      counted: [0, 3, 3, 0],
      total: 13000,
    },
  ])('$row', ({ discount, lines, counted, total }) => {
    const order = applied(c1, discount, { coverage: inScope });
    expect(lineDiscounts(order)).toEqual(lines);
    expect(lineDiscountQuantities(order)).toEqual(counted);
    expect(totalOf(order)).toBe(total);
    expect(order.amount).toBe(17500);
    expect(order.discountAmount).toBe(0);
  });
});

describe('cart C2 of spec 01 §11: AMOUNT 500 from the most expensive, skip 1, repeat 2', () => {
  const c2 = cart(
    { price: 2000, quantity: 3 },
    { price: 1500, quantity: 5 },
    { price: 1000, quantity: 2 },
    { price: 500, quantity: 4 },
    { price: 2500, quantity: 2 },
  );

  test('target ITEM, to items', () => {
    const order = applied(
      c2,
      { type: 'AMOUNT', amount_off: 500, effect: 'APPLY_TO_ITEMS' },
      {
        coverage: covering([
          { index: 1, units: 5 },
          { index: 3, units: 4 },
        ]),
      },
    );
    expect(lineDiscounts(order)).toEqual([0, 500, 0, 500, 0]);
    expect(totalOf(order)).toBe(21500);
  });

  test('target UNIT, by quantity', () => {
    const order = applied(
      c2,
      { type: 'AMOUNT', amount_off: 500, effect: 'APPLY_TO_ITEMS_BY_QUANTITY' },
      {
        coverage: covering([
          { index: 0, units: 1 },
          { index: 1, units: 3 },
          { index: 2, units: 1 },
          { index: 3, units: 2 },
        ]),
      },
    );
    expect(lineDiscounts(order)).toEqual([500, 1500, 500, 1000, 0]);
    expect(lineDiscountQuantities(order)).toEqual([1, 3, 1, 2, 0]);
    expect(totalOf(order)).toBe(19000);
  });
});

describe('further rows of spec 01', () => {
  test('a stored order of 10000 with discount 9200, then 1000 off: 800 are applied (§11)', () => {
    const stored = after(orderOf({ amount: 10000 }), { discountAmount: 9200 });
    expect(applied(stored, { type: 'AMOUNT', amount_off: 1000 }).discountAmount).toBe(10000);
  });

  test('300 over 3300 and 3400 is 148 and 152 (§2)', () => {
    const order = applied(cart({ price: 3300 }, { price: 3400 }), {
      type: 'AMOUNT',
      amount_off: 300,
      effect: 'APPLY_TO_ITEMS_PROPORTIONALLY',
    });
    expect(lineDiscounts(order)).toEqual([148, 152]);
  });

  test('10 % of 11499 is 1150, of the order and of a line (§2)', () => {
    expect(applied(orderOf({ amount: 11499 }), { type: 'PERCENT', percent_off: 10 }).discountAmount).toBe(
      1150,
    );
    const order = applied(cart({ price: 11499 }), {
      type: 'PERCENT',
      percent_off: 10,
      effect: 'APPLY_TO_ITEMS',
    });
    expect(lineDiscounts(order)).toEqual([1150]);
  });

  test('percent 50 on lines 4000, 4000 with amount_limit 1500 and aggregated_amount_limit 2000 (§11)', () => {
    const order = applied(cart({ price: 4000 }, { price: 4000 }), {
      type: 'PERCENT',
      percent_off: 50,
      amount_limit: 1500,
      aggregated_amount_limit: 2000,
      effect: 'APPLY_TO_ITEMS',
    });
    expect(lineDiscounts(order)).toEqual([1500, 500]);
  });

  test('5 % per bundle, 5 bundles: 25 % off the order; the answer shows 5 % (§9, §11)', () => {
    const discount: Discount = { type: 'PERCENT', percent_off: 5 };
    expect(applied(orderOf({ amount: 10000 }), discount, { times: 5 }).discountAmount).toBe(2500);
    expect(resolved(discount, orderOf({ amount: 10000 }), { times: 5 })).toMatchObject({
      discount: { percent_off: 5 },
      times: 5,
    });
  });

  test('20.00 off items, two bundles, three lines of one unit: 40.00 on each (§9)', () => {
    const order = applied(
      cart({ price: 5000 }, { price: 6000 }, { price: 7000 }),
      { type: 'AMOUNT', amount_off: 2000, effect: 'APPLY_TO_ITEMS' },
      { times: 2 },
    );
    expect(lineDiscounts(order)).toEqual([4000, 4000, 4000]);
  });

  test('a new price by formula: 5200 for a 6500 line of a 46500 order (§11)', () => {
    const order = cart({ price: 6500 }, { price: 40000 });
    const coverage = covering([{ index: 0, units: 1 }]);
    const discount: Discount = {
      type: 'FIXED',
      fixed_amount: 6000,
      fixed_amount_formula: 'IF(ORDER_AMOUNT > 300;ORDER_ITEM_PRICE * 0.8;ORDER_ITEM_PRICE)',
      effect: 'APPLY_TO_ITEMS',
    };
    expect(resolved(discount, order, { coverage }).discount).toMatchObject({
      fixed_amount: 5200,
      is_dynamic: true,
    });
    expect(lineDiscounts(applied(order, discount, { coverage }))).toEqual([1300, 0]);
  });
});
