import { refuse } from '@scrip/kernel';
import { appliedBy, calculated, percent, statuses } from '../calculation.fixture';
import type { Redeemable } from '../redeemable';
import { category, ids, inCategories, order } from './stacking.fixture';

describe('sorting (reference 01 §10)', () => {
  const asked = [
    inCategories('none'),
    inCategories('late', category('c2', 2)),
    inCategories('early', category('c1', 1)),
    inCategories('early too', category('c9', 9), category('c1', 1)),
  ];

  test('REQUESTED_ORDER keeps the order of the request', () => {
    expect(ids(calculated(order, asked))).toEqual(['none', 'late', 'early', 'early too']);
  });

  test('CATEGORY_HIERARCHY: lowest first, ties as requested, uncategorised last', () => {
    expect(ids(calculated(order, asked, { redeemables_sorting_rule: 'CATEGORY_HIERARCHY' }))).toEqual([
      'early',
      'early too',
      'late',
      'none',
    ]);
  });

  test('uncategorised ones keep the order of the request among themselves', () => {
    const list = [inCategories('a'), inCategories('b'), inCategories('c', category('c1', 7))];
    expect(ids(calculated(order, list, { redeemables_sorting_rule: 'CATEGORY_HIERARCHY' }))).toEqual([
      'c',
      'a',
      'b',
    ]);
  });
});

describe('promotion stacks (reference 01 §10)', () => {
  const tier = (id: string, hierarchy: number): Redeemable => ({
    object: 'promotion_tier',
    id,
    incentive: { discount: percent(10) },
    categories: [category(`c${hierarchy}`, hierarchy)],
  });
  const stack = { object: 'promotion_stack' as const, id: 'stack_1', tiers: [tier('t2', 2), tier('t1', 1)] };

  test('are reported as their tiers in stored order, whatever the sorting', () => {
    const calculation = calculated(order, [stack], { redeemables_sorting_rule: 'CATEGORY_HIERARCHY' });
    expect(calculation.redeemables.map(({ object, id }) => [object, id])).toEqual([
      ['promotion_tier', 't2'],
      ['promotion_tier', 't1'],
    ]);
    expect(appliedBy(calculation)).toEqual([1000, 900]);
  });

  test('their categories replace those of the tiers', () => {
    const settings = { applicable_redeemables_category_limits: { mine: 1 } };
    expect(statuses(calculated(order, [{ ...stack, categories: [category('mine')] }], settings))).toEqual([
      'APPLICABLE',
      'applicable_redeemables_per_category_limit_exceeded',
    ]);
    expect(statuses(calculated(order, [{ ...stack, categories: [] }], settings))).toEqual([
      'APPLICABLE',
      'APPLICABLE',
    ]);
  });

  test('an exclusive tier keeps its place: common ones after it are excluded, those before it are not', () => {
    const exclusive = { ...tier('t3', 3), categories: [category('ex')] };
    const calculation = calculated(order, [{ ...stack, tiers: [tier('t1', 1), exclusive, tier('t2', 2)] }], {
      exclusive_categories: ['ex'],
    });
    expect(calculation.redeemables.map(({ id }) => id)).toEqual(['t1', 't3', 't2']);
    expect(statuses(calculation)).toEqual(['APPLICABLE', 'APPLICABLE', 'exclusion_rules_not_met']);
  });

  test('tiers count one by one for limits', () => {
    expect(statuses(calculated(order, [stack], { applicable_redeemables_limit: 1 }))).toEqual([
      'APPLICABLE',
      'applicable_redeemables_limit_exceeded',
    ]);
  });
});

describe('exclusive, common and joint (reference 01 §10, reference 03 §4.2)', () => {
  const settings = { exclusive_categories: ['ex'], joint_categories: ['jo'] };
  const exclusive = inCategories('exclusive', category('ex', 5));
  const joint = inCategories('joint', category('jo', 1));
  const common = inCategories('common', category('co', 0));

  test('an exclusive one that applies passes over every common one, whatever its position', () => {
    const calculation = calculated(order, [common, joint, exclusive], settings);
    expect(ids(calculation)).toEqual(['exclusive', 'common', 'joint']);
    expect(statuses(calculation)).toEqual(['APPLICABLE', 'exclusion_rules_not_met', 'APPLICABLE']);
    expect(calculation.valid).toBe(true);
  });

  test('where no exclusive one applies, common ones have their turn', () => {
    const calculation = calculated(
      order,
      [common, exclusive],
      { ...settings, redeemables_application_mode: 'PARTIAL' },
      { preCheck: ({ id }) => (id === 'exclusive' ? refuse('voucher_expired') : null) },
    );
    expect(ids(calculation)).toEqual(['exclusive', 'common']);
    expect(statuses(calculation)).toEqual(['INAPPLICABLE', 'APPLICABLE']);
  });

  test('without exclusive ones the list stays as it is', () => {
    expect(ids(calculated(order, [joint, common], settings))).toEqual(['joint', 'common']);
  });

  test('REDEEMABLES_SORTING_RULE sorts exclusive and joint ones together', () => {
    const together = { ...settings, grouped_redeemables_sorting_rule: 'REDEEMABLES_SORTING_RULE' } as const;
    expect(ids(calculated(order, [common, joint, exclusive], together))).toEqual([
      'joint',
      'exclusive',
      'common',
    ]);
  });

  test('a category of each kind: exclusive wins over joint', () => {
    const both = inCategories('both', category('jo'), category('ex'));
    expect(statuses(calculated(order, [both, common], settings))).toEqual([
      'APPLICABLE',
      'exclusion_rules_not_met',
    ]);
  });

  test('a preceding failure is told before exclusion', () => {
    const calculation = calculated(
      order,
      [exclusive, inCategories('bad', category('ex')), common],
      { ...settings, applicable_exclusive_redeemables_limit: 2 },
      { preCheck: ({ id }) => (id === 'bad' ? refuse('voucher_expired') : null) },
    );
    expect(statuses(calculation)).toEqual(['APPLICABLE', 'INAPPLICABLE', 'preceding_validation_failed']);
  });
});
