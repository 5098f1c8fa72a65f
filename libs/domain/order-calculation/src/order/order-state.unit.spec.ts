import { amount, calculated, cart, redeemables } from '../calculation.fixture';
import { openSubtotalOf, openTotalOf, orderView, paidUnitsOf, shareOf, unitPriceOf } from './order-state';

const lineOf = (item: object) => cart({ items: [item] }).lines[0]!;

describe('shares of an amount (reference 01 §2)', () => {
  test.each([
    [100, 1, 3, 33],
    [100, 2, 3, 67],
    [101, 1, 2, 51],
    [99, 1, 2, 50],
    [100, 3, 3, 100],
    [100, 0, 3, 0],
    [2 ** 51, 1, 2, 2 ** 50],
    [Number.MAX_SAFE_INTEGER, 1, 2, 2 ** 52],
    [Number.MAX_SAFE_INTEGER, 3, 4, 6755399441055743],
    [Number.MAX_SAFE_INTEGER, 4, 4, Number.MAX_SAFE_INTEGER],
  ])('%i × %i / %i is %i, halves upwards', (whole, part, of, share) => {
    expect(shareOf(whole, part, of)).toBe(share);
  });
});

describe('what is left (reference 01 §4)', () => {
  test('of an order and its lines', () => {
    const order = cart({ items: [{ price: 1000 }, {}] });
    expect([openTotalOf(order), ...order.lines.map(openSubtotalOf)]).toEqual([1000, 1000, 0]);
    expect(openTotalOf(cart({}))).toBe(0);
  });

  test('is never below zero', () => {
    const order = cart({ items: [{ price: 1000 }] });
    const [line] = order.lines;
    expect(openTotalOf({ ...order, discountAmount: 1001 })).toBe(0);
    expect(openSubtotalOf({ ...line!, discountAmount: 1001 })).toBe(0);
    expect(paidUnitsOf({ ...line!, freeQuantity: 2 })).toBe(0);
  });
});

describe('the price of one unit (reference 01 §3)', () => {
  test.each([
    [{ price: 700, quantity: 2, amount: 1 }, 700],
    [{ price: 0 }, 0],
    [{ amount: 700, quantity: 2 }, 350],
    [{ amount: 700, quantity: 3 }, 700 / 3],
    [{ quantity: 3 }, undefined],
  ])('%j: %d', (item, price) => {
    expect(unitPriceOf(lineOf(item))).toBe(price);
  });

  test('is unknown where no unit is left', () => {
    expect(unitPriceOf({ ...lineOf({ amount: 700 }), quantity: 0 })).toBeUndefined();
  });
});

describe('views (reference 01 §4)', () => {
  test('leave out what is unknown', () => {
    const order = cart({ items: [{ quantity: 2 }, { source_id: 'a', price: 1 }] });
    expect(orderView(order, order)).toStrictEqual({
      amount: 1,
      initial_amount: 1,
      total_amount: 1,
      items: [
        { object: 'order_item', quantity: 2, initial_quantity: 2 },
        {
          object: 'order_item',
          source_id: 'a',
          quantity: 1,
          initial_quantity: 1,
          price: 1,
          amount: 1,
          initial_amount: 1,
          subtotal_amount: 1,
        },
      ],
    });
    const bare = {
      ...order,
      initialAmount: undefined,
      lines: [{ ...order.lines[1]!, initialAmount: undefined }],
    };
    expect(Object.keys(orderView(bare, bare))).toEqual(['amount', 'total_amount', 'items']);
    expect(orderView(bare, bare).items[0]).not.toHaveProperty('initial_amount');
  });

  test('equal discounts of order and items add up and do not cancel out', () => {
    const { order } = calculated(
      cart({ items: [{ price: 1000 }] }),
      redeemables(amount(100), amount(100, { effect: 'APPLY_TO_ITEMS' })),
    );
    expect(order).toMatchObject({ total_discount_amount: 200, total_applied_discount_amount: 200 });
  });

  test('units discounted before count as applied again, and once in the sum', () => {
    const byQuantity = amount(10, { effect: 'APPLY_TO_ITEMS_BY_QUANTITY' });
    const { redeemables: list } = calculated(
      cart({ items: [{ product_id: 'a', price: 100, quantity: 3 }] }),
      redeemables(byQuantity, byQuantity),
    );
    const [first, second] = list.map((one) => (one.status === 'APPLICABLE' ? one.order!.items[0]! : null));
    expect(first).toMatchObject({ discount_quantity: 3, applied_discount_quantity: 3 });
    expect(second).toMatchObject({
      discount_quantity: 3,
      applied_discount_amount: 30,
      applied_discount_quantity: 3,
    });
  });
});
