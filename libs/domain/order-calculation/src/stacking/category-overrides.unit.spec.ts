import {
  amount,
  appliedBy,
  calculated,
  cart,
  percent,
  redeemables,
  statuses,
  units,
  voucher,
} from '../calculation.fixture';
import type { Redeemable } from '../redeemable';
import type { RedeemableCategory } from './categories';
import { category, order } from './stacking.fixture';

describe('calculation mode by category (reference 01 §5, §10)', () => {
  const tenPercent = (...categories: RedeemableCategory[]) =>
    voucher('P', { discount: percent(10) }, { categories });
  const after = (redeemable: Redeemable, settings: object) =>
    appliedBy(calculated(order, [...redeemables(amount(5000)), redeemable], settings))[1];

  test.each([
    ['nothing listed', {}, 500],
    ['the initial amount for a category', { initial_amount_mode_categories: ['c1'] }, 1000],
    [
      'the discounted amount for a category',
      { discount_calculation_mode: 'INITIAL_AMOUNT', discounted_amount_mode_categories: ['c1'] },
      500,
    ],
    ['another category', { initial_amount_mode_categories: ['c7'] }, 500],
  ])('%s', (_, settings, applied) => {
    expect(after(tenPercent(category('c1')), settings)).toBe(applied);
  });

  test('with several listed categories the lowest hierarchy decides', () => {
    const settings = { initial_amount_mode_categories: ['c1'], discounted_amount_mode_categories: ['c2'] };
    expect(after(tenPercent(category('c1', 2), category('c2', 1)), settings)).toBe(500);
    expect(after(tenPercent(category('c1', 1), category('c2', 2)), settings)).toBe(1000);
  });
});

describe('no effect (reference 01 §10 step 4.5)', () => {
  const spent = redeemables(amount(10000));
  const late = (id: string, ...categories: RedeemableCategory[]) =>
    voucher(id, { discount: amount(1) }, { categories });

  test.each([
    ['redeemed anyway by default', {}, 'APPLICABLE'],
    ['skipped where the settings say so', { redeemables_no_effect_rule: 'SKIP' }, 'no_effect'],
    ['skipped for a category', { no_effect_skip_categories: ['c1'] }, 'no_effect'],
    [
      'redeemed anyway for a category',
      { redeemables_no_effect_rule: 'SKIP', no_effect_redeem_anyway_categories: ['c1'] },
      'APPLICABLE',
    ],
  ] as const)('%s', (_, settings, status) => {
    const calculation = calculated(order, [...spent, late('L', category('c1'))], settings);
    expect(statuses(calculation)).toEqual(['APPLICABLE', status]);
  });

  test.each([
    ['a material reward', { reward: { type: 'OTHER' as const, points: 1, balance: 1 } }, 'APPLICABLE'],
    ['a gift card on a paid order', { gift: { balance: 100 } }, 'no_effect'],
    [
      'a free unit without a price',
      { discount: units('ADD_MISSING_ITEMS', 1, 'prod_5h1pp1ng') },
      'APPLICABLE',
    ],
    [
      'points on a paid order',
      { reward: { type: 'COIN' as const, exchange_ratio: 1, points_ratio: 1, balance: 5 } },
      'no_effect',
    ],
    ['no free units', { discount: units('ADD_NEW_ITEMS', 0, 'mug') }, 'no_effect'],
  ])('%s', (_, incentive, status) => {
    const calculation = calculated(order, [...spent, voucher('L', incentive)], {
      redeemables_no_effect_rule: 'SKIP',
    });
    expect(statuses(calculation)).toEqual(['APPLICABLE', status]);
  });

  test('without an order nobody can tell: it applies', () => {
    const calculation = calculated(null, redeemables(amount(1)), { redeemables_no_effect_rule: 'SKIP' });
    expect(statuses(calculation)).toEqual(['APPLICABLE']);
  });

  test('all skipped: nothing is valid', () => {
    const { valid } = calculated(cart({ amount: 0 }), redeemables(amount(1)), {
      redeemables_no_effect_rule: 'SKIP',
    });
    expect(valid).toBe(false);
  });
});
