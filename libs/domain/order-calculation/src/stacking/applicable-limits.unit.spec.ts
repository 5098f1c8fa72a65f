import { refuse } from '@scrip/kernel';
import { calculated, statuses } from '../calculation.fixture';
import type { RedeemableCategory } from './categories';
import { category, inCategories, order } from './stacking.fixture';

describe('limits (reference 01 §10 step 4.3)', () => {
  const list = (count: number, ...categories: RedeemableCategory[]) =>
    Array.from({ length: count }, (_, index) => inCategories(`V${index}`, ...categories));

  test.each([
    [5, 6],
    [1, 2],
  ])('%i apply, the next is skipped', (limit, asked) => {
    const calculation = calculated(order, list(asked), { applicable_redeemables_limit: limit });
    expect(statuses(calculation)).toEqual([
      ...Array(limit).fill('APPLICABLE'),
      'applicable_redeemables_limit_exceeded',
    ]);
  });

  test('by default five apply, and one exclusive one', () => {
    expect(statuses(calculated(order, list(6)))[5]).toBe('applicable_redeemables_limit_exceeded');
    expect(statuses(calculated(order, list(2, category('ex')), { exclusive_categories: ['ex'] }))).toEqual([
      'APPLICABLE',
      'applicable_exclusive_redeemables_limit_exceeded',
    ]);
  });

  test('per category, for each of its categories', () => {
    const calculation = calculated(
      order,
      [
        inCategories('a', category('c1')),
        inCategories('b', category('c2')),
        inCategories('c', category('c2'), category('c1')),
        inCategories('d'),
      ],
      { applicable_redeemables_per_category_limit: 1 },
    );
    expect(statuses(calculation)).toEqual([
      'APPLICABLE',
      'APPLICABLE',
      'applicable_redeemables_per_category_limit_exceeded',
      'APPLICABLE',
    ]);
  });

  test('the limit of one category overrides the one for each', () => {
    const settings = {
      applicable_redeemables_per_category_limit: 1,
      applicable_redeemables_category_limits: { c1: 2 },
    };
    expect(statuses(calculated(order, list(3, category('c1')), settings))).toEqual([
      'APPLICABLE',
      'APPLICABLE',
      'applicable_redeemables_per_category_limit_exceeded',
    ]);
  });

  test.each(['constructor', '__proto__'])('a category may be called %s', (id) => {
    const settings = { applicable_redeemables_per_category_limit: 1 };
    expect(statuses(calculated(order, list(2, category(id)), settings))).toEqual([
      'APPLICABLE',
      'applicable_redeemables_per_category_limit_exceeded',
    ]);
    const own = {
      ...settings,
      applicable_redeemables_category_limits: Object.fromEntries([[id, 2]]),
    };
    expect(statuses(calculated(order, list(2, category(id)), own))).toEqual(['APPLICABLE', 'APPLICABLE']);
  });

  test('exclusive ones per category', () => {
    const calculation = calculated(
      order,
      [
        inCategories('a', category('ex1')),
        inCategories('b', category('ex2'), category('plain')),
        inCategories('c', category('ex1'), category('plain')),
      ],
      {
        exclusive_categories: ['ex1', 'ex2'],
        applicable_exclusive_redeemables_limit: 5,
        applicable_exclusive_redeemables_per_category_limit: 1,
      },
    );
    expect(statuses(calculation)).toEqual([
      'APPLICABLE',
      'APPLICABLE',
      'applicable_exclusive_redeemables_per_category_limit_exceeded',
    ]);
  });

  test('the first exceeded limit is the reason', () => {
    const all = {
      exclusive_categories: ['ex'],
      applicable_redeemables_limit: 1,
      applicable_redeemables_per_category_limit: 1,
      applicable_exclusive_redeemables_per_category_limit: 1,
    };
    const second = (settings: object) => statuses(calculated(order, list(2, category('ex')), settings))[1];
    expect(second(all)).toBe('applicable_redeemables_limit_exceeded');
    const { applicable_redeemables_limit: _, ...rest } = all;
    expect(second(rest)).toBe('applicable_exclusive_redeemables_limit_exceeded');
    expect(second({ ...rest, applicable_exclusive_redeemables_limit: 2 })).toBe(
      'applicable_redeemables_per_category_limit_exceeded',
    );
    expect(
      second({
        ...rest,
        applicable_exclusive_redeemables_limit: 2,
        applicable_redeemables_per_category_limit: null,
      }),
    ).toBe('applicable_exclusive_redeemables_per_category_limit_exceeded');
  });

  test('what was skipped or inapplicable does not count', () => {
    const calculated3 = calculated(
      order,
      list(3),
      { applicable_redeemables_limit: 2, redeemables_application_mode: 'PARTIAL' },
      { preCheck: ({ id }) => (id === 'V0' ? refuse('voucher_expired') : null) },
    );
    expect(statuses(calculated3)).toEqual(['INAPPLICABLE', 'APPLICABLE', 'APPLICABLE']);
  });
});
