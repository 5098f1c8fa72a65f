import { changedLine } from '../order/order-state';
import { emptyCoverage } from './coverage';
import { type ScopedItem, wholeOrder } from './item-scope';
import { scopeLists } from './scope-lists';
import { cart, defaults, included, lists, mediumShirt, posters, smallShirt } from './scope-lists.fixture';

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

describe('included definitions (reference 01 §6)', () => {
  test('a product with its lines and units', () => {
    expect(included({ object: 'product', id: 'prod_poster' }).data).toEqual([posters]);
  });

  test('a SKU with its product', () => {
    expect(included({ object: 'sku', source_id: 'shirt-m' }).data).toEqual([mediumShirt]);
  });

  test('what matches nothing has neither lines nor units', () => {
    expect(
      included({ object: 'sku', id: 'sku_shirt_s' }, { object: 'products_collection', id: 'pc_x' }).data,
    ).toEqual([smallShirt, { object: 'products_collection', id: 'pc_x', strict: false, ...defaults }]);
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
