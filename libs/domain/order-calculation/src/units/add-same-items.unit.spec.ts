import type { OrderItemInput } from '../order/order';
import { addNew, addSame, after, order } from './units.fixture';

const quantitiesAfter = (items: OrderItemInput[], unitOff: number, unitType: string): number[] =>
  after(order(items), addSame(unitOff, unitType)).lines.map(({ quantity }) => quantity);

describe('ADD_SAME_ITEMS (reference 01 §7, §13)', () => {
  test.each([
    ['a product', 'prod_mug', [3, 1, 2, 3]],
    ['a SKU', 'sku_fine', [1, 3, 2, 3]],
    ['a product with its SKUs', 'prod_shirt', [1, 3, 4, 3]],
    ['a collection', 'pc_clothes', [1, 3, 4, 3]],
    ['every product', 'pc_a11pr0dUc75', [3, 3, 4, 5]],
  ])('%s gives more of each line that matches, unit_off per line', (_, unitType, quantities) => {
    const items = [
      { product_id: 'prod_mug' },
      { sku_id: 'sku_fine' },
      { sku_id: 'sku_plain', quantity: 2 },
      { product_id: 'prod_hat', quantity: 3 },
    ];
    expect(quantitiesAfter(items, 2, unitType)).toEqual(quantities);
  });

  test('added units are free and the total stays', () => {
    const state = order([{ product_id: 'prod_mug' }, { sku_id: 'sku_fine' }]);
    const given = after(state, addSame(1, 'pc_clothes'));
    expect(given.amount).toBe(6000);
    expect(given.lines[0]).toBe(state.lines[0]);
    expect(given.lines[1]).toMatchObject({
      quantity: 2,
      amount: 5000,
      discountAmount: 2500,
      discountQuantity: 1,
      freeQuantity: 1,
      initialQuantity: 1,
      initialAmount: 2500,
    });
  });

  test('several lines of one item put their units on the first', () => {
    const items = [{ product_id: 'prod_hat' }, { product_id: 'prod_mug' }, { product_id: 'prod_mug' }];
    expect(quantitiesAfter(items, 3, 'prod_mug')).toEqual([1, 7, 1]);
  });

  test('lines that only source ids name are the same item by those', () => {
    const own = { source_id: 'own', price: 100 };
    const ofSku = [
      { ...own, related_object: 'sku' as const },
      { ...own, related_object: 'sku' as const },
    ];
    const ofProduct = ofSku.map((item) => ({ ...item, related_object: 'product' as const }));
    expect(quantitiesAfter(ofSku, 1, 'own')).toEqual([3, 1]);
    expect(quantitiesAfter(ofProduct, 1, 'own')).toEqual([3, 1]);
  });

  test('SKUs of one product are different items', () => {
    const embedded = (sku: string) => ({ product: { source_id: 'own' }, sku: { source_id: sku }, price: 5 });
    expect(quantitiesAfter([embedded('a'), embedded('b')], 1, 'own')).toEqual([2, 2]);
  });

  test('lines that name nothing get their own', () => {
    expect(quantitiesAfter([{ price: 100 }, { price: 200 }], 1, 'pc_a11pr0dUc75')).toEqual([2, 2]);
  });

  test('lines that an effect appended are no cart lines', () => {
    const state = after(order([{ product_id: 'prod_hat' }]), addNew(1, 'prod_mug'));
    expect(after(state, addSame(1, 'prod_mug'))).toBe(state);
  });

  test('nor are lines from which every unit went', () => {
    const state = order([{ product_id: 'prod_mug' }]);
    const emptied = { ...state, lines: [{ ...state.lines[0]!, quantity: 0, amount: 0 }] };
    expect(after(emptied, addSame(1, 'prod_mug'))).toBe(emptied);
  });

  test('a formula may give each line its own number', () => {
    const state = order([{ product_id: 'prod_mug' }, { product_id: 'prod_hat' }]);
    const given = after(state, addSame(1, 'pc_a11pr0dUc75'), { valueByLine: new Map([[1, 2]]), times: 2 });
    expect(given.lines.map(({ freeQuantity }) => freeQuantity)).toEqual([2, 4]);
  });

  test('closed products are left alone, the others are not', () => {
    const state = order([{ product_id: 'prod_mug' }, { product_id: 'prod_hat' }]);
    const given = after(state, addSame(1, 'pc_a11pr0dUc75'), {
      isClosed: ({ identity }) => identity.productId === 'prod_mug',
    });
    expect(given.lines.map(({ quantity }) => quantity)).toEqual([1, 2]);
  });

  test.each([
    ['nothing matches', 1, 'pc_gifts'],
    ['there are no units', 0, 'prod_hat'],
    ['nothing is named', 1, undefined],
    ['the number is unknown', undefined, 'prod_hat'],
  ])('no effect where %s', (_, unitOff, unitType) => {
    const state = order([{ product_id: 'prod_hat' }]);
    expect(after(state, addSame(unitOff, unitType))).toBe(state);
  });

  test('nothing is added where one line would pass 2^53 − 1', () => {
    const state = order([
      { product_id: 'prod_mug' },
      { product_id: 'prod_hat', price: 1, quantity: Number.MAX_SAFE_INTEGER - 1001 },
    ]);
    expect(after(state, addSame(1, 'pc_a11pr0dUc75'))).toBe(state);
  });
});
