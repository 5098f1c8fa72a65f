import { changedLine } from '../order/order-state';
import { cart, collection, covered, pricedOrder, product, sku, unitsOf } from './scoping.fixture';

describe('without a scope', () => {
  test('all lines with all their units, in request order, on no terms of their own', () => {
    const { lines, aggregatedAmountLimits, matches } = covered(pricedOrder([100, undefined], 3), {});
    const line = { units: 3, definition: null, newPrice: null, amountLimit: null, countsUnits: false };
    expect(lines).toEqual([
      { index: 0, ...line },
      { index: 1, ...line },
    ]);
    expect(aggregatedAmountLimits).toEqual([]);
    expect(matches).toBeUndefined();
  });

  test('free units are not covered, nor lines that have no others, nor closed ones', () => {
    const [first, second, third] = pricedOrder([100, 200, 300], 3).lines;
    const order = {
      ...pricedOrder([]),
      lines: [changedLine(first!, { freeQuantity: 2 }), changedLine(second!, { freeQuantity: 3 }), third!],
    };
    expect(unitsOf(covered(order, {}))).toEqual([
      [0, 1],
      [2, 3],
    ]);
    expect(unitsOf(covered(order, {}, { isClosed: (line) => line === third }))).toEqual([[0, 1]]);
  });
});

describe('included and excluded (reference 01 §6)', () => {
  test('a product covers itself and all its SKUs, a SKU itself, a collection what it holds', () => {
    expect(unitsOf(covered(cart, { included: [product('prod_shirt')] }))).toEqual([
      [2, 4],
      [3, 5],
    ]);
    expect(unitsOf(covered(cart, { included: [sku('sku_shirt_s')] }))).toEqual([[3, 5]]);
    expect(unitsOf(covered(cart, { included: [collection('pc_merch')] }))).toEqual([
      [1, 3],
      [2, 4],
      [3, 5],
    ]);
    expect(unitsOf(covered(cart, { included: [collection('pc_red')] }))).toEqual([[2, 4]]);
    expect(unitsOf(covered(cart, { included: [{ object: 'product', source_id: 'poster' }] }))).toEqual([
      [1, 3],
    ]);
  });

  test('excluded beats included, even a SKU of its own definition', () => {
    const included = [collection('pc_merch'), sku('sku_shirt_m')];
    expect(unitsOf(covered(cart, { included, excluded: [product('prod_shirt')] }))).toEqual([[1, 3]]);
    expect(unitsOf(covered(cart, { included, excluded: [collection('pc_merch')] }))).toEqual([]);
  });

  test('with exclusions only, everything else is covered, without a definition', () => {
    const { lines, aggregatedAmountLimits, matches } = covered(cart, { excluded: [collection('pc_merch')] });
    expect(lines).toEqual([
      { index: 0, units: 2, definition: null, newPrice: null, amountLimit: null, countsUnits: false },
      { index: 4, units: 1, definition: null, newPrice: null, amountLimit: null, countsUnits: false },
    ]);
    expect(matches).toEqual([]);
    expect(aggregatedAmountLimits).toEqual([]);
  });

  test('everything included is a last definition: the others keep their lines and terms', () => {
    const { lines } = covered(cart, {
      included: [product('prod_shirt', { quantity_limit: 1 })],
      excluded: [product('prod_mug')],
      included_all: true,
    });
    expect(lines.map(({ index, units, definition }) => [index, units, definition])).toEqual([
      [2, 1, 0],
      [3, 1, 0],
      [1, 3, null],
      [4, 1, null],
    ]);
  });

  test('the built-in collection with terms of its own holds them although everything is included', () => {
    const { lines } = covered(cart, {
      included: [collection('pc_a11pr0dUc75', { aggregated_quantity_limit: 4 })],
      included_all: true,
    });
    expect(lines.map(({ index, units, definition }) => [index, units, definition])).toEqual([
      [0, 2, 0],
      [1, 2, 0],
    ]);
  });

  test('everything included and nothing else: all lines, without a definition', () => {
    const { lines, matches } = covered(cart, { included_all: true });
    expect(lines.map(({ index, definition }) => [index, definition])).toEqual(
      [0, 1, 2, 3, 4].map((i) => [i, null]),
    );
    expect(matches).toHaveLength(1);
  });

  test('nothing matches: nothing is covered', () => {
    expect(covered(cart, { included: [product('prod_none'), product('prod_other')] })).toEqual({
      lines: [],
      aggregatedAmountLimits: [null, null],
      matches: [
        { matched: [], covered: [] },
        { matched: [], covered: [] },
      ],
    });
  });

  test('a line belongs to its most specific definition, and that one’s terms hold', () => {
    const included = [
      collection('pc_merch', { price: 100, amount_limit: 10 }),
      product('prod_shirt', { price: 200, aggregated_amount_limit: 20 }),
      sku('sku_shirt_m', { price: 300, quantity_limit: 2 }),
    ];
    expect(covered(cart, { included })).toMatchObject({
      lines: [
        { index: 1, units: 3, definition: 0, newPrice: 100, amountLimit: 10, countsUnits: false },
        { index: 3, units: 5, definition: 1, newPrice: 200, amountLimit: null, countsUnits: false },
        { index: 2, units: 2, definition: 2, newPrice: 300, amountLimit: null, countsUnits: true },
      ],
      aggregatedAmountLimits: [null, 20, null],
    });
  });

  test('amounts below 0 count as 0, fractions of limits are cut, of prices rounded', () => {
    const included = [
      product('prod_mug', { amount_limit: -1, aggregated_amount_limit: -1, price: -1 }),
      product('prod_poster', { amount_limit: 1.9, aggregated_amount_limit: 2.9, price: 3.5 }),
      product('prod_bottle', { amount_limit: 0, aggregated_amount_limit: 0, price: 0 }),
    ];
    const { lines, aggregatedAmountLimits } = covered(cart, { included });
    expect(lines.map(({ amountLimit, newPrice }) => [amountLimit, newPrice])).toEqual([
      [0, 0],
      [1, 4],
      [0, 0],
    ]);
    expect(aggregatedAmountLimits).toEqual([0, 2, 0]);
  });

  test('excluded and closed lines and lines without paid units are not numbered', () => {
    const included = [collection('pc_a11pr0dUc75', { repeat: 2 })];
    const order = {
      ...cart,
      lines: cart.lines.map((line, i) => (i === 1 ? changedLine(line, { freeQuantity: 3 }) : line)),
    };
    const isClosed = (line: unknown): boolean => line === order.lines[2];
    expect(unitsOf(covered(order, { included, excluded: [product('prod_mug')] }, { isClosed }))).toEqual([
      [3, 5],
    ]);
    expect(unitsOf(covered(order, { included }, { isClosed }))).toEqual([
      [0, 2],
      [4, 1],
    ]);
  });

  test('each definition numbers its own lines, in list order', () => {
    const included = [
      product('prod_shirt', { skip_initially: 1 }),
      collection('pc_kitchen', { effect: 'APPLY_FROM_MOST_EXPENSIVE' }),
      product('prod_poster', { target: 'UNIT', repeat: 2 }),
    ];
    const { lines, matches } = covered(cart, { included });
    expect(lines.map(({ index, units, countsUnits }) => [index, units, countsUnits])).toEqual([
      [3, 5, false],
      [4, 1, false],
      [0, 2, false],
      [1, 2, true],
    ]);
    expect(matches).toEqual([
      { matched: [2, 3], covered: [{ index: 3, first: 1, step: 1, count: 5 }] },
      {
        matched: [0, 4],
        covered: [
          { index: 4, first: 1, step: 1, count: 1 },
          { index: 0, first: 1, step: 1, count: 2 },
        ],
      },
      { matched: [1], covered: [{ index: 1, first: 1, step: 2, count: 2 }] },
    ]);
  });
});
