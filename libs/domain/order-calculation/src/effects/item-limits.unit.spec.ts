import { after, applied, cart, covering, lineDiscounts, orderOf, totalOf } from './carts.fixture';
import {
  byQuantity,
  newPrice,
  percentToItems,
  proportionally,
  proportionallyByQuantity,
  toItems,
} from './item-discounts.fixture';

describe('limits: the smallest wins (reference 01 §6)', () => {
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
    expect(lineDiscounts(applied(order, percentToItems(30), { coverage }))).toEqual(off);
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
    expect(lineDiscounts(applied(order, percentToItems(30, more)))).toEqual(off);
    expect(lineDiscounts(applied(order, proportionally(900, more)))).toEqual(off);
    expect(lineDiscounts(applied(order, proportionallyByQuantity(900, more)))).toEqual(off);
  });

  test('amount_limit of a percentage caps each line, bundles or not', () => {
    expect(lineDiscounts(applied(order, percentToItems(30, { amount_limit: 301 })))).toEqual([300, 300, 300]);
    expect(lineDiscounts(applied(order, percentToItems(30, { amount_limit: 299 })))).toEqual([299, 299, 299]);
    expect(lineDiscounts(applied(order, percentToItems(30, { amount_limit: 299 }), { times: 2 }))).toEqual([
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
    expect(applied(free, percentToItems(10))).toBe(free);
    expect(applied(order, toItems(10), { coverage: covering([]) })).toBe(order);
  });

  test('a sent amount above the lines does not let lines give more than they cost', () => {
    const sent = orderOf({ amount: 9000, items: [{ price: 100 }] });
    expect(lineDiscounts(applied(sent, toItems(500)))).toEqual([100]);
  });
});
