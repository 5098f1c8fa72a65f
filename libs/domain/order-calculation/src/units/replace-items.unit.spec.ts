import { Catalogue } from '../catalogue/catalogue';
import { paidUnitsOf } from '../order/order-state';
import { wholeOrder } from '../scoping/item-scope';
import { cover } from '../scoping/cover';
import { after, covered, nothingCovered, order, replaceBy, threeBottles, threeShirts } from './units.fixture';

const max = Number.MAX_SAFE_INTEGER;

describe('REPLACE_ITEMS (reference 01 §7)', () => {
  test('an existing line of the target takes the units at its own price', () => {
    const state = order([{ product_id: 'prod_hat', price: 3000, quantity: 2 }, ...threeBottles]);
    const given = after(state, replaceBy('prod_hat'), { coverage: covered([1, 2]) });
    expect(given).toMatchObject({
      amount: 14500,
      lines: [
        { quantity: 4, amount: 12000, discountAmount: 1000, discountQuantity: 2, freeQuantity: 0 },
        {
          quantity: 1,
          amount: 2500,
          discountAmount: 0,
          replacements: [{ source_index: 1, target_index: 0 }],
        },
      ],
    });
  });

  test('units that replaced others are paid', () => {
    const [source, target] = after(order(threeShirts), replaceBy('sku_fine'), {
      coverage: covered([0, 2]),
    }).lines;
    expect([paidUnitsOf(source!), paidUnitsOf(target!)]).toEqual([1, 2]);
  });

  test('several lines join one appended line, each with its own details', () => {
    const state = order([...threeShirts, { product_id: 'prod_mug', quantity: 2 }]);
    const given = after(state, replaceBy('prod_hat'), { coverage: covered([0, 1], [1, 2]) });
    expect(given.lines.map(({ quantity, amount }) => [quantity, amount])).toEqual([
      [2, 4000],
      [0, 0],
      [3, 9300],
    ]);
    expect(given.lines.map(({ replacements }) => replacements)).toEqual([
      [
        {
          source_index: 0,
          source_applied_quantity: -1,
          source_applied_quantity_amount: -2000,
          target_index: 2,
          target_applied_quantity: 1,
          target_applied_quantity_amount: 3100,
          target_applied_discount_amount: 1100,
        },
      ],
      [
        {
          source_index: 1,
          source_applied_quantity: -2,
          source_applied_quantity_amount: -2000,
          target_index: 2,
          target_applied_quantity: 2,
          target_applied_quantity_amount: 6200,
          target_applied_discount_amount: 4200,
        },
      ],
      [],
    ]);
    expect(given.amount! - given.lines[2]!.discountAmount).toBe(8000);
  });

  test('a second replacement of a line adds its details', () => {
    const once = after(order(threeShirts), replaceBy('sku_fine'), { coverage: covered([0, 1]) });
    const twice = after(once, replaceBy('prod_hat'), { coverage: covered([0, 1]) });
    expect(twice.lines[0]!.replacements.map(({ target_index }) => target_index)).toEqual([1, 2]);
  });

  test('a formula may give each source line its own number of target units', () => {
    const state = order([...threeBottles, { product_id: 'prod_mug' }]);
    const given = after(state, replaceBy('prod_sticker', 0), {
      coverage: covered([0, 1], [1, 1]),
      valueByLine: new Map([[1, 2]]),
      knows: new Catalogue({ products: [{ id: 'prod_sticker', price: 400 }] }),
    });
    expect(given.lines.map(({ quantity }) => quantity)).toEqual([3, 0, 2]);
  });

  test('the number of bundles does not multiply the units that replace (reference 01 §9)', () => {
    const given = after(order(threeShirts), replaceBy('sku_fine'), { coverage: covered([0, 1]), times: 2 });
    expect(given.lines[1]!.quantity).toBe(1);
  });

  test('no more units leave a line than are paid', () => {
    const state = order(threeShirts);
    const partly = { ...state, lines: [{ ...state.lines[0]!, freeQuantity: 2, discountAmount: 4000 }] };
    const given = after(partly, replaceBy('sku_fine'), { coverage: covered([0, 3]) });
    expect(given.lines.map(({ quantity, amount }) => [quantity, amount])).toEqual([
      [2, 4000],
      [1, 2500],
    ]);
  });

  test('a line that sells the target already stays', () => {
    const state = order([{ sku_id: 'sku_fine' }, ...threeShirts]);
    const given = after(state, replaceBy('sku_fine'), { coverage: covered([0, 1], [1, 1]) });
    expect(given.lines.map(({ quantity }) => quantity)).toEqual([2, 2]);
    expect(after(state, replaceBy('prod_shirt'), { coverage: covered([0, 1], [1, 1]) })).toBe(state);
  });

  test('closed sources stay, and a closed target leaves everything as it is', () => {
    const state = order([...threeShirts, ...threeBottles]);
    const closed = (id: string) => ({
      coverage: covered([0, 1], [1, 1]),
      isClosed: ({ identity }: { identity: { productId: string | undefined } }) => identity.productId === id,
    });
    expect(
      after(state, replaceBy('prod_mug'), closed('prod_shirt')).lines.map(({ quantity }) => quantity),
    ).toEqual([3, 2, 1]);
    expect(after(state, replaceBy('prod_mug'), closed('prod_mug'))).toBe(state);
  });

  test.each([
    ['nothing is covered', replaceBy('sku_fine'), nothingCovered],
    ['nothing is named', replaceBy(undefined), covered([0, 1])],
    ['nothing would come instead', replaceBy('sku_fine', 0.9), covered([0, 1])],
    ['the number is unknown', { effect: 'REPLACE_ITEMS' as const, unit_type: 'sku_fine' }, covered([0, 1])],
  ])('no effect where %s', (_, discount, coverage) => {
    const state = order(threeShirts);
    expect(after(state, discount, { coverage })).toBe(state);
  });

  test('only what the scope includes is replaced: nothing without a definition, everything by included_all', () => {
    const state = order([...threeShirts, { product_id: 'prod_mug' }]);
    const quantities = (scope: object) => {
      const options = { bundleQuantity: undefined, context: {}, isClosed: () => false, spent: new Map() };
      const voucher = { object: 'voucher', id: 'CODE', incentive: null } as const;
      const coverage = cover(state, voucher, { ...options, scope: { ...wholeOrder, ...scope } });
      return after(state, replaceBy('prod_hat'), { coverage }).lines.map(({ quantity }) => quantity);
    };
    expect(quantities({})).toEqual([3, 1]);
    expect(quantities({ included: [{ object: 'product', id: 'prod_shirt' }] })).toEqual([0, 1, 3]);
    expect(quantities({ excluded: [{ object: 'product', id: 'prod_shirt' }] })).toEqual([3, 1]);
    expect(quantities({ included_all: true })).toEqual([0, 0, 4]);
  });
});

describe('figures that no number holds', () => {
  test('a target amount of 2^53 − 1 is exact, with one more nothing is replaced', () => {
    const items = [
      { product_id: 'prod_bottle', price: 1 },
      { product_id: 'prod_own', price: 1, quantity: max - 2 },
    ];
    const state = order(items, 10);
    const coverage = covered([0, 1]);
    expect(after(state, replaceBy('prod_own', 2), { coverage }).lines[1]).toMatchObject({ amount: max });
    expect(after(state, replaceBy('prod_own', 3), { coverage })).toBe(state);
  });

  test('an order whose amount would pass it keeps its line', () => {
    const state = order(threeShirts, max - 500);
    expect(after(state, replaceBy('sku_fine'), { coverage: covered([0, 1]) }).amount).toBe(max);
    expect(after(state, replaceBy('sku_fine'), { coverage: covered([0, 2]) })).toBe(state);
  });

  test('the units of a target line are exact too', () => {
    const items = [
      { product_id: 'prod_sticker', quantity: 2 },
      { product_id: 'prod_own', quantity: max - 1 },
    ];
    const state = order(items);
    expect(after(state, replaceBy('prod_own'), { coverage: covered([0, 1]) }).lines[1]!.quantity).toBe(max);
    expect(after(state, replaceBy('prod_own'), { coverage: covered([0, 2]) })).toBe(state);
  });
});
