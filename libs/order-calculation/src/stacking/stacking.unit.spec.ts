import { refuse } from '@scrip/kernel';
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
import { skipMessages } from './skip-reasons';

const category = (id: string, hierarchy = 0) => ({ id, hierarchy });
const inCategories = (id: string, ...categories: Redeemable['categories'] & object): Redeemable =>
  voucher(id, { discount: amount(100) }, { categories });
const order = cart({ amount: 10000 });
const ids = (calculation: ReturnType<typeof calculated>) => calculation.redeemables.map(({ id }) => id);

describe('sorting (spec 01 §10)', () => {
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

describe('promotion stacks (spec 01 §10)', () => {
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

  test('tiers count one by one for limits', () => {
    expect(statuses(calculated(order, [stack], { applicable_redeemables_limit: 1 }))).toEqual([
      'APPLICABLE',
      'applicable_redeemables_limit_exceeded',
    ]);
  });
});

describe('exclusive, common and joint (spec 01 §10, spec 03 §4.2)', () => {
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

  test('exclusion is told before a preceding failure', () => {
    const calculation = calculated(
      order,
      [exclusive, inCategories('bad', category('ex')), common],
      { ...settings, applicable_exclusive_redeemables_limit: 2 },
      { preCheck: ({ id }) => (id === 'bad' ? refuse('voucher_expired') : null) },
    );
    expect(statuses(calculation)).toEqual(['APPLICABLE', 'INAPPLICABLE', 'exclusion_rules_not_met']);
  });
});

describe('limits (spec 01 §10 step 4.3)', () => {
  const list = (count: number, ...categories: Redeemable['categories'] & object) =>
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

describe('calculation mode by category (spec 01 §5, §10)', () => {
  const tenPercent = (...categories: Redeemable['categories'] & object) =>
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

describe('no effect (spec 01 §10 step 4.5)', () => {
  const spent = redeemables(amount(10000));
  const late = (id: string, ...categories: Redeemable['categories'] & object) =>
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

describe('ONCE: each product is discounted by one redeemable (spec 01 §10 step 4.4)', () => {
  const once = { redeemables_products_application_mode: 'ONCE' } as const;
  const lines = cart({
    items: [
      { product_id: 'mug', price: 1000 },
      { product_id: 'mug', sku_id: 'sku_red', price: 1000 },
      { product_id: 'cup', price: 1000 },
      { price: 1000 },
    ],
  });
  const only = (id: string) => ({
    included: [{ object: 'product' as const, id }],
    excluded: [],
    included_all: false,
  });
  const off = (id: string, product?: string) =>
    voucher(
      id,
      { discount: amount(100, { effect: 'APPLY_TO_ITEMS' }) },
      product ? { scope: only(product) } : {},
    );

  test('later redeemables leave its lines alone', () => {
    expect(appliedBy(calculated(lines, [off('A', 'mug'), off('B')], once))).toEqual([200, 200]);
    expect(appliedBy(calculated(lines, [off('A', 'mug'), off('B')]))).toEqual([200, 400]);
  });

  test('a line that names no product is a product of its own', () => {
    expect(appliedBy(calculated(lines, [off('A', 'cup'), off('B'), off('C')], once))).toEqual([
      100,
      300,
      undefined,
    ]);
  });

  test('discounts of the whole order neither mark nor respect it', () => {
    const calculation = calculated(
      lines,
      [...redeemables(amount(100)), off('A'), voucher('B', { discount: amount(100) })],
      once,
    );
    expect(appliedBy(calculation)).toEqual([100, 400, 100]);
  });

  test.each<[string, Redeemable['incentive'], number[] | undefined]>([
    ['a discount of the order', { discount: amount(100, { effect: 'APPLY_TO_ORDER' }) }, [0, 1]],
    ['a gift card for the order', { gift: { balance: 100 } }, [0, 1]],
    ['points', { reward: { type: 'OTHER', balance: 1, points: 1 } }, [0, 1]],
    ['a gift card for items', { gift: { balance: 100, effect: 'APPLY_TO_ITEMS' } }, undefined],
    ['a discount of items', { discount: amount(100, { effect: 'APPLY_TO_ITEMS' }) }, undefined],
  ])('%s lists what it may touch', (_, incentive, indices) => {
    const scope = { ...only('mug'), included: [...only('mug').included, ...only('cup').included] };
    const [, second] = calculated(
      lines,
      [off('A', 'mug'), voucher('B', incentive, { scope })],
      once,
    ).redeemables;
    const listed = second?.status === 'APPLICABLE' ? second.applicable_to.data : [];
    expect(listed.map((entry) => entry.order_item_indices)).toEqual([indices, [2]]);
  });

  test('credits used on items close their products, credits used on the order do not', () => {
    const gift = (effect: 'APPLY_TO_ITEMS' | 'APPLY_TO_ORDER') =>
      voucher('G', { gift: { balance: 50, effect } }, { scope: only('cup') });
    expect(appliedBy(calculated(lines, [gift('APPLY_TO_ITEMS'), off('A')], once))).toEqual([50, 300]);
    expect(appliedBy(calculated(lines, [gift('APPLY_TO_ORDER'), off('A')], once))).toEqual([50, 400]);
  });

  test('free units of a product discounted before do nothing', () => {
    const free = voucher('F', { discount: units('ADD_NEW_ITEMS', 1, 'mug') });
    expect(calculated(lines, [off('A', 'mug'), free], once).order?.amount).toBe(4000);
    expect(calculated(lines, [off('A', 'cup'), free], once).order?.amount).toBe(5000);
  });

  test('a product with a free unit takes no discount afterwards', () => {
    const free = voucher('F', { discount: units('ADD_NEW_ITEMS', 1, 'mug') });
    expect(appliedBy(calculated(lines, [free, off('A', 'mug')], once))).toEqual([1000, undefined]);
  });
});

test('every reason has its sentence (spec 01 §10)', () => {
  expect(skipMessages).toEqual({
    applicable_redeemables_limit_exceeded: 'Applicable redeemables limit exceeded',
    applicable_exclusive_redeemables_limit_exceeded: 'Applicable exclusive redeemables limit exceeded',
    applicable_redeemables_per_category_limit_exceeded: 'Applicable redeemables limit per category exceeded',
    applicable_exclusive_redeemables_per_category_limit_exceeded:
      'Applicable exclusive redeemables limit per category exceeded',
    exclusion_rules_not_met: 'Redeemable cannot be applied due to exclusion rules',
    preceding_validation_failed: 'Redeemable cannot be applied due to preceding validation failure',
    no_effect: 'Redeemable cannot be applied due to no effect',
  });
});
