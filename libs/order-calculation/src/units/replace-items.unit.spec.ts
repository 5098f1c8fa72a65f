import { Catalogue } from '../catalogue/catalogue';
import type { OrderItemInput } from '../order/order';
import { storedOrderState } from '../order/normalise-order';
import { paidUnitsOf } from '../order/order-state';
import { wholeOrder } from '../scoping/item-scope';
import { cover } from '../scoping/cover';
import { after, covered, discounted, nothingCovered, order, viewAfter } from './units.fixture';

const max = Number.MAX_SAFE_INTEGER;
const by = (unitType: string | undefined, unitOff: number | undefined = 1) => ({
  effect: 'REPLACE_ITEMS' as const,
  unit_off: unitOff,
  ...(unitType !== undefined && { unit_type: unitType }),
});
const threeShirts: OrderItemInput[] = [{ sku_id: 'sku_plain', quantity: 3 }];
const threeBottles: OrderItemInput[] = [{ product_id: 'prod_bottle', quantity: 3 }];

describe('worked rows of spec 01 §11', () => {
  test('upgrade one of three 2000 shirts to a 2500 shirt', () => {
    const view = viewAfter(order(threeShirts), by('sku_fine'), { coverage: covered([0, 1]) });
    expect(view).toEqual({
      amount: 6500,
      initial_amount: 6000,
      items_discount_amount: 500,
      total_discount_amount: 500,
      total_amount: 6000,
      items_applied_discount_amount: 500,
      total_applied_discount_amount: 500,
      items: [
        {
          object: 'order_item',
          product_id: 'prod_shirt',
          sku_id: 'sku_plain',
          price: 2000,
          product: { id: 'prod_shirt', source_id: 'shirt', name: 'Shirt' },
          sku: { id: 'sku_plain', source_id: 'plain', sku: 'Plain shirt', price: 2000 },
          quantity: 2,
          initial_quantity: 3,
          amount: 4000,
          initial_amount: 6000,
          applied_quantity: -1,
          applied_quantity_amount: -2000,
          subtotal_amount: 4000,
          application_details: [
            {
              source_index: 0,
              source_applied_quantity: -1,
              source_applied_quantity_amount: -2000,
              target_index: 1,
              target_applied_quantity: 1,
              target_applied_quantity_amount: 2500,
              target_applied_discount_amount: 500,
            },
          ],
        },
        {
          object: 'order_item',
          product_id: 'prod_shirt',
          sku_id: 'sku_fine',
          price: 2500,
          product: { id: 'prod_shirt', source_id: 'shirt', name: 'Shirt' },
          sku: { id: 'sku_fine', sku: 'Fine shirt', price: 2500 },
          quantity: 1,
          initial_quantity: 0,
          amount: 2500,
          initial_amount: 0,
          discount_amount: 500,
          discount_quantity: 1,
          applied_discount_amount: 500,
          applied_discount_quantity: 1,
          applied_quantity: 1,
          applied_quantity_amount: 2500,
          subtotal_amount: 2000,
        },
      ],
    });
  });

  test.each([
    { each: 1, amount: 6000, discount: undefined, total: 6000, mugs: 1000, of: undefined },
    { each: 3, amount: 8000, discount: 500, total: 7500, mugs: 3000, of: 3 },
  ])('replace one of three 2500 bottles by $each mug(s) of 1000', (row) => {
    const view = viewAfter(order(threeBottles), by('prod_mug', row.each), { coverage: covered([0, 1]) });
    expect(view.amount).toBe(row.amount);
    expect(view.items_discount_amount).toBe(row.discount);
    expect(view.total_amount).toBe(row.total);
    expect(view.items.map(({ quantity, amount }) => [quantity, amount])).toEqual([
      [2, 5000],
      [row.each, row.mugs],
    ]);
    expect(view.items[1]!.discount_quantity).toBe(row.of);
    expect(view.items[0]!.application_details![0]!.target_applied_discount_amount).toBe(row.discount ?? 0);
  });
});

describe('REPLACE_ITEMS (spec 01 §7)', () => {
  test('an existing line of the target takes the units at its own price', () => {
    const state = order([{ product_id: 'prod_hat', price: 3000, quantity: 2 }, ...threeBottles]);
    const given = after(state, by('prod_hat'), { coverage: covered([1, 2]) });
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
    const [source, target] = after(order(threeShirts), by('sku_fine'), { coverage: covered([0, 2]) }).lines;
    expect([paidUnitsOf(source!), paidUnitsOf(target!)]).toEqual([1, 2]);
  });

  test('several lines join one appended line, each with its own details', () => {
    const state = order([...threeShirts, { product_id: 'prod_mug', quantity: 2 }]);
    const given = after(state, by('prod_hat'), { coverage: covered([0, 1], [1, 2]) });
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
    const once = after(order(threeShirts), by('sku_fine'), { coverage: covered([0, 1]) });
    const twice = after(once, by('prod_hat'), { coverage: covered([0, 1]) });
    expect(twice.lines[0]!.replacements.map(({ target_index }) => target_index)).toEqual([1, 2]);
  });

  test('a formula may give each source line its own number of target units', () => {
    const state = order([...threeBottles, { product_id: 'prod_mug' }]);
    const given = after(state, by('prod_sticker', 0), {
      coverage: covered([0, 1], [1, 1]),
      valueByLine: new Map([[1, 2]]),
      knows: new Catalogue({ products: [{ id: 'prod_sticker', price: 400 }] }),
    });
    expect(given.lines.map(({ quantity }) => quantity)).toEqual([3, 0, 2]);
  });

  test('the number of bundles does not multiply the units that replace (spec 01 §9)', () => {
    const given = after(order(threeShirts), by('sku_fine'), { coverage: covered([0, 1]), times: 2 });
    expect(given.lines[1]!.quantity).toBe(1);
  });

  test('no more units leave a line than are paid', () => {
    const state = order(threeShirts);
    const partly = { ...state, lines: [{ ...state.lines[0]!, freeQuantity: 2, discountAmount: 4000 }] };
    const given = after(partly, by('sku_fine'), { coverage: covered([0, 3]) });
    expect(given.lines.map(({ quantity, amount }) => [quantity, amount])).toEqual([
      [2, 4000],
      [1, 2500],
    ]);
  });

  test('a line that sells the target already stays', () => {
    const state = order([{ sku_id: 'sku_fine' }, ...threeShirts]);
    const given = after(state, by('sku_fine'), { coverage: covered([0, 1], [1, 1]) });
    expect(given.lines.map(({ quantity }) => quantity)).toEqual([2, 2]);
    expect(after(state, by('prod_shirt'), { coverage: covered([0, 1], [1, 1]) })).toBe(state);
  });

  test('closed sources stay, and a closed target leaves everything as it is', () => {
    const state = order([...threeShirts, ...threeBottles]);
    const closed = (id: string) => ({
      coverage: covered([0, 1], [1, 1]),
      isClosed: ({ identity }: { identity: { productId: string | undefined } }) => identity.productId === id,
    });
    expect(after(state, by('prod_mug'), closed('prod_shirt')).lines.map(({ quantity }) => quantity)).toEqual([
      3, 2, 1,
    ]);
    expect(after(state, by('prod_mug'), closed('prod_mug'))).toBe(state);
  });

  test.each([
    ['nothing is covered', by('sku_fine'), nothingCovered],
    ['nothing is named', by(undefined), covered([0, 1])],
    ['nothing would come instead', by('sku_fine', 0.9), covered([0, 1])],
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
      return after(state, by('prod_hat'), { coverage }).lines.map(({ quantity }) => quantity);
    };
    expect(quantities({})).toEqual([3, 1]);
    expect(quantities({ included: [{ object: 'product', id: 'prod_shirt' }] })).toEqual([0, 1, 3]);
    expect(quantities({ excluded: [{ object: 'product', id: 'prod_shirt' }] })).toEqual([3, 1]);
    expect(quantities({ included_all: true })).toEqual([0, 0, 4]);
  });
});

describe('discounts that were there before', () => {
  test('stay on the source as far as its amount holds them', () => {
    const state = discounted(order(threeShirts), 0, [4000]);
    const given = after(state, by('sku_fine'), { coverage: covered([0, 1]) });
    expect(given.lines.map(({ discountAmount }) => discountAmount)).toEqual([4000, 500]);
  });

  test('move to the target as far as they exceed it: an upgrade leaves the total unchanged', () => {
    const state = discounted(order(threeShirts), 0, [4001]);
    const given = after(state, by('sku_fine'), { coverage: covered([0, 1]) });
    expect(given.lines.map(({ discountAmount }) => discountAmount)).toEqual([4000, 501]);
    expect(given.lines[0]!.replacements[0]!.target_applied_discount_amount).toBe(501);
    expect(viewAfter(state, by('sku_fine'), { coverage: covered([0, 3]) }).total_amount).toBe(1999);
  });

  test('are lost where the target costs less than they are', () => {
    const state = discounted(order(threeBottles), 0, [7000]);
    const given = viewAfter(state, by('prod_mug'), { coverage: covered([0, 3]) });
    expect(given).toMatchObject({ amount: 3000, items_discount_amount: 3000, total_amount: 0 });
  });

  test('discounted units of the source are at most the units it has', () => {
    const state = order(threeShirts);
    const counted = { ...state, lines: [{ ...state.lines[0]!, discountQuantity: 2 }] };
    const left = (units: number) =>
      after(counted, by('sku_fine'), { coverage: covered([0, units]) }).lines[0]!.discountQuantity;
    expect([left(1), left(2)]).toEqual([2, 1]);
  });

  test.each([
    [6000, 6000, 0],
    [6001, 6000, 0],
    [5999, 5999, 1],
  ])('an order discount of %s is %s on what is left', (before, remaining, total) => {
    const state = discounted(order(threeBottles), before);
    const view = viewAfter(state, by('prod_mug'), { coverage: covered([0, 1]) });
    expect(view).toMatchObject({ amount: 6000, discount_amount: remaining, total_amount: total });
  });

  test('an amount that was sent too low does not fall below 0', () => {
    const view = viewAfter(order(threeBottles, 1000), by('prod_mug'), { coverage: covered([0, 1]) });
    expect(view).toMatchObject({ amount: 0, initial_amount: 1000, total_amount: 0 });
  });
});

describe('lines without a known price', () => {
  test('are replaced without changing the total', () => {
    const state = order([{ product_id: 'prod_sticker', quantity: 2 }]);
    const view = viewAfter(state, by('prod_mug'), { coverage: covered([0, 1]) });
    expect(view).toMatchObject({ amount: 1000, items_discount_amount: 1000, total_amount: 0 });
    expect(view.items[0]).toMatchObject({ quantity: 1, application_details: [{ target_index: 1 }] });
    expect(view.items[0]).not.toHaveProperty('amount');
    expect(view.items[0]!.application_details![0]!.source_applied_quantity_amount).toBe(0);
  });

  test('replace each other by their units alone', () => {
    const state = order([{ product_id: 'prod_sticker', quantity: 2 }]);
    const given = after(state, by('prod_nobody', 2), { coverage: covered([0, 1]) });
    expect(given).toMatchObject({
      amount: 0,
      lines: [{ quantity: 1 }, { quantity: 2, discountQuantity: 0 }],
    });
    expect(given.lines.map(({ amount }) => amount)).toEqual([undefined, undefined]);
  });

  test('do not replace what has a price', () => {
    const state = order(threeShirts);
    expect(after(state, by('prod_sticker'), { coverage: covered([0, 1]) })).toBe(state);
  });

  test('a line with an amount alone loses its average, and gets it back from what the cart held', () => {
    const state = order([{ product_id: 'prod_sticker', quantity: 3, amount: 1000 }, ...threeShirts]);
    const given = after(state, by('prod_mug'), { coverage: covered([0, 2]) });
    expect(given.lines[0]).toMatchObject({ quantity: 1, amount: 333 });
    const emptied = after(state, by('prod_mug'), { coverage: covered([0, 3]) });
    expect(emptied.lines[0]).toMatchObject({ quantity: 0, amount: 0 });
    const again = after(emptied, { effect: 'ADD_NEW_ITEMS', unit_off: 3, unit_type: 'prod_sticker' });
    expect(again.lines[0]).toMatchObject({ quantity: 3, amount: 1000, discountAmount: 1000 });
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
    expect(after(state, by('prod_own', 2), { coverage }).lines[1]).toMatchObject({ amount: max });
    expect(after(state, by('prod_own', 3), { coverage })).toBe(state);
  });

  test('an order whose amount would pass it keeps its line', () => {
    const state = order(threeShirts, max - 500);
    expect(after(state, by('sku_fine'), { coverage: covered([0, 1]) }).amount).toBe(max);
    expect(after(state, by('sku_fine'), { coverage: covered([0, 2]) })).toBe(state);
  });

  test('the units of a target line are exact too', () => {
    const items = [
      { product_id: 'prod_sticker', quantity: 2 },
      { product_id: 'prod_own', quantity: max - 1 },
    ];
    const state = order(items);
    expect(after(state, by('prod_own'), { coverage: covered([0, 1]) }).lines[1]!.quantity).toBe(max);
    expect(after(state, by('prod_own'), { coverage: covered([0, 2]) })).toBe(state);
  });
});

describe('stored orders (spec 01 §3)', () => {
  const stored = (...args: Parameters<typeof viewAfter>) => storedOrderState(viewAfter(...args)).lines;

  test('added units are still free, units that replaced others still paid', () => {
    const given = stored(order([{ product_id: 'prod_mug', quantity: 2 }]), {
      effect: 'ADD_NEW_ITEMS',
      unit_off: 3,
      unit_type: 'prod_mug',
    });
    expect(given[0]!.freeQuantity).toBe(3);
    const replaced = stored(order(threeShirts), by('sku_fine'), { coverage: covered([0, 2]) });
    expect(replaced.map(({ freeQuantity }) => freeQuantity)).toEqual([0, 0]);
  });

  test('a line with both keeps the free ones free', () => {
    const both = after(order(threeShirts), by('sku_fine'), { coverage: covered([0, 2]) });
    const given = stored(both, { effect: 'ADD_NEW_ITEMS', unit_off: 1, unit_type: 'sku_fine' });
    expect(given[1]).toMatchObject({
      quantity: 3,
      discountQuantity: 3,
      discountAmount: 3500,
      freeQuantity: 1,
    });
  });

  test('added units without a price are free', () => {
    const given = stored(order([]), { effect: 'ADD_NEW_ITEMS', unit_off: 2, unit_type: 'prod_sticker' });
    expect(given[0]).toMatchObject({ quantity: 2, freeQuantity: 2 });
  });
});
