import { lists } from './scope-lists.fixture';
import { orderOf } from './scoping.fixture';

describe('orders of many units (reference 01 §6)', () => {
  const listsOf = (mugs: number) =>
    lists(
      {
        included: [{ object: 'product', id: 'prod_mug' }],
        excluded: [{ object: 'products_collection', id: 'pc_merch' }],
      },
      orderOf([
        { product_id: 'prod_mug', quantity: mugs },
        { product_id: 'prod_poster', quantity: 2 },
      ]),
    );

  test('1000 units are listed one by one', () => {
    const { applicable_to, inapplicable_to } = listsOf(998);
    expect(applicable_to.data[0]!.order_item_units).toEqual([
      { index: 0, units: Array.from({ length: 998 }, (_, position) => position + 1) },
    ]);
    expect(inapplicable_to.data[0]!.order_item_units).toEqual([{ index: 1, units: [1, 2] }]);
  });

  test('1001 are not', () => {
    const { applicable_to, inapplicable_to } = listsOf(999);
    expect(applicable_to.data[0]).toMatchObject({ order_item_indices: [0] });
    expect(applicable_to.data[0]!.order_item_units).toEqual([{ index: 0, units_limit_exceeded: true }]);
    expect(inapplicable_to.data[0]!.order_item_units).toEqual([{ index: 1, units_limit_exceeded: true }]);
    expect(inapplicable_to.data[1]!.order_item_units).toEqual([{ index: 1, units_limit_exceeded: true }]);
  });
});
