import { amount, calculated, cart, percent, redeemables, units, voucher } from '../calculation.fixture';
import { removeDiscounts } from './remove-discounts';

const off = (amountOff: number) => amount(amountOff, { effect: 'APPLY_TO_ITEMS_BY_QUANTITY' });
const items = [
  { product_id: 'mug', price: 1000, quantity: 3 },
  { product_id: 'cup', price: 500, quantity: 2 },
];
const counted = ({
  discount_amount,
  discount_quantity,
}: {
  discount_amount?: number;
  discount_quantity?: number;
}) => [discount_amount, discount_quantity];

describe('units that a rolled back redemption had discounted (spec 03 §9)', () => {
  const { order } = calculated(cart({ items }), redeemables(off(100)));

  test('are discounted no longer, and not shown', () => {
    const restored = removeDiscounts(order!, { discount_amount: 0, items_discount_amounts: [300, 200] });
    expect(restored.items.map(counted)).toEqual([
      [undefined, undefined],
      [undefined, undefined],
    ]);
  });

  test('stay counted while another discount of their line is left', () => {
    const restored = removeDiscounts(order!, { discount_amount: 0, items_discount_amounts: [299, 200] });
    expect(restored.items.map(counted)).toEqual([
      [1, 3],
      [undefined, undefined],
    ]);
  });

  test('the same redemption afterwards discounts as if it were the first', () => {
    const restored = removeDiscounts(order!, { discount_amount: 0, items_discount_amounts: [300, 200] });
    const again = calculated(cart({}, { stored: restored }), redeemables(off(100)));
    expect(again.order).toEqual(order);
  });

  test('free units without a price stay as another redemption gave them', () => {
    const given = calculated(cart({ items }), [
      voucher('F', { discount: units('ADD_NEW_ITEMS', 1, 'gift') }),
      voucher('P', { discount: percent(10) }),
    ]).order!;
    const restored = removeDiscounts(given, { discount_amount: 400, items_discount_amounts: [0, 0, 0] });
    expect(restored.items[2]).toMatchObject({ quantity: 1, discount_quantity: 1 });
  });
});
