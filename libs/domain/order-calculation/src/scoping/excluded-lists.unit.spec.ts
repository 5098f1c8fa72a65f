import { changedLine } from '../order/order-state';
import { emptyCoverage } from './coverage';
import { wholeOrder } from './item-scope';
import { scopeLists } from './scope-lists';
import { cart, defaults, lists, mediumShirt, merchandise, posters, smallShirt } from './scope-lists.fixture';

describe('excluded definitions (reference 01 §6)', () => {
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
      merchandise,
      posters,
      mediumShirt,
      {
        object: 'product',
        id: 'prod_mug',
        source_id: 'mug',
        strict: true,
        ...defaults,
        order_item_indices: [0],
        order_item_units: [{ index: 0, units: [1, 2] }],
      },
      smallShirt,
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
