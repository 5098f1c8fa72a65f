import type { Discount } from '../discount';
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

const toItems = (amount_off: number, more: object = {}): Discount => ({
  type: 'AMOUNT',
  amount_off,
  effect: 'APPLY_TO_ITEMS',
  ...more,
});
const byQuantity = (amount_off: number, more: object = {}): Discount => ({
  type: 'AMOUNT',
  amount_off,
  effect: 'APPLY_TO_ITEMS_BY_QUANTITY',
  ...more,
});
const proportionally = (amount_off: number, more: object = {}): Discount => ({
  type: 'AMOUNT',
  amount_off,
  effect: 'APPLY_TO_ITEMS_PROPORTIONALLY',
  ...more,
});
const proportionallyByQuantity = (amount_off: number, more: object = {}): Discount => ({
  type: 'AMOUNT',
  amount_off,
  effect: 'APPLY_TO_ITEMS_PROPORTIONALLY_BY_QUANTITY',
  ...more,
});
const percent = (percent_off: number, more: object = {}): Discount => ({
  type: 'PERCENT',
  percent_off,
  effect: 'APPLY_TO_ITEMS',
  ...more,
});
const newPrice = (fixed_amount: number): Discount => ({
  type: 'FIXED',
  fixed_amount,
  effect: 'APPLY_TO_ITEMS',
});

const most = Number.MAX_SAFE_INTEGER;

describe('a line gives at most its eligible subtotal (spec 01 §5)', () => {
  const order = cart({ price: 400, quantity: 3 });

  test.each([
    { name: 'AMOUNT below it', discount: toItems(399), units: 1, off: 399, counted: 0 },
    { name: 'AMOUNT above it', discount: toItems(401), units: 1, off: 400, counted: 0 },
    { name: 'AMOUNT of several units', discount: toItems(401), units: 2, off: 401, counted: 0 },
    { name: 'AMOUNT by quantity below it', discount: byQuantity(399), units: 2, off: 798, counted: 2 },
    { name: 'AMOUNT by quantity above it', discount: byQuantity(401), units: 2, off: 800, counted: 2 },
    { name: 'PERCENT', discount: percent(50), units: 2, off: 400, counted: 0 },
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
    expect(lineDiscounts(applied(discounted, percent(50), { coverage }))).toEqual([200 + 167]);
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
    for (const discount of [toItems(10), byQuantity(10), percent(10), newPrice(90), proportionally(10)]) {
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

describe('discounted units (spec 01 §4)', () => {
  const order = cart({ price: 1000, quantity: 3 });

  test('of a percentage count where units were chosen or limited', () => {
    const chosen = covering([{ index: 0, units: 2, countsUnits: true }]);
    const whole = covering([{ index: 0, units: 3 }]);
    expect(lineDiscountQuantities(applied(order, percent(10), { coverage: chosen }))).toEqual([2]);
    expect(lineDiscountQuantities(applied(order, percent(10), { coverage: whole }))).toEqual([0]);
  });

  test('of an amount per line or in all never count', () => {
    const coverage = covering([{ index: 0, units: 2, countsUnits: true }]);
    for (const discount of [toItems(10), proportionally(10), proportionallyByQuantity(10)]) {
      expect(lineDiscountQuantities(applied(order, discount, { coverage }))).toEqual([0]);
    }
  });

  test('add up, at most to the quantity of the line', () => {
    const coverage = covering([{ index: 0, units: 2 }]);
    const once = applied(order, byQuantity(10), { coverage });
    const twice = applied(once, byQuantity(10), { coverage });
    expect([lineDiscountQuantities(once), lineDiscountQuantities(twice)]).toEqual([[2], [3]]);
  });

  test('do not count where nothing came off', () => {
    const coverage = covering([{ index: 0, units: 2, amountLimit: 0 }]);
    expect(applied(order, byQuantity(10), { coverage })).toBe(order);
  });
});

describe('limits: the smallest wins (spec 01 §6)', () => {
  const order = cart({ price: 1000 }, { price: 1000 }, { price: 1000 });
  const lines = [0, 1, 2].map((index) => ({ index, units: 1 }));

  test.each([
    {
      name: 'of a line, above',
      coverage: covering([{ index: 0, units: 1, amountLimit: 301 }]),
      off: [300, 0, 0],
    },
    {
      name: 'of a line, below',
      coverage: covering([{ index: 0, units: 1, amountLimit: 299 }]),
      off: [299, 0, 0],
    },
    {
      name: 'of a line, a fraction',
      coverage: covering([{ index: 0, units: 1, amountLimit: 299.9 }]),
      off: [299, 0, 0],
    },
    { name: 'of a definition, above', coverage: covering(lines, [901]), off: [300, 300, 300] },
    { name: 'of a definition, below', coverage: covering(lines, [899]), off: [300, 300, 299] },
    { name: 'of a definition, used up early', coverage: covering(lines, [300]), off: [300, 0, 0] },
    { name: 'of a definition, nothing', coverage: covering(lines, [0]), off: [0, 0, 0] },
    { name: 'of a definition without one', coverage: covering(lines, [null]), off: [300, 300, 300] },
    {
      name: 'of two definitions, each its own',
      coverage: covering(
        [
          { index: 0, units: 1, definition: 1 },
          { index: 1, units: 1, definition: 0 },
          { index: 2, units: 1, definition: 1 },
        ],
        [200, 350],
      ),
      off: [300, 200, 50],
    },
    {
      name: 'of a definition, for lines without one',
      coverage: covering([{ index: 0, units: 1, definition: null }, ...lines.slice(1)], [100]),
      off: [300, 100, 0],
    },
    {
      name: 'in processing order, not in request order',
      coverage: covering(
        [2, 0, 1].map((index) => ({ index, units: 1 })),
        [500],
      ),
      off: [200, 0, 300],
    },
  ])('$name', ({ coverage, off }) => {
    expect(lineDiscounts(applied(order, toItems(300), { coverage }))).toEqual(off);
    expect(lineDiscounts(applied(order, byQuantity(300), { coverage }))).toEqual(off);
    expect(lineDiscounts(applied(order, percent(30), { coverage }))).toEqual(off);
    expect(lineDiscounts(applied(order, newPrice(700), { coverage }))).toEqual(off);
  });

  test.each([
    { limit: 901, off: [300, 300, 300] },
    { limit: 900, off: [300, 300, 300] },
    { limit: 899, off: [300, 300, 299] },
    { limit: 300, off: [300, 0, 0] },
    { limit: 0, off: [0, 0, 0] },
  ])('of a discount over all lines: $limit', ({ limit, off }) => {
    const more = { aggregated_amount_limit: limit };
    expect(lineDiscounts(applied(order, toItems(300, more)))).toEqual(off);
    expect(lineDiscounts(applied(order, byQuantity(300, more)))).toEqual(off);
    expect(lineDiscounts(applied(order, percent(30, more)))).toEqual(off);
    expect(lineDiscounts(applied(order, proportionally(900, more)))).toEqual(off);
    expect(lineDiscounts(applied(order, proportionallyByQuantity(900, more)))).toEqual(off);
  });

  test('amount_limit of a percentage caps each line, bundles or not', () => {
    expect(lineDiscounts(applied(order, percent(30, { amount_limit: 301 })))).toEqual([300, 300, 300]);
    expect(lineDiscounts(applied(order, percent(30, { amount_limit: 299 })))).toEqual([299, 299, 299]);
    expect(lineDiscounts(applied(order, percent(30, { amount_limit: 299 }), { times: 2 }))).toEqual([
      299, 299, 299,
    ]);
  });

  test('what is left of the order cuts the last processed lines', () => {
    const discounted = after(order, { discountAmount: 2500 });
    const backwards = covering([2, 1, 0].map((index) => ({ index, units: 1 })));
    const cut = applied(discounted, toItems(300), { coverage: backwards });
    expect(lineDiscounts(cut)).toEqual([0, 200, 300]);
    expect(totalOf(cut)).toBe(0);
  });

  test('an order with nothing left stays the very same', () => {
    const free = after(order, { discountAmount: 3000 });
    expect(applied(free, percent(10))).toBe(free);
    expect(applied(order, toItems(10), { coverage: covering([]) })).toBe(order);
  });

  test('a sent amount above the lines does not let lines give more than they cost', () => {
    const sent = orderOf({ amount: 9000, items: [{ price: 100 }] });
    expect(lineDiscounts(applied(sent, toItems(500)))).toEqual([100]);
  });
});

describe('the base of a line (spec 01 §5)', () => {
  const order = after(cart({ price: 1000, quantity: 4 }), { lines: [{ discountAmount: 3000 }] });

  test.each([
    { name: 'percent', discount: percent(10), units: 4, left: 100, initial: 400 },
    { name: 'percent up to what is left', discount: percent(50), units: 4, left: 500, initial: 1000 },
    { name: 'percent of some units', discount: percent(10), units: 2, left: 50, initial: 200 },
    {
      name: 'percent of some units up to their share',
      discount: percent(50),
      units: 2,
      left: 250,
      initial: 500,
    },
    { name: 'new price', discount: newPrice(900), units: 4, left: 0, initial: 400 },
    { name: 'new price of some units', discount: newPrice(200), units: 2, left: 100, initial: 500 },
    { name: 'amount', discount: toItems(700), units: 4, left: 700, initial: 700 },
    { name: 'amount by quantity', discount: byQuantity(200), units: 4, left: 800, initial: 800 },
  ])('$name: $left of what is left, $initial by the initial amount', ({ discount, units, left, initial }) => {
    const coverage = covering([{ index: 0, units }]);
    expect(lineDiscounts(applied(order, discount, { coverage }))).toEqual([3000 + left]);
    expect(lineDiscounts(applied(order, discount, { coverage, mode: 'INITIAL_AMOUNT' }))).toEqual([
      3000 + initial,
    ]);
  });

  test('lines that an effect created, or without an amount, have an initial base of 0', () => {
    const base = cart({ price: 1000 }, { price: 1000 });
    const created = after(base, {
      lines: [{ initialQuantity: 0, initialAmount: 0 }, { initialAmount: undefined }],
    });
    expect(applied(created, percent(10), { mode: 'INITIAL_AMOUNT' })).toBe(created);
    expect(applied(created, newPrice(10), { mode: 'INITIAL_AMOUNT' })).toBe(created);
    expect(applied(created, proportionally(10), { mode: 'INITIAL_AMOUNT' })).toBe(created);
  });
});

describe('proportional splits (spec 01 §5)', () => {
  const order = after(cart({ price: 3000 }, { price: 1000 }), { lines: [{ discountAmount: 2000 }] });

  test('weigh lines by what is left, or by their initial amounts; full lines pass the rest on', () => {
    expect(lineDiscounts(applied(order, proportionally(1000)))).toEqual([2500, 500]);
    expect(lineDiscounts(applied(order, proportionally(1000), { mode: 'INITIAL_AMOUNT' }))).toEqual([
      2750, 250,
    ]);
    expect(lineDiscounts(applied(order, proportionally(1600), { mode: 'INITIAL_AMOUNT' }))).toEqual([
      3000, 600,
    ]);
    expect(lineDiscounts(applied(order, proportionally(1600)))).toEqual([2800, 800]);
  });

  test('by quantity, a full line passes its rest to the others by their units', () => {
    const three = cart({ price: 50, quantity: 2 }, { price: 1000 }, { price: 1000, quantity: 3 });
    expect(lineDiscounts(applied(three, proportionallyByQuantity(600)))).toEqual([100, 125, 375]);
    expect(lineDiscounts(applied(three, proportionallyByQuantity(600), { mode: 'INITIAL_AMOUNT' }))).toEqual([
      100, 125, 375,
    ]);
  });

  test('take no more than all eligible parts, and bundles multiply the value', () => {
    const two = cart({ price: 100, quantity: 2 }, { price: 300 });
    const coverage = covering([
      { index: 0, units: 1 },
      { index: 1, units: 1 },
    ]);
    expect(lineDiscounts(applied(two, proportionally(400), { coverage }))).toEqual([100, 300]);
    expect(lineDiscounts(applied(two, proportionally(401), { coverage }))).toEqual([100, 300]);
    expect(lineDiscounts(applied(two, proportionally(100), { coverage, times: 2 }))).toEqual([50, 150]);
    expect(lineDiscounts(applied(two, proportionallyByQuantity(60), { coverage, times: 3 }))).toEqual([
      90, 90,
    ]);
  });

  test('weigh shares of units exactly: 2 of 3 units of 100 and 1 of 2 of 100 are 4 : 3', () => {
    const two = cart({ amount: 100, quantity: 3 }, { amount: 100, quantity: 2 });
    const coverage = covering([
      { index: 0, units: 2 },
      { index: 1, units: 1 },
    ]);
    expect(lineDiscounts(applied(two, proportionally(70), { coverage }))).toEqual([40, 30]);
    // Together 116.67 are eligible.
    expect(lineDiscounts(applied(two, proportionally(200), { coverage }))).toEqual([67, 50]);
  });

  test('by initial amounts, weigh units among those of the cart, not among the paid ones', () => {
    const two = after(cart({ price: 1000, quantity: 4 }, { price: 1000, quantity: 2 }), {
      lines: [{ discountAmount: 1000, discountQuantity: 1, freeQuantity: 1 }],
    });
    const coverage = covering([
      { index: 0, units: 2 },
      { index: 1, units: 1 },
    ]);
    const split = applied(two, proportionally(300), { coverage, mode: 'INITIAL_AMOUNT' });
    expect(lineDiscounts(split)).toEqual([1200, 100]);
  });

  test('halves of a minor unit give no more than their exact sum', () => {
    const two = cart({ amount: 1001, quantity: 2 }, { amount: 1001, quantity: 2 });
    const coverage = covering([
      { index: 0, units: 1 },
      { index: 1, units: 1 },
    ]);
    // 500.5 each: 501 by running total, then 1001 − 501.
    expect(lineDiscounts(applied(two, proportionally(5000), { coverage }))).toEqual([501, 500]);
  });

  test('parts of lines too small for a minor unit give nothing', () => {
    const three = cart({ amount: 2, quantity: 5 }, { amount: 2, quantity: 5 }, { amount: 2, quantity: 5 });
    const coverage = covering([0, 1, 2].map((index) => ({ index, units: 1 })));
    expect(applied(three, proportionally(5), { coverage })).toBe(three);
  });

  test('limits of lines cap the parts; what they cut is lost', () => {
    const two = cart({ price: 1000 }, { price: 1000 });
    const coverage = covering([
      { index: 0, units: 1, amountLimit: 50 },
      { index: 1, units: 1 },
    ]);
    expect(lineDiscounts(applied(two, proportionally(200), { coverage }))).toEqual([50, 100]);
  });
});

describe('a new price (spec 01 §5, §6)', () => {
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

describe('bundles (spec 01 §9)', () => {
  const order = cart({ price: 1000, quantity: 2 });

  test('multiply amounts per line and percentages, not amounts per unit', () => {
    expect(lineDiscounts(applied(order, toItems(300), { times: 3 }))).toEqual([900]);
    expect(lineDiscounts(applied(order, percent(10), { times: 3 }))).toEqual([600]);
    expect(lineDiscounts(applied(order, percent(50), { times: 3 }))).toEqual([2000]);
    expect(lineDiscounts(applied(order, byQuantity(300), { times: 3 }))).toEqual([600]);
  });
});

describe('large amounts are exact (spec 01 §2)', () => {
  test('up to 2^53 − 1', () => {
    const order = cart({ amount: most, quantity: 3 });
    const two = covering([{ index: 0, units: 2 }]);
    expect(lineDiscounts(applied(order, percent(100), { coverage: two }))).toEqual([6004799503160661]);
    expect(lineDiscounts(applied(order, percent(33.3)))).toEqual([2999397351828750]);
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
