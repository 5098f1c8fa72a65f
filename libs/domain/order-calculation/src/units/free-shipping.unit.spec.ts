import { Catalogue } from '../catalogue/catalogue';
import { after, discounted, order, viewAfter } from './units.fixture';

const shipping = 'prod_5h1pp1ng';
const freeShipping = { effect: 'ADD_MISSING_ITEMS' as const, unit_off: 1, unit_type: shipping };

describe('free shipping (reference 01 §5)', () => {
  test('a cart without shipping gets a line without a price, amounts stay', () => {
    expect(viewAfter(order([{ price: 1000 }]), freeShipping)).toEqual({
      amount: 1000,
      initial_amount: 1000,
      total_amount: 1000,
      items: [
        expect.objectContaining({ quantity: 1, amount: 1000 }),
        {
          object: 'order_item',
          product_id: shipping,
          product: { id: shipping, source_id: shipping, name: 'Shipping' },
          quantity: 1,
          initial_quantity: 0,
          discount_quantity: 1,
          applied_discount_quantity: 1,
          applied_quantity: 1,
        },
      ],
    });
  });

  test('an order without lines keeps what it has of amounts', () => {
    expect(after(order([]), freeShipping).amount).toBeUndefined();
    expect(after(order([], 900), freeShipping)).toMatchObject({ amount: 900, initialAmount: 900 });
  });

  test.each([
    ['one unit', 1, 700],
    ['several units', 3, 2100],
  ])('the price of a shipping line of %s is discounted in full', (_, quantity, discount) => {
    const state = order([{ price: 1000 }, { product_id: shipping, price: 700, quantity }]);
    expect(viewAfter(state, freeShipping)).toMatchObject({
      amount: 1000 + discount,
      items_discount_amount: discount,
      total_amount: 1000,
      items: [{}, { quantity, discount_quantity: quantity, discount_amount: discount, subtotal_amount: 0 }],
    });
  });

  test('so are the prices of several shipping lines', () => {
    const state = order([
      { product_id: shipping, price: 700 },
      { source_id: shipping, related_object: 'product', price: 300 },
    ]);
    expect(viewAfter(state, freeShipping).total_amount).toBe(0);
  });

  test('a shipping line without a price becomes free, no second one is appended', () => {
    const given = after(order([{ product_id: shipping }]), freeShipping);
    expect(given.lines).toHaveLength(1);
    expect(given.lines[0]).toMatchObject({ quantity: 1, freeQuantity: 1, discountQuantity: 1 });
  });

  test('shipping that is free already is not made free again', () => {
    const once = after(order([{ price: 1000 }]), freeShipping);
    expect(after(once, freeShipping)).toBe(once);
  });

  test('what an earlier discount left of the order is taken at most', () => {
    const state = discounted(order([{ product_id: shipping, price: 700 }]), 600);
    expect(viewAfter(state, freeShipping)).toMatchObject({ items_discount_amount: 100, total_amount: 0 });
  });

  test.each([0, 2, 5])('%s units are one shipping, and so are two bundles', (unitOff) => {
    const given = after(order([]), { ...freeShipping, unit_off: unitOff }, { times: 2 });
    expect(given.lines.map(({ quantity }) => quantity)).toEqual([1]);
  });

  test('among other units it is free shipping too', () => {
    const given = after(order([]), {
      effect: 'ADD_MANY_ITEMS',
      units: [{ effect: 'ADD_MISSING_ITEMS', unit_type: shipping }],
    });
    expect(given.lines[0]).toMatchObject({ quantity: 1, discountQuantity: 1 });
  });

  test('the appended line has no price even where the catalogue has one', () => {
    const knows = new Catalogue({ products: [{ id: shipping, name: 'Post', price: 500 }] });
    const [line] = after(order([]), freeShipping, { knows }).lines;
    expect(line!.amount).toBeUndefined();
    expect(line!.echo.product).toEqual({ id: shipping, source_id: shipping, name: 'Shipping' });
  });

  test('closed shipping stays', () => {
    const state = order([{ product_id: shipping, price: 700 }]);
    expect(after(state, freeShipping, { isClosed: () => true })).toBe(state);
  });

  test('new units of shipping are units like any other', () => {
    const state = order([{ product_id: shipping, price: 700 }]);
    expect(viewAfter(state, { ...freeShipping, effect: 'ADD_NEW_ITEMS' })).toMatchObject({
      amount: 1400,
      total_amount: 700,
    });
  });
});
