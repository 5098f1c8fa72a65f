import {
  amount,
  appliedBy,
  calculated,
  cart,
  lineDiscounts,
  percent,
  redeemables,
  voucher,
} from '../calculation.fixture';

describe('redeemables one after another (reference 01 §11, reference 03 §4.6)', () => {
  const giftOf100 = voucher('GIFT', { gift: { balance: 100, credits: 100 } });

  test('order 200000: gift 100 credits, then 20 %, then 8000 off', () => {
    const calculation = calculated(cart({ amount: 200000 }), [
      giftOf100,
      ...redeemables(percent(20), amount(8000)),
    ]);
    expect(appliedBy(calculation)).toEqual([100, 39980, 8000]);
    expect(
      calculation.redeemables.map((one) => one.status === 'APPLICABLE' && one.order?.discount_amount),
    ).toEqual([100, 40080, 48080]);
    expect(calculation.order?.total_amount).toBe(151920);
    expect(calculation.consumption).toEqual({
      credits: [{ id: 'GIFT', credits: 100 }],
      points: [],
      units: [],
    });
  });

  test('the same with the initial amount as base', () => {
    const calculation = calculated(
      cart({ amount: 200000 }),
      [giftOf100, ...redeemables(percent(20), amount(8000))],
      { discount_calculation_mode: 'INITIAL_AMOUNT' },
    );
    expect(appliedBy(calculation)).toEqual([100, 40000, 8000]);
    expect(calculation.order).toMatchObject({ discount_amount: 48100, total_amount: 151900 });
  });

  test('lines 2000 + 700: 1000 off per item, a material reward, 100 credits, 40 % of the order, 30 off', () => {
    const calculation = calculated(cart({ items: [{ price: 2000 }, { price: 700 }] }), [
      voucher('A', { discount: amount(1000, { effect: 'APPLY_TO_ITEMS' }) }),
      voucher('CARD', { reward: { type: 'OTHER', points: 4, balance: 4 } }),
      giftOf100,
      voucher('B', { discount: percent(40) }),
      voucher('C', { discount: amount(30) }),
    ]);
    expect(appliedBy(calculation)).toEqual([1700, undefined, 100, 360, 30]);
    expect(lineDiscounts(calculation)).toEqual([1000, 700]);
    expect(calculation.order?.total_amount).toBe(510);
    expect(calculation.consumption.points).toEqual([{ id: 'CARD', points: 4 }]);
  });

  test.each([
    { mode: 'DISCOUNTED_AMOUNT', applied: [1000, 1800], discount: 2800 },
    { mode: 'INITIAL_AMOUNT', applied: [1000, 2000], discount: 3000 },
  ] as const)('order 10000: 10 % + 20 % of the order, $mode', ({ mode, applied, discount }) => {
    const calculation = calculated(cart({ amount: 10000 }), redeemables(percent(10), percent(20)), {
      discount_calculation_mode: mode,
    });
    expect(appliedBy(calculation)).toEqual(applied);
    expect(calculation.order?.discount_amount).toBe(discount);
  });

  test('amount 10500: 20 % first, then 10 %', () => {
    const calculation = calculated(cart({ amount: 10500 }), redeemables(percent(20), percent(10)));
    expect(appliedBy(calculation)).toEqual([2100, 840]);
    expect(calculation.order?.total_amount).toBe(7560);
  });

  test('stored order 10000 with discount 9200, then 1000 off', () => {
    const stored = { amount: 10000, discount_amount: 9200, total_amount: 800, items: [] };
    expect(calculated(cart({}, { stored }), redeemables(amount(1000))).order).toEqual({
      amount: 10000,
      initial_amount: 10000,
      discount_amount: 10000,
      total_discount_amount: 10000,
      total_amount: 0,
      applied_discount_amount: 800,
      total_applied_discount_amount: 800,
      items: [],
    });
  });
});
