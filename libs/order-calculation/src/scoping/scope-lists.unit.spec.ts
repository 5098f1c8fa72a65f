import { changedLine } from '../order/order-state';
import { emptyCoverage } from './coverage';
import { type ItemScope, type ScopedItem, wholeOrder } from './item-scope';
import { type ScopeList, scopeLists } from './scope-lists';
import { covered, orderOf, shop } from './scoping.fixture';

const cart = orderOf([
  { product_id: 'prod_mug', quantity: 2 },
  { product_id: 'prod_poster', quantity: 3 },
  { sku_id: 'sku_shirt_m', quantity: 1 },
  { product_id: 'prod_poster', quantity: 1 },
]);

const defaults = { effect: 'APPLY_TO_EVERY', skip_initially: 0, repeat: 1, target: 'ITEM' };

const lists = (sent: Partial<ItemScope>, order = cart, catalogue = shop): ReturnType<typeof scopeLists> => {
  const scope = { ...wholeOrder, ...sent };
  return scopeLists(order, scope, covered(order, scope), catalogue);
};

const included = (...definitions: ScopedItem[]): ScopeList => lists({ included: definitions }).applicable_to;

describe('list objects', () => {
  test('a scope that says nothing of items has empty lists', () => {
    const empty = { object: 'list', data_ref: 'data', data: [], total: 0 };
    expect(lists({})).toEqual({ applicable_to: empty, inapplicable_to: empty });
    expect(scopeLists(null, wholeOrder, emptyCoverage)).toEqual({
      applicable_to: empty,
      inapplicable_to: empty,
    });
  });

  test('empty lists cannot be filled by accident', () => {
    const { applicable_to } = lists({});
    expect(() => applicable_to.data.push({} as never)).toThrow(TypeError);
    expect(() => Object.assign(applicable_to, { total: 1 })).toThrow(TypeError);
  });

  test('total counts the entries, those of matched items too', () => {
    const { applicable_to, inapplicable_to } = lists({
      included: [{ object: 'products_collection', id: 'pc_merch' }],
      excluded: [{ object: 'product', id: 'prod_mug' }],
    });
    expect(applicable_to).toMatchObject({ object: 'list', data_ref: 'data', total: 3 });
    expect(applicable_to.data).toHaveLength(3);
    expect(inapplicable_to).toMatchObject({ object: 'list', data_ref: 'data', total: 1 });
    expect(inapplicable_to.data).toHaveLength(1);
  });

  test('with exclusions only, nothing is listed as included', () => {
    const { applicable_to, inapplicable_to } = lists({ excluded: [{ object: 'product', id: 'prod_mug' }] });
    expect(applicable_to.total).toBe(0);
    expect(inapplicable_to.total).toBe(1);
  });
});

describe('included definitions (spec 01 §6)', () => {
  test('a product with its lines and units', () => {
    expect(included({ object: 'product', id: 'prod_poster' }).data).toEqual([
      {
        object: 'product',
        id: 'prod_poster',
        source_id: 'poster',
        strict: true,
        ...defaults,
        order_item_indices: [1, 3],
        order_item_units: [
          { index: 1, units: [1, 2, 3] },
          { index: 3, units: [1] },
        ],
      },
    ]);
  });

  test('a SKU with its product', () => {
    expect(included({ object: 'sku', source_id: 'shirt-m' }).data).toEqual([
      {
        object: 'sku',
        id: 'sku_shirt_m',
        source_id: 'shirt-m',
        product_id: 'prod_shirt',
        product_source_id: 'shirt',
        strict: true,
        ...defaults,
        order_item_indices: [2],
        order_item_units: [{ index: 2, units: [1] }],
      },
    ]);
  });

  test('what matches nothing has neither lines nor units', () => {
    expect(
      included({ object: 'sku', id: 'sku_shirt_s' }, { object: 'products_collection', id: 'pc_x' }).data,
    ).toEqual([
      {
        object: 'sku',
        id: 'sku_shirt_s',
        source_id: 'shirt-s',
        product_id: 'prod_shirt',
        product_source_id: 'shirt',
        strict: true,
        ...defaults,
      },
      { object: 'products_collection', id: 'pc_x', strict: false, ...defaults },
    ]);
  });

  test('settings are listed as set', () => {
    const definition: ScopedItem = {
      object: 'product',
      id: 'prod_bottle',
      effect: 'APPLY_FROM_CHEAPEST',
      skip_initially: 1,
      repeat: 2,
      target: 'UNIT',
      price: 0,
      price_formula: 'ORDER_AMOUNT',
      quantity_limit: 0,
      aggregated_quantity_limit: 4,
      amount_limit: 5,
      aggregated_amount_limit: 6,
      product_campaign_quantity_limit: 7,
      product_customer_campaign_quantity_limit_formula: '8',
    };
    expect(included(definition).data).toEqual([{ ...definition, source_id: 'bottle', strict: true }]);
  });

  test('lines and units follow the application sequence', () => {
    const [entry] = included({
      object: 'products_collection',
      id: 'pc_a11pr0dUc75',
      effect: 'APPLY_FROM_MOST_EXPENSIVE',
      target: 'UNIT',
      skip_initially: 1,
      repeat: 2,
    }).data;
    expect(entry).toMatchObject({
      order_item_indices: [1, 0],
      order_item_units: [
        { index: 1, units: [1, 3] },
        { index: 0, units: [1] },
      ],
    });
  });

  test('limits of units are not counted in', () => {
    const [entry] = included({ object: 'product', id: 'prod_poster', aggregated_quantity_limit: 1 }).data;
    expect(entry).toMatchObject({ aggregated_quantity_limit: 1, order_item_indices: [1, 3] });
  });

  test('free units are not covered', () => {
    const order = { ...cart, lines: cart.lines.map((line) => changedLine(line, { freeQuantity: 1 })) };
    const { applicable_to } = lists({ included: [{ object: 'product', id: 'prod_poster' }] }, order);
    expect(applicable_to.data[0]!.order_item_units).toEqual([{ index: 1, units: [1, 2] }]);
  });

  test('without an order, definitions are listed without lines', () => {
    const scope = { ...wholeOrder, included: [{ object: 'product' as const, id: 'prod_mug' }] };
    expect(scopeLists(null, scope, emptyCoverage).applicable_to.data).toEqual([
      { object: 'product', id: 'prod_mug', strict: true, ...defaults },
    ]);
  });
});

describe('collections (spec 01 §6, spec 02 §1.3)', () => {
  test('are followed by every distinct item they matched, on their terms for single lines', () => {
    const terms = {
      price: 1,
      price_formula: '2',
      quantity_limit: 3,
      amount_limit: 0,
      repeat: 1,
      target: 'ITEM',
    } as const;
    const budgets = {
      aggregated_quantity_limit: 9,
      aggregated_amount_limit: 9,
      product_campaign_quantity_limit: 9,
    };
    const { data } = included({ object: 'products_collection', id: 'pc_merch', ...terms, ...budgets });
    expect(data).toEqual([
      {
        object: 'products_collection',
        id: 'pc_merch',
        strict: false,
        ...defaults,
        ...terms,
        ...budgets,
        order_item_indices: [1, 2, 3],
        order_item_units: [
          { index: 1, units: [1, 2, 3] },
          { index: 2, units: [1] },
          { index: 3, units: [1] },
        ],
      },
      {
        object: 'product',
        id: 'prod_poster',
        source_id: 'poster',
        strict: true,
        ...defaults,
        ...terms,
        order_item_indices: [1, 3],
        order_item_units: [
          { index: 1, units: [1, 2, 3] },
          { index: 3, units: [1] },
        ],
      },
      {
        object: 'sku',
        id: 'sku_shirt_m',
        source_id: 'shirt-m',
        product_id: 'prod_shirt',
        product_source_id: 'shirt',
        strict: true,
        ...defaults,
        ...terms,
        order_item_indices: [2],
        order_item_units: [{ index: 2, units: [1] }],
      },
    ]);
  });

  test('items whose lines are all skipped are listed without lines', () => {
    const { data } = included({
      object: 'products_collection',
      id: 'pc_merch',
      effect: 'APPLY_TO_MOST_EXPENSIVE',
    });
    expect(data.map(({ id, effect, order_item_indices }) => [id, effect, order_item_indices])).toEqual([
      ['pc_merch', 'APPLY_TO_MOST_EXPENSIVE', [2]],
      ['prod_poster', 'APPLY_TO_MOST_EXPENSIVE', undefined],
      ['sku_shirt_m', 'APPLY_TO_MOST_EXPENSIVE', [2]],
    ]);
    expect(data[1]).not.toHaveProperty('order_item_indices');
    expect(data[1]).not.toHaveProperty('order_item_units');
  });

  test('lines of a more specific definition are listed there only', () => {
    const { data } = included(
      { object: 'products_collection', id: 'pc_merch' },
      { object: 'product', id: 'prod_poster' },
    );
    expect(data.map(({ object, id, order_item_indices }) => [object, id, order_item_indices])).toEqual([
      ['products_collection', 'pc_merch', [2]],
      ['sku', 'sku_shirt_m', [2]],
      ['product', 'prod_poster', [1, 3]],
    ]);
  });

  test('everything included is listed as the built-in collection, behind the definitions', () => {
    const { data } = lists({
      included: [{ object: 'product', id: 'prod_poster' }],
      included_all: true,
    }).applicable_to;
    expect(data.map(({ object, id, order_item_indices }) => [object, id, order_item_indices])).toEqual([
      ['product', 'prod_poster', [1, 3]],
      ['products_collection', 'pc_a11pr0dUc75', [0, 2]],
      ['product', 'prod_mug', [0]],
      ['sku', 'sku_shirt_m', [2]],
    ]);
  });

  test('the built-in collection is listed once', () => {
    const builtIn: ScopedItem = { object: 'products_collection', id: 'pc_a11pr0dUc75', quantity_limit: 5 };
    const { data } = lists({ included: [builtIn], included_all: true }).applicable_to;
    expect(data.filter(({ object }) => object === 'products_collection')).toHaveLength(1);
    expect(data[0]).toMatchObject({ quantity_limit: 5, order_item_indices: [0, 1, 2, 3] });
  });

  test('another collection is not the built-in one', () => {
    const { data } = lists({
      included: [{ object: 'products_collection', id: 'pc_kitchen' }],
      included_all: true,
    }).applicable_to;
    expect(data.map(({ id, order_item_indices }) => [id, order_item_indices])).toEqual([
      ['pc_kitchen', [0]],
      ['prod_mug', [0]],
      ['pc_a11pr0dUc75', [1, 2, 3]],
      ['prod_poster', [1, 3]],
      ['sku_shirt_m', [2]],
    ]);
  });

  test('a product or SKU of that id is not the built-in collection', () => {
    const { data } = lists({
      included: [{ object: 'product', id: 'pc_a11pr0dUc75' }],
      included_all: true,
    }).applicable_to;
    expect(data[1]).toMatchObject({ object: 'products_collection', order_item_indices: [0, 1, 2, 3] });
  });
});

describe('excluded definitions (spec 01 §6)', () => {
  test('are listed likewise, with whole lines', () => {
    const order = { ...cart, lines: cart.lines.map((line) => changedLine(line, { freeQuantity: 1 })) };
    const { applicable_to, inapplicable_to } = lists(
      {
        included_all: true,
        excluded: [
          { object: 'products_collection', id: 'pc_merch' },
          { object: 'product', id: 'prod_mug' },
          { object: 'sku', id: 'sku_shirt_s' },
        ],
      },
      order,
    );
    expect(applicable_to.data).toEqual([
      { object: 'products_collection', id: 'pc_a11pr0dUc75', strict: false, ...defaults },
    ]);
    expect(inapplicable_to.data).toEqual([
      {
        object: 'products_collection',
        id: 'pc_merch',
        strict: false,
        ...defaults,
        order_item_indices: [1, 2, 3],
        order_item_units: [
          { index: 1, units: [1, 2, 3] },
          { index: 2, units: [1] },
          { index: 3, units: [1] },
        ],
      },
      {
        object: 'product',
        id: 'prod_poster',
        source_id: 'poster',
        strict: true,
        ...defaults,
        order_item_indices: [1, 3],
        order_item_units: [
          { index: 1, units: [1, 2, 3] },
          { index: 3, units: [1] },
        ],
      },
      {
        object: 'sku',
        id: 'sku_shirt_m',
        source_id: 'shirt-m',
        product_id: 'prod_shirt',
        product_source_id: 'shirt',
        strict: true,
        ...defaults,
        order_item_indices: [2],
        order_item_units: [{ index: 2, units: [1] }],
      },
      {
        object: 'product',
        id: 'prod_mug',
        source_id: 'mug',
        strict: true,
        ...defaults,
        order_item_indices: [0],
        order_item_units: [{ index: 0, units: [1, 2] }],
      },
      {
        object: 'sku',
        id: 'sku_shirt_s',
        source_id: 'shirt-s',
        product_id: 'prod_shirt',
        product_source_id: 'shirt',
        strict: true,
        ...defaults,
      },
    ]);
  });

  test('lines of which no unit is left are not listed', () => {
    const order = {
      ...cart,
      lines: cart.lines.map((line, i) => (i === 1 ? changedLine(line, { quantity: 0 }) : line)),
    };
    const { inapplicable_to } = lists({ excluded: [{ object: 'product', id: 'prod_poster' }] }, order);
    expect(inapplicable_to.data[0]!.order_item_indices).toEqual([3]);
  });

  test('without an order, they are listed without lines', () => {
    const scope = { ...wholeOrder, excluded: [{ object: 'products_collection' as const, id: 'pc_x' }] };
    expect(scopeLists(null, scope, emptyCoverage).inapplicable_to.data).toEqual([
      { object: 'products_collection', id: 'pc_x', strict: false, ...defaults },
    ]);
  });
});

describe('orders of many units (spec 01 §6)', () => {
  const both = {
    included: [{ object: 'product' as const, id: 'prod_mug' }],
    excluded: [{ object: 'products_collection' as const, id: 'pc_merch' }],
  };

  test('1000 units are listed one by one', () => {
    const { applicable_to, inapplicable_to } = lists(
      both,
      orderOf([
        { product_id: 'prod_mug', quantity: 998 },
        { product_id: 'prod_poster', quantity: 2 },
      ]),
    );
    expect(applicable_to.data[0]!.order_item_units).toEqual([
      { index: 0, units: Array.from({ length: 998 }, (_, position) => position + 1) },
    ]);
    expect(inapplicable_to.data[0]!.order_item_units).toEqual([{ index: 1, units: [1, 2] }]);
  });

  test('1001 are not', () => {
    const { applicable_to, inapplicable_to } = lists(
      both,
      orderOf([
        { product_id: 'prod_mug', quantity: 999 },
        { product_id: 'prod_poster', quantity: 2 },
      ]),
    );
    expect(applicable_to.data[0]).toMatchObject({ order_item_indices: [0] });
    expect(applicable_to.data[0]!.order_item_units).toEqual([{ index: 0, units_limit_exceeded: true }]);
    expect(inapplicable_to.data[0]!.order_item_units).toEqual([{ index: 1, units_limit_exceeded: true }]);
    expect(inapplicable_to.data[1]!.order_item_units).toEqual([{ index: 1, units_limit_exceeded: true }]);
  });
});
