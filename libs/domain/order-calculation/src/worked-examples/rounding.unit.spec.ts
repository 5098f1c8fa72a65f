import { amount, calculated, cart, lineDiscounts, percent, redeemables } from '../calculation.fixture';

describe('rounding (reference 01 §2)', () => {
  test('10 % of 11499 is 1150, of the order and of a line: half up', () => {
    expect(calculated(cart({ amount: 11499 }), redeemables(percent(10))).order).toMatchObject({
      discount_amount: 1150,
      total_amount: 10349,
    });
    const ofLine = calculated(
      cart({ items: [{ price: 11499 }] }),
      redeemables(percent(10, { effect: 'APPLY_TO_ITEMS' })),
    );
    expect(lineDiscounts(ofLine)).toEqual([1150]);
  });

  test('300 over 3300 and 3400 is 148 and 152: by running total', () => {
    const calculation = calculated(
      cart({ items: [{ price: 3300 }, { price: 3400 }] }),
      redeemables(amount(300, { effect: 'APPLY_TO_ITEMS_PROPORTIONALLY' })),
    );
    expect(lineDiscounts(calculation)).toEqual([148, 152]);
  });
});
