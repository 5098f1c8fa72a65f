import { amount, calculated, cart, redeemables } from '../calculation.fixture';
import { removeDiscounts } from './remove-discounts';

const stored = () => {
  const items = [{ price: 1000 }, { price: 500 }];
  const { order } = calculated(
    cart({ items }),
    redeemables(amount(100), amount(200, { effect: 'APPLY_TO_ITEMS' })),
  );
  return { ...order!, id: 'ord_1' };
};

describe('removing what one redemption took off (spec 03 §9)', () => {
  test('leaves the order as it was before, and everything that is not calculated', () => {
    expect(
      removeDiscounts(stored(), { discount_amount: 100, items_discount_amounts: [200, 200] }),
    ).toStrictEqual({
      id: 'ord_1',
      amount: 1500,
      initial_amount: 1500,
      total_amount: 1500,
      items: [1000, 500].map((price) => ({
        object: 'order_item',
        quantity: 1,
        initial_quantity: 1,
        price,
        amount: price,
        initial_amount: price,
        subtotal_amount: price,
      })),
    });
  });

  test('keeps the discounts of other redemptions', () => {
    const { discount_amount, items } = removeDiscounts(stored(), {
      discount_amount: 40,
      items_discount_amounts: [150],
    });
    expect(discount_amount).toBe(60);
    expect(items.map((line) => line.discount_amount)).toEqual([50, 200]);
  });

  test('takes nothing off twice', () => {
    const once = removeDiscounts(stored(), { discount_amount: 100, items_discount_amounts: [200, 200] });
    const twice = removeDiscounts(once, { discount_amount: 100, items_discount_amounts: [200, 200] });
    expect(twice).toStrictEqual(once);
  });
});
