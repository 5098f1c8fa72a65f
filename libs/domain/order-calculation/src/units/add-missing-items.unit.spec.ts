import { orderView } from '../order/order-state';
import { addMissing, after, discounted, order, viewAfter } from './units.fixture';

const max = Number.MAX_SAFE_INTEGER;

describe('ADD_MISSING_ITEMS (reference 01 §7)', () => {
  test.each([
    { units: 1, quantities: [2, 3], free: [1, 0], discounts: [1000, 0], total: 4000 },
    { units: 2, quantities: [2, 3], free: [2, 0], discounts: [2000, 0], total: 3000 },
    { units: 3, quantities: [2, 3], free: [2, 1], discounts: [2000, 1000], total: 2000 },
    { units: 5, quantities: [2, 3], free: [2, 3], discounts: [2000, 3000], total: 0 },
    { units: 6, quantities: [3, 3], free: [3, 3], discounts: [3000, 3000], total: 0 },
  ])('$units of 2 + 3 in the cart: these first, the rest is added', (row) => {
    const state = order([
      { product_id: 'prod_mug', quantity: 2 },
      { product_id: 'prod_mug', quantity: 3 },
    ]);
    const given = after(state, addMissing(row.units, 'prod_mug'));
    expect(given.lines.map(({ quantity }) => quantity)).toEqual(row.quantities);
    expect(given.lines.map(({ freeQuantity }) => freeQuantity)).toEqual(row.free);
    expect(given.lines.map(({ discountQuantity }) => discountQuantity)).toEqual(row.free);
    expect(given.lines.map(({ discountAmount }) => discountAmount)).toEqual(row.discounts);
    expect(viewAfter(state, addMissing(row.units, 'prod_mug')).total_amount).toBe(row.total);
  });

  test('other items stay', () => {
    const state = order([{ product_id: 'prod_bottle' }, { product_id: 'prod_mug' }]);
    const given = after(state, addMissing(1, 'prod_mug'));
    expect(given.lines[0]).toBe(state.lines[0]);
    expect(given.amount).toBe(3500);
  });

  test('an item that is not in the cart is added', () => {
    const state = order([{ product_id: 'prod_mug' }]);
    expect(viewAfter(state, addMissing(2, 'prod_bottle'))).toMatchObject({
      amount: 6000,
      items_discount_amount: 5000,
      total_amount: 1000,
      items: [{ quantity: 1 }, { quantity: 2, initial_quantity: 0, discount_quantity: 2 }],
    });
  });

  test('units are freed at their share of what earlier discounts left of the line', () => {
    const state = discounted(order([{ product_id: 'prod_mug', quantity: 3 }]), 0, [500]);
    expect(after(state, addMissing(1, 'prod_mug')).lines[0]).toMatchObject({ discountAmount: 500 + 833 });
    expect(after(state, addMissing(2, 'prod_mug')).lines[0]).toMatchObject({ discountAmount: 500 + 1667 });
    expect(after(state, addMissing(3, 'prod_mug')).lines[0]).toMatchObject({ discountAmount: 3000 });
  });

  test('units that are free already are freed no second time', () => {
    const once = after(order([{ product_id: 'prod_mug', quantity: 3 }]), addMissing(2, 'prod_mug'));
    expect(after(once, addMissing(2, 'prod_mug')).lines[0]).toMatchObject({
      quantity: 4,
      amount: 4000,
      freeQuantity: 4,
      discountQuantity: 4,
      discountAmount: 4000,
    });
  });

  test('units count once per discount; a view shows at most the quantity of the line', () => {
    const state = order([{ product_id: 'prod_mug', quantity: 2 }]);
    const counted = { ...state, lines: [{ ...state.lines[0]!, discountQuantity: 1 }] };
    expect(after(counted, addMissing(1, 'prod_mug')).lines[0]!.discountQuantity).toBe(2);
    const both = after(counted, addMissing(2, 'prod_mug'));
    expect(both.lines[0]!.discountQuantity).toBe(3);
    expect(orderView(both, counted).items[0]).toMatchObject({
      discount_quantity: 2,
      applied_discount_quantity: 2,
    });
  });

  test('no more than the open total is taken off, by the first lines first', () => {
    const items = [
      { product_id: 'prod_mug', quantity: 2 },
      { product_id: 'prod_mug', quantity: 3 },
    ];
    const given = after(discounted(order(items), 2500), addMissing(5, 'prod_mug'));
    expect(given.lines.map(({ discountAmount }) => discountAmount)).toEqual([2000, 500]);
    expect(given.lines.map(({ freeQuantity }) => freeQuantity)).toEqual([2, 3]);
  });

  test('added units do not draw on the open total', () => {
    const state = discounted(order([{ product_id: 'prod_mug' }]), 400);
    expect(viewAfter(state, addMissing(3, 'prod_mug'))).toMatchObject({
      amount: 3000,
      items_discount_amount: 600 + 2000,
      total_amount: 0,
    });
  });

  test('units that cost nothing any more become free all the same', () => {
    const state = discounted(order([{ product_id: 'prod_mug' }]), 0, [1000]);
    expect(after(state, addMissing(1, 'prod_mug')).lines[0]).toMatchObject({
      freeQuantity: 1,
      discountAmount: 1000,
    });
  });

  test('units of a line without a price are counted', () => {
    const state = order([{ product_id: 'prod_sticker', quantity: 2 }]);
    expect(viewAfter(state, addMissing(3, 'prod_sticker'))).toEqual({
      amount: 0,
      initial_amount: 0,
      total_amount: 0,
      items: [
        {
          object: 'order_item',
          product_id: 'prod_sticker',
          product: { id: 'prod_sticker', name: 'Sticker' },
          quantity: 3,
          initial_quantity: 2,
          discount_quantity: 3,
          applied_discount_quantity: 3,
          applied_quantity: 1,
        },
      ],
    });
  });

  test.each([
    [undefined, 'prod_mug'],
    [0.5, 'prod_mug'],
    [1, undefined],
  ])('%s units of %s have no effect', (unitOff, unitType) => {
    const state = order([{ product_id: 'prod_mug' }]);
    expect(after(state, addMissing(unitOff, unitType))).toBe(state);
  });

  test('bundles multiply the units', () => {
    const state = order([{ product_id: 'prod_mug', quantity: 5 }]);
    expect(after(state, addMissing(2, 'prod_mug'), { times: 2 }).lines[0]!.freeQuantity).toBe(4);
  });

  test('a closed product is left alone', () => {
    const state = order([{ product_id: 'prod_mug' }]);
    expect(after(state, addMissing(1, 'prod_mug'), { isClosed: () => true })).toBe(state);
  });

  test('where the rest passes 2^53 − 1, nothing is given', () => {
    const state = order([{ product_id: 'prod_mug', price: 1, quantity: max - 1 }]);
    expect(after(state, addMissing(max, 'prod_mug')).lines[0]!.freeQuantity).toBe(max);
    const full = order([{ product_id: 'prod_mug', price: 1, quantity: 2 }], max);
    expect(after(full, addMissing(3, 'prod_mug'))).toBe(full);
  });
});
