import type { Discount } from '../discount';
import { orderView } from '../order/order-state';
import {
  after,
  applied,
  cart,
  covering,
  lineDiscountQuantities,
  lineDiscounts,
  orderOf,
  totalOf,
} from './carts.fixture';
import {
  byQuantity,
  newPrice,
  percentToItems,
  proportionally,
  proportionallyByQuantity,
  toItems,
} from './item-discounts.fixture';

const most = Number.MAX_SAFE_INTEGER;

describe('a line gives at most its eligible subtotal (reference 01 §5)', () => {
  const order = cart({ price: 400, quantity: 3 });

  test.each([
    { name: 'AMOUNT below it', discount: toItems(399), units: 1, off: 399, counted: 0 },
    { name: 'AMOUNT above it', discount: toItems(401), units: 1, off: 400, counted: 0 },
    { name: 'AMOUNT of several units', discount: toItems(401), units: 2, off: 401, counted: 0 },
    { name: 'AMOUNT by quantity below it', discount: byQuantity(399), units: 2, off: 798, counted: 2 },
    { name: 'AMOUNT by quantity above it', discount: byQuantity(401), units: 2, off: 800, counted: 2 },
    { name: 'PERCENT', discount: percentToItems(50), units: 2, off: 400, counted: 0 },
    { name: 'FIXED below the price', discount: newPrice(399), units: 2, off: 2, counted: 2 },
    { name: 'FIXED at the price', discount: newPrice(400), units: 2, off: 0, counted: 0 },
    { name: 'FIXED above the price', discount: newPrice(401), units: 2, off: 0, counted: 0 },
    { name: 'FIXED at nothing', discount: newPrice(0), units: 2, off: 800, counted: 2 },
    { name: 'FIXED below nothing', discount: newPrice(-5), units: 2, off: 800, counted: 2 },
    { name: 'proportionally', discount: proportionally(900), units: 2, off: 800, counted: 0 },
    {
      name: 'proportionally by quantity',
      discount: proportionallyByQuantity(900),
      units: 2,
      off: 800,
      counted: 0,
    },
    { name: 'half a minor unit rounds up', discount: byQuantity(0.5), units: 3, off: 3, counted: 3 },
    { name: 'less than half is lost', discount: byQuantity(0.49), units: 3, off: 0, counted: 0 },
    { name: 'a negative amount gives nothing', discount: toItems(-1), units: 3, off: 0, counted: 0 },
    { name: 'half a minor unit of each line', discount: toItems(10.5), units: 3, off: 11, counted: 0 },
    { name: 'half a minor unit in all', discount: proportionally(10.5), units: 3, off: 11, counted: 0 },
    { name: 'half a minor unit of a new price', discount: newPrice(399.5), units: 3, off: 0, counted: 0 },
  ])('$name: $off', ({ discount, units, off, counted }) => {
    const discounted = applied(order, discount, { coverage: covering([{ index: 0, units }]) });
    expect(lineDiscounts(discounted)).toEqual([off]);
    expect(lineDiscountQuantities(discounted)).toEqual([counted]);
  });

  test('the share of units is exact and rounded once: 1 of 3 units of 1000 left', () => {
    const discounted = after(order, { lines: [{ discountAmount: 200 }] });
    const coverage = covering([{ index: 0, units: 1 }]);
    expect(lineDiscounts(applied(discounted, toItems(500), { coverage }))).toEqual([200 + 333]);
    expect(lineDiscounts(applied(discounted, percentToItems(50), { coverage }))).toEqual([200 + 167]);
    expect(lineDiscounts(applied(discounted, newPrice(300), { coverage }))).toEqual([200 + 33]);
    expect(lineDiscounts(applied(discounted, proportionally(500), { coverage }))).toEqual([200 + 333]);
  });

  test('free units have no share of the subtotal', () => {
    const withFree = after(order, { lines: [{ discountAmount: 400, discountQuantity: 1, freeQuantity: 1 }] });
    expect(
      lineDiscounts(applied(withFree, toItems(500), { coverage: covering([{ index: 0, units: 1 }]) })),
    ).toEqual([400 + 400]);
  });

  test('a line without a price gives nothing', () => {
    const unknown = cart({ quantity: 2 }, { price: 100 });
    for (const discount of [
      toItems(10),
      byQuantity(10),
      percentToItems(10),
      newPrice(90),
      proportionally(10),
    ]) {
      expect(applied(unknown, discount).lines[0]).toBe(unknown.lines[0]);
    }
    expect(lineDiscounts(applied(unknown, proportionallyByQuantity(10)))).toEqual([0, 10]);
  });

  test('lines that are not covered stay the same objects', () => {
    const three = cart({ price: 100 }, { price: 100 }, { price: 100 });
    const discounted = applied(three, toItems(10), { coverage: covering([{ index: 1, units: 1 }]) });
    expect(lineDiscounts(discounted)).toEqual([0, 10, 0]);
    expect(discounted.lines[0]).toBe(three.lines[0]);
    expect(discounted.lines[2]).toBe(three.lines[2]);
    expect(discounted.discountAmount).toBe(0);
  });
});

describe('discounted units (reference 01 §4)', () => {
  const order = cart({ price: 1000, quantity: 3 });

  test('of a percentage count where units were chosen or limited', () => {
    const chosen = covering([{ index: 0, units: 2, countsUnits: true }]);
    const whole = covering([{ index: 0, units: 3 }]);
    expect(lineDiscountQuantities(applied(order, percentToItems(10), { coverage: chosen }))).toEqual([2]);
    expect(lineDiscountQuantities(applied(order, percentToItems(10), { coverage: whole }))).toEqual([0]);
  });

  test('of an amount per line or in all never count', () => {
    const coverage = covering([{ index: 0, units: 2, countsUnits: true }]);
    for (const discount of [toItems(10), proportionally(10), proportionallyByQuantity(10)]) {
      expect(lineDiscountQuantities(applied(order, discount, { coverage }))).toEqual([0]);
    }
  });

  test('add up, shown at most as the quantity of the line', () => {
    const coverage = covering([{ index: 0, units: 2 }]);
    const once = applied(order, byQuantity(10), { coverage });
    const twice = applied(once, byQuantity(10), { coverage });
    expect([lineDiscountQuantities(once), lineDiscountQuantities(twice)]).toEqual([[2], [4]]);
    expect(orderView(twice, once).items[0]).toMatchObject({
      discount_quantity: 3,
      applied_discount_quantity: 2,
    });
  });

  test('do not count where nothing came off', () => {
    const coverage = covering([{ index: 0, units: 2, amountLimit: 0 }]);
    expect(applied(order, byQuantity(10), { coverage })).toBe(order);
  });
});

describe('a new price (reference 01 §5, §6)', () => {
  const order = cart({ price: 1000, quantity: 2 }, { price: 1000, quantity: 2 });

  test("is the definition's, else the discount's", () => {
    const coverage = covering([
      { index: 0, units: 2, newPrice: 400 },
      { index: 1, units: 2 },
    ]);
    expect(lineDiscounts(applied(order, newPrice(700), { coverage }))).toEqual([1200, 600]);
  });

  test('of 0 gives the units away; one above the price changes nothing', () => {
    const coverage = covering([
      { index: 0, units: 1, newPrice: 0 },
      { index: 1, units: 1, newPrice: 1001 },
    ]);
    const priced = applied(order, newPrice(1), { coverage });
    expect(lineDiscounts(priced)).toEqual([1000, 0]);
    expect(lineDiscountQuantities(priced)).toEqual([1, 0]);
  });

  test('does not grow with bundles', () => {
    expect(lineDiscounts(applied(order, newPrice(700), { times: 3 }))).toEqual([600, 600]);
  });
});

describe('bundles (reference 01 §9)', () => {
  const order = cart({ price: 1000, quantity: 2 });

  test('multiply amounts per line and percentages, not amounts per unit', () => {
    expect(lineDiscounts(applied(order, toItems(300), { times: 3 }))).toEqual([900]);
    expect(lineDiscounts(applied(order, percentToItems(10), { times: 3 }))).toEqual([600]);
    expect(lineDiscounts(applied(order, percentToItems(50), { times: 3 }))).toEqual([2000]);
    expect(lineDiscounts(applied(order, byQuantity(300), { times: 3 }))).toEqual([600]);
  });
});

describe('large amounts are exact (reference 01 §2)', () => {
  test('up to 2^53 − 1', () => {
    const order = cart({ amount: most, quantity: 3 });
    const two = covering([{ index: 0, units: 2 }]);
    expect(lineDiscounts(applied(order, percentToItems(100), { coverage: two }))).toEqual([6004799503160661]);
    expect(lineDiscounts(applied(order, percentToItems(33.3)))).toEqual([2999397351828750]);
    expect(lineDiscounts(applied(order, toItems(most), { times: 100 }))).toEqual([most]);
    expect(lineDiscounts(applied(order, byQuantity(most), { coverage: two }))).toEqual([6004799503160661]);
    expect(lineDiscounts(applied(order, newPrice(most), { coverage: two }))).toEqual([0]);
    expect(lineDiscounts(applied(order, proportionally(most), { coverage: two }))).toEqual([
      6004799503160661,
    ]);
  });

  test('where lines together exceed what a number holds', () => {
    const order = orderOf({ amount: most, items: [{ price: most - 1 }] });
    const two = { ...order, lines: [order.lines[0]!, order.lines[0]!] };
    const split = applied(two, proportionally(most));
    expect(lineDiscounts(split)).toEqual([4503599627370496, 4503599627370495]);
    expect(totalOf(split)).toBe(0);
  });
});

test('unchecked definitions without a value give nothing', () => {
  const order = cart({ price: 1000 });
  const without = (type: string, effect: string) => ({ type, effect }) as unknown as Discount;
  for (const discount of [
    without('AMOUNT', 'APPLY_TO_ORDER'),
    without('AMOUNT', 'APPLY_TO_ITEMS'),
    without('AMOUNT', 'APPLY_TO_ITEMS_PROPORTIONALLY'),
    without('PERCENT', 'APPLY_TO_ORDER'),
    without('PERCENT', 'APPLY_TO_ITEMS'),
    without('FIXED', 'APPLY_TO_ORDER'),
    without('FIXED', 'APPLY_TO_ITEMS'),
  ]) {
    expect(applied(order, discount)).toBe(order);
  }
});
