import { amount, calculated, cart, percent, redeemables } from './calculation.fixture';

describe('views (reference 01 §4)', () => {
  const calculation = calculated(
    cart({ items: [{ product_id: 'prod_1', quantity: 2, price: 500, metadata: { size: 'M' } }] }),
    redeemables(percent(10), amount(50)),
  );
  const emptyList = { object: 'list', data_ref: 'data', data: [], total: 0 };

  test('each redeemable shows the order right after it, with its own part as applied', () => {
    const [first, second] = calculation.redeemables;
    expect(first).toEqual({
      object: 'voucher',
      id: 'CODE-1',
      status: 'APPLICABLE',
      difference: { discount_amount: 100 },
      applicable_to: emptyList,
      inapplicable_to: emptyList,
      result: { discount: { type: 'PERCENT', percent_off: 10, effect: 'APPLY_TO_ORDER', is_dynamic: false } },
      order: {
        amount: 1000,
        initial_amount: 1000,
        discount_amount: 100,
        total_discount_amount: 100,
        total_amount: 900,
        applied_discount_amount: 100,
        total_applied_discount_amount: 100,
        items: [
          {
            object: 'order_item',
            product_id: 'prod_1',
            quantity: 2,
            initial_quantity: 2,
            price: 500,
            amount: 1000,
            initial_amount: 1000,
            subtotal_amount: 1000,
            metadata: { size: 'M' },
          },
        ],
      },
    });
    expect(second).toMatchObject({
      order: { applied_discount_amount: 50, discount_amount: 150, total_amount: 850 },
    });
  });

  test('the root order counts the whole request as applied', () => {
    expect(calculation.order).toMatchObject({
      applied_discount_amount: 150,
      discount_amount: 150,
      total_amount: 850,
    });
  });

  test('discounts of lines add up apart from discounts of the order', () => {
    const { order } = calculated(
      cart({ items: [{ price: 1000 }, { price: 500 }] }),
      redeemables(amount(100, { effect: 'APPLY_TO_ITEMS' }), amount(50)),
    );
    expect(order).toMatchObject({
      discount_amount: 50,
      items_discount_amount: 200,
      total_discount_amount: 250,
      applied_discount_amount: 50,
      items_applied_discount_amount: 200,
      total_applied_discount_amount: 250,
      total_amount: 1250,
    });
    expect(order?.items[0]).toMatchObject({
      discount_amount: 100,
      applied_discount_amount: 100,
      subtotal_amount: 900,
    });
  });

  test('the root order leaves out what a stored order had already', () => {
    const stored = calculated(
      cart({ items: [{ price: 1000 }] }),
      redeemables(amount(100, { effect: 'APPLY_TO_ITEMS' })),
    ).order!;
    const { order } = calculated(cart({}, { stored }), redeemables(amount(50, { effect: 'APPLY_TO_ITEMS' })));
    expect(order?.items[0]).toMatchObject({
      discount_amount: 150,
      applied_discount_amount: 50,
      subtotal_amount: 850,
    });
  });

  test('without an order a discount is applicable and no order is answered', () => {
    const { valid, order, redeemables: list } = calculated(null, redeemables(percent(10)));
    expect({ valid, order }).toEqual({ valid: true, order: null });
    expect(list[0]).toMatchObject({ status: 'APPLICABLE', order: null });
  });

  test('an order of unknown amount stays without figures', () => {
    expect(calculated(cart({}), redeemables(percent(10))).order).toEqual({ items: [] });
  });

  test('views are made when they are read, once, and shown as if they had always been there', () => {
    const [one] = calculated(cart({ items: [{ price: 1000 }] }), redeemables(percent(10))).redeemables;
    for (const view of ['order', 'difference', 'applicable_to', 'inapplicable_to'] as const) {
      expect(Object.getOwnPropertyDescriptor(one, view)).toMatchObject({
        get: expect.any(Function),
        enumerable: true,
      });
    }
    const applied = one?.status === 'APPLICABLE' ? one : null;
    expect(applied?.order).toBe(applied?.order);
    expect(JSON.parse(JSON.stringify(one))).toMatchObject({
      order: { total_amount: 900 },
      difference: { discount_amount: 100 },
    });
  });

  test('nothing to apply is not valid', () => {
    expect(calculated(cart({ amount: 1000 }), [])).toMatchObject({ valid: false, redeemables: [] });
  });
});
