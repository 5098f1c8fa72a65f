import { Catalogue } from '../catalogue/catalogue';
import { orderView } from '../order/order-state';
import { addNew, after, catalogue, discounted, fineShirt, order, viewAfter } from './units.fixture';

const max = Number.MAX_SAFE_INTEGER;

describe('ADD_NEW_ITEMS (reference 01 §7)', () => {
  test('puts free units on the first line of the item; those of the customer stay paid', () => {
    const state = order([
      { product_id: 'prod_bottle' },
      { product_id: 'prod_mug', quantity: 2 },
      { product_id: 'prod_mug', quantity: 3, price: 900 },
    ]);
    expect(viewAfter(state, addNew(2, 'prod_mug'))).toEqual({
      amount: 9200,
      initial_amount: 7200,
      items_discount_amount: 2000,
      total_discount_amount: 2000,
      total_amount: 7200,
      items_applied_discount_amount: 2000,
      total_applied_discount_amount: 2000,
      items: [
        orderView(state, state).items[0],
        {
          ...orderView(state, state).items[1],
          quantity: 4,
          initial_quantity: 2,
          amount: 4000,
          initial_amount: 2000,
          discount_amount: 2000,
          discount_quantity: 2,
          applied_discount_amount: 2000,
          applied_discount_quantity: 2,
          applied_quantity: 2,
          applied_quantity_amount: 2000,
          subtotal_amount: 2000,
        },
        orderView(state, state).items[2],
      ],
    });
  });

  test('added units are free, the others are not', () => {
    const [line] = after(order([{ product_id: 'prod_mug', quantity: 2 }]), addNew(3, 'prod_mug')).lines;
    expect(line).toMatchObject({ quantity: 5, freeQuantity: 3 });
  });

  test('an item that is not in the cart gets a line of its own, as the catalogue knows it', () => {
    const state = order([{ product_id: 'prod_mug' }]);
    const { items, ...totals } = viewAfter(state, addNew(2, 'sku_fine'));
    expect(totals).toMatchObject({ amount: 6000, initial_amount: 1000, total_amount: 1000 });
    expect(items).toEqual([
      orderView(state, state).items[0],
      {
        ...fineShirt,
        quantity: 2,
        initial_quantity: 0,
        amount: 5000,
        initial_amount: 0,
        discount_amount: 5000,
        discount_quantity: 2,
        applied_discount_amount: 5000,
        applied_discount_quantity: 2,
        applied_quantity: 2,
        applied_quantity_amount: 5000,
        subtotal_amount: 0,
      },
    ]);
  });

  test('a new line of a product has no SKU', () => {
    const [line] = viewAfter(order([]), addNew(1, 'prod_mug')).items;
    expect(line).toMatchObject({ product_id: 'prod_mug', price: 1000, product: { price: 1000 } });
    expect(line).not.toHaveProperty('sku_id');
  });

  test('an empty order without an amount gets one', () => {
    expect(viewAfter(order([]), addNew(1, 'prod_mug'))).toMatchObject({
      amount: 1000,
      initial_amount: 0,
      items_discount_amount: 1000,
      total_amount: 0,
    });
  });

  test('an item without a price leaves an order without an amount without one', () => {
    expect(viewAfter(order([]), addNew(1, 'prod_sticker'))).toEqual({
      items: [expect.not.objectContaining({ amount: 0 })],
    });
  });

  test('units of a line without a price count, amounts stay', () => {
    const state = order([{ product_id: 'prod_sticker', quantity: 2 }]);
    const [line] = after(state, addNew(1, 'prod_sticker')).lines;
    expect(line).toMatchObject({ quantity: 3, freeQuantity: 1, discountQuantity: 1, discountAmount: 0 });
    expect(line!.amount).toBeUndefined();
  });

  test('a line with an amount alone: units cost its average', () => {
    const state = order([{ product_id: 'prod_sticker', quantity: 3, amount: 1000 }]);
    expect(after(state, addNew(2, 'prod_sticker')).lines[0]).toMatchObject({
      quantity: 5,
      amount: 1667,
      discountAmount: 667,
    });
  });

  test('a sent amount is raised too', () => {
    const state = order([{ product_id: 'prod_mug' }], 5000);
    expect(viewAfter(state, addNew(1, 'prod_mug'))).toMatchObject({
      amount: 6000,
      initial_amount: 5000,
      total_amount: 5000,
    });
  });

  test('an order that costs nothing any more still gets units', () => {
    const state = discounted(order([{ product_id: 'prod_mug' }]), 1000);
    expect(viewAfter(state, addNew(1, 'prod_mug'))).toMatchObject({
      amount: 2000,
      discount_amount: 1000,
      items_discount_amount: 1000,
      total_amount: 0,
    });
  });

  test.each([
    [undefined, 'prod_mug'],
    [0, 'prod_mug'],
    [0.99, 'prod_mug'],
    [-1, 'prod_mug'],
    [NaN, 'prod_mug'],
    [Infinity, 'prod_mug'],
    [1, undefined],
  ])('%s units of %s have no effect', (unitOff, unitType) => {
    const state = order([{ product_id: 'prod_mug' }]);
    expect(after(state, addNew(unitOff, unitType))).toBe(state);
  });

  test.each([
    [1, 1],
    [1.99, 1],
    [2, 2],
  ])('%s units are %s (reference 01 §2)', (unitOff, added) => {
    const state = order([{ product_id: 'prod_mug' }]);
    expect(after(state, addNew(unitOff, 'prod_mug')).lines[0]!.freeQuantity).toBe(added);
  });

  test('bundles multiply whole units (reference 01 §9)', () => {
    const state = order([{ product_id: 'prod_mug' }]);
    const given = after(state, addNew(2.5, 'prod_mug'), { times: 3 });
    expect(given.lines[0]!.freeQuantity).toBe(6);
  });

  test('products that an earlier redeemable closed are left alone (reference 01 §10)', () => {
    const state = order([{ product_id: 'prod_mug' }, { sku_id: 'sku_fine' }]);
    const isClosed = ({ identity }: { identity: { productId: string | undefined } }) =>
      identity.productId === 'prod_shirt';
    expect(after(state, addNew(1, 'sku_fine'), { isClosed })).toBe(state);
    expect(after(state, addNew(1, 'sku_plain'), { isClosed })).toBe(state);
    expect(after(state, addNew(1, 'prod_shirt'), { isClosed })).toBe(state);
    expect(after(state, addNew(1, 'prod_mug'), { isClosed })).not.toBe(state);
  });

  test('a closed line closes the item for lines that carry other names of it', () => {
    const state = order([{ product_id: 'prod_own' }, { product_id: 'prod_own', sku_id: 'sku_own' }]);
    expect(after(state, addNew(1, 'prod_own'), { isClosed: ({ echo }) => echo.sku_id !== undefined })).toBe(
      state,
    );
  });
});

describe('figures that no number holds', () => {
  test.each([
    ['a quantity', { product_id: 'prod_sticker', quantity: max - 1 }, 1, 2],
    ['an amount', { product_id: 'prod_mug', price: 1, quantity: max - 1 }, 1, 2],
    ['an average', { product_id: 'prod_sticker', quantity: 2, amount: max - 2 }, 0, 2],
  ])('%s up to 2^53 − 1 is given, beyond it nothing is', (_, item, fits, passes) => {
    const state = order([item]);
    if (fits > 0) expect(after(state, addNew(fits, item.product_id))).not.toBe(state);
    expect(after(state, addNew(passes, item.product_id))).toBe(state);
  });

  test('neither does the amount of the order pass it', () => {
    const state = order([{ product_id: 'prod_mug', price: 1 }], max - 2);
    expect(after(state, addNew(2, 'prod_mug')).amount).toBe(max);
    expect(after(state, addNew(3, 'prod_mug'))).toBe(state);
  });

  test('nor does a new line', () => {
    const state = order([{ product_id: 'prod_mug' }]);
    const knows = new Catalogue({ products: [{ id: 'prod_gold', price: max - 1000 }] });
    expect(after(state, addNew(1, 'prod_gold'), { knows }).amount).toBe(max);
    expect(after(state, addNew(2, 'prod_gold'), { knows })).toBe(state);
    const dear = new Catalogue({ products: [{ id: 'prod_gold', price: max - 999 }] });
    expect(after(state, addNew(1, 'prod_gold'), { knows: dear })).toBe(state);
  });

  test('a count that bundles multiply beyond it is none', () => {
    const state = order([{ product_id: 'prod_sticker' }]);
    expect(after(state, addNew(2 ** 52, 'prod_sticker'), { times: 2, knows: catalogue })).toBe(state);
  });
});
