import type { ScopedItem } from './item-scope';
import { included, lists, mediumShirt, merchandise, posters } from './scope-lists.fixture';

describe('collections (reference 01 §6, reference 02 §1.3)', () => {
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
      { ...merchandise, ...terms, ...budgets },
      { ...posters, ...terms },
      { ...mediumShirt, ...terms },
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
