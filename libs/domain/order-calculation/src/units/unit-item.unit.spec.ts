import { cart } from '../calculation.fixture';
import type { OrderState } from '../order/order-state';
import { addNew, after, order, viewAfter } from './units.fixture';

/** Quantities of the lines after one more of the item. */
const quantitiesAfter = (state: OrderState, unitType: string): number[] =>
  after(state, addNew(1, unitType)).lines.map(({ quantity }) => quantity);

describe('the item of ADD_NEW_ITEMS (reference 01 §7)', () => {
  test('the new line is known by every name of the item', () => {
    const { lines } = after(order([]), addNew(1, 'sku_plain'));
    expect(lines[0]!.identity).toEqual({
      productId: 'prod_shirt',
      productSourceId: 'shirt',
      skuId: 'sku_plain',
      skuSourceId: 'plain',
      collections: ['pc_clothes'],
    });
  });

  test('a product covers its SKUs, and a SKU is not its sibling', () => {
    const state = order([{ sku_id: 'sku_fine' }]);
    expect(quantitiesAfter(state, 'prod_shirt')).toEqual([2]);
    expect(quantitiesAfter(state, 'sku_fine')).toEqual([2]);
    expect(quantitiesAfter(state, 'sku_plain')).toEqual([1, 1]);
  });

  test('items may be named by source id', () => {
    const state = order([{ sku_id: 'sku_plain' }, { product_id: 'prod_mug' }]);
    expect(quantitiesAfter(state, 'plain')).toEqual([2, 1]);
    expect(quantitiesAfter(state, 'mug')).toEqual([1, 2]);
  });

  test('lines that carry only the source id of a record are lines of it', () => {
    const state = cart({
      items: [
        { source_id: 'mug', related_object: 'product' },
        { source_id: 'plain', related_object: 'sku' },
      ],
    });
    expect(quantitiesAfter(state, 'prod_mug')).toEqual([2, 1]);
    expect(quantitiesAfter(state, 'sku_plain')).toEqual([1, 2]);
  });

  test.each([
    ['a product', { product_id: 'prod_own', price: 700 }, 'prod_own'],
    ['a SKU', { sku_id: 'own', price: 700 }, 'own'],
    ['a source id', { source_id: 'own', related_object: 'sku' as const, price: 700 }, 'own'],
    ['an embedded product', { product: { source_id: 'own' }, price: 700 }, 'own'],
  ])('%s that only the cart knows is found there, at its price', (_, item, unitType) => {
    const { lines } = after(order([item]), addNew(2, unitType));
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatchObject({ quantity: 3, amount: 2100, discountAmount: 1400 });
  });

  test.each([
    ['prod_nobody', { product_id: 'prod_nobody' }],
    ['nobody', { product_id: 'nobody' }],
    ['sku_nobody', { sku_id: 'sku_nobody' }],
  ])('%s, which nobody knows, becomes a line without a price', (unitType, reference) => {
    const state = order([{ product_id: 'prod_mug' }]);
    const { items, ...totals } = viewAfter(state, addNew(2, unitType));
    expect(totals).toEqual({ amount: 1000, initial_amount: 1000, total_amount: 1000 });
    expect(items[1]).toEqual({
      object: 'order_item',
      ...reference,
      quantity: 2,
      initial_quantity: 0,
      discount_quantity: 2,
      applied_discount_quantity: 2,
      applied_quantity: 2,
    });
  });
});
