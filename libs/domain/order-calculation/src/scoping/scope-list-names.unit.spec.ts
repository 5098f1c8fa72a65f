import { Catalogue } from '../catalogue/catalogue';
import { defaults, included, lists } from './scope-lists.fixture';
import { orderOf } from './scoping.fixture';

describe('names', () => {
  const nothing = new Catalogue();

  test('what the catalogue does not know is named by the definition and by the first line', () => {
    const order = orderOf(
      [
        { sku_id: 'sku_new', sku: { source_id: 'new-m' }, product: { id: 'prod_new', source_id: 'new' } },
        { product_id: 'prod_old', product: { source_id: 'old' } },
      ],
      nothing,
    );
    const { data } = lists(
      {
        included: [
          { object: 'sku', source_id: 'new-m' },
          { object: 'product', id: 'prod_old' },
          { object: 'product', source_id: 'none' },
        ],
      },
      order,
      nothing,
    ).applicable_to;
    expect(
      data.map(({ id, source_id, product_id, product_source_id }) => [
        id,
        source_id,
        product_id,
        product_source_id,
      ]),
    ).toEqual([
      ['sku_new', 'new-m', 'prod_new', 'new'],
      ['prod_old', 'old', undefined, undefined],
      ['none', 'none', undefined, undefined],
    ]);
  });

  test('items of a collection without an id are named by their source id, others not at all', () => {
    const order = orderOf(
      [
        { source_id: 'new', related_object: 'product' },
        { source_id: 'new-m', related_object: 'sku' },
        { price: 5 },
        { source_id: 'new', related_object: 'product' },
      ],
      nothing,
    );
    const { data } = lists({ included_all: true }, order, nothing).applicable_to;
    expect(
      data.map(({ object, id, source_id, order_item_indices }) => [
        object,
        id,
        source_id,
        order_item_indices,
      ]),
    ).toEqual([
      ['products_collection', 'pc_a11pr0dUc75', undefined, [0, 1, 2, 3]],
      ['product', 'new', 'new', [0, 3]],
      ['sku', 'new-m', 'new-m', [1]],
    ]);
    expect(data[2]).not.toHaveProperty('product_id');
    expect(data[2]).not.toHaveProperty('product_source_id');
  });

  test('a product and a SKU of one id are two items', () => {
    const order = orderOf([{ product_id: 'x' }, { sku_id: 'x' }], nothing);
    const { data } = lists({ included_all: true }, order, nothing).applicable_to;
    expect(data.map(({ object, id }) => [object, id])).toEqual([
      ['products_collection', 'pc_a11pr0dUc75'],
      ['product', 'x'],
      ['sku', 'x'],
    ]);
  });

  test('a SKU that nobody knows is named by its definition alone', () => {
    expect(
      included({ object: 'sku', id: 'sku_new' }, { object: 'sku', source_id: 'new' }).data,
    ).toStrictEqual([
      { object: 'sku', id: 'sku_new', strict: true, ...defaults },
      { object: 'sku', id: 'new', source_id: 'new', strict: true, ...defaults },
    ]);
  });

  test('settings and names that are absent are left out', () => {
    const order = orderOf([{ product_id: 'x' }], nothing);
    const found = { order_item_indices: [0], order_item_units: [{ index: 0, units: [1] }] };
    expect(lists({ included_all: true }, order, nothing).applicable_to.data).toStrictEqual([
      { object: 'products_collection', id: 'pc_a11pr0dUc75', strict: false, ...defaults, ...found },
      { object: 'product', id: 'x', strict: true, ...defaults, ...found },
    ]);
  });

  test('a definition without any name has an empty id and matches nothing', () => {
    expect(included({ object: 'product' }).data).toEqual([
      { object: 'product', id: '', strict: true, ...defaults },
    ]);
  });
});
