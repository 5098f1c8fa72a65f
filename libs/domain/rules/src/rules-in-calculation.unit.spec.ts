import {
  type CalculationContext,
  type Redeemable,
  calculate,
  defaultStackingSettings,
} from '@scrip/order-calculation';
import type { CompiledRule } from './compile/compile-rule';
import { evaluateRules, rulesHold } from './evaluation/evaluate-rules';
import type { RuleMode } from './evaluation/rule-mode';
import { at, byKey, cart, contextOf, oneRule, orderPart, ruleObject, someone } from './rules.fixture';
import { bundlesOf } from './scope/bundles-of';
import { effectiveScope } from './scope/effective-scope';

const wording = { label: 'Discount Coupon' as const };

/** The hooks of a calculation that evaluates rules the way a request does. */
const checking = (
  initial: ReturnType<typeof cart>,
  rulesOf: Record<string, readonly CompiledRule[]>,
): CalculationContext => {
  const looksAtResult = (id: string) => rulesOf[id]?.some(({ needsResult }) => needsResult) ?? false;
  const verdict = (id: string, order: Parameters<typeof orderPart>[1]) =>
    evaluateRules(
      rulesOf[id] ?? [],
      contextOf({ customer: someone, redemption: byKey, order: orderPart(initial, order) }),
      'FULL',
      wording,
    ).refusal;
  return {
    ...at,
    ruleCheck: ({ id }, before) => (looksAtResult(id) ? null : verdict(id, { before: before! })),
    postCheck: ({ id }, { before, after }) =>
      looksAtResult(id) ? verdict(id, { before: before!, after }) : null,
  };
};

const coupon = (amountOff: number, rest: Partial<Redeemable> = {}): Redeemable => ({
  object: 'voucher',
  id: 'coupon',
  incentive: { discount: { type: 'AMOUNT', amount_off: amountOff, effect: 'APPLY_TO_ORDER' } },
  ...rest,
});
const gift: Redeemable = { object: 'voucher', id: 'gift', incentive: { gift: { balance: 100 } } };

describe('rules in a calculation', () => {
  const order = cart([{ product: 'prod_1', price: 1050 }]);
  const rules = {
    coupon: [
      ruleObject({
        1: { name: 'order.amount', conditions: { $more_than: [1000] } },
        2: { name: 'order.initial_amount', conditions: { $less_than: [1100] } },
      }),
    ],
  };

  it.each([
    ['coupon first', [coupon(10), gift], ['APPLICABLE', 'APPLICABLE']],
    ['gift card first', [gift, coupon(10)], ['APPLICABLE', 'INAPPLICABLE']],
  ])('amounts in a stack, %s (4.3)', (_, redeemables, statuses) => {
    const result = calculate(order, redeemables, defaultStackingSettings, checking(order, rules));
    expect(result.redeemables.map(({ status }) => status)).toEqual(statuses);
  });

  it.each([
    [5500, 'INAPPLICABLE'],
    [6000, 'APPLICABLE'],
  ])('a coupon of 5000 for what leaves 1000, on a cart of %d: %s (4.3)', (amount, status) => {
    const sized = cart([{ product: 'prod_1', price: amount }]);
    const total = [oneRule('order.total_amount', { $more_than_or_equal: [1000] })];
    const result = calculate(
      sized,
      [coupon(5000)],
      defaultStackingSettings,
      checking(sized, { coupon: total }),
    );
    expect(result.redeemables[0]?.status).toBe(status);
  });

  it.each([
    [3000, 2500, 'INAPPLICABLE'],
    [3000, 2000, 'APPLICABLE'],
  ])('a budget of 5000, %d given, %d more: %s (3.3)', (given, discount, status) => {
    const large = cart([{ product: 'prod_1', price: 10000 }]);
    const budget = [oneRule('campaign.orders.amount_discounted', { $less_than_or_equal: [5000] })];
    const result = calculate(large, [coupon(discount)], defaultStackingSettings, {
      ...at,
      postCheck: (_, { before, after }) =>
        evaluateRules(
          budget,
          contextOf({ order: orderPart(large, { before: before!, after }), counted: () => given }),
          'FULL',
          wording,
        ).refusal,
    });
    expect(result.redeemables[0]?.status).toBe(status);
  });

  const component = (id: string, object: 'product' | 'products_collection', quantity: number) => ({
    name: 'order.items.any',
    conditions: { $is: [{ id, object, type: object === 'product' ? 'product_or_sku' : object }] },
    rules: {
      1: { name: 'order.items.aggregated_quantity', conditions: { $is: [quantity] }, rules: {} },
      logic: '1',
    },
  });
  const set = (limit: number) => [
    ruleObject(
      {},
      {
        bundle_rules: {
          1: component('prod_A', 'product', 2),
          2: component('pc_C', 'products_collection', 5),
          logic: '1 and 2',
          limit,
        },
      },
    ),
  ];

  it('an unmet bundle is told with what is there and what is missing (1.4)', () => {
    const few = cart([
      { product: 'prod_A', price: 100 },
      { product: 'prod_T', price: 100, collections: ['pc_C'] },
      { product: 'prod_S', price: 100, quantity: 2, collections: ['pc_C'] },
    ]);
    const bundle = bundlesOf(set(1), wording)!;
    const refusal = {
      refused: 'order_rules_violated',
      details: 'Discount Coupon cannot be redeemed because of violated validation rules: val_1',
    };
    for (const context of [at, checking(few, { coupon: set(1) })]) {
      const result = calculate(few, [coupon(10, { bundle })], defaultStackingSettings, context);
      expect(result.redeemables).toEqual([
        {
          object: 'voucher',
          id: 'coupon',
          status: 'INAPPLICABLE',
          refusal,
          bundle: {
            quantity: 0,
            limit: 1,
            identified: [
              { id: 'prod_A', object: 'product', item_index: 0, item_quantity: 1 },
              { id: 'prod_T', object: 'product', item_index: 1, item_quantity: 1 },
              { id: 'prod_S', object: 'product', item_index: 2, item_quantity: 2 },
            ],
            missing: [
              { id: 'prod_A', object: 'product', item_quantity: 1 },
              { id: 'pc_C', object: 'products_collection', item_quantity: 2 },
            ],
          },
        },
      ]);
    }
  });

  it('two rules with the same bundle hold and apply: each is met by itself (4.2)', () => {
    const two = cart([{ product: 'prod_A', price: 100, quantity: 2 }]);
    const needsTwo = (id: string) =>
      ruleObject(
        {},
        {
          id,
          bundle_rules: {
            1: {
              name: 'order.items.any',
              conditions: { $is: [{ id: 'prod_A', object: 'product', type: 'product_or_sku' }] },
              rules: { 1: { name: 'order.items.aggregated_quantity', conditions: { $is: [2] } } },
            },
          },
        },
      );
    const rules = [needsTwo('val_own'), needsTwo('val_campaign')];
    const request = contextOf({
      customer: someone,
      redemption: byKey,
      order: orderPart(two, { before: two }),
    });
    expect(rulesHold(rules, request, 'FULL')).toBe(true);
    const bundle = bundlesOf(rules, wording)!;
    const result = calculate(
      two,
      [coupon(10, { bundle })],
      defaultStackingSettings,
      checking(two, { coupon: rules }),
    );
    expect(result.redeemables[0]).toMatchObject({
      status: 'APPLICABLE',
      result: { bundle: { quantity: 1, identified: [{ id: 'prod_A', item_quantity: 2 }] } },
    });
  });

  it('with limit 3, A×5 and T×10 are two bundles (1.4)', () => {
    const many = cart([
      { product: 'prod_A', price: 100, quantity: 5 },
      { product: 'prod_T', price: 100, quantity: 10, collections: ['pc_C'] },
    ]);
    const bundle = bundlesOf(set(3), wording)!;
    const result = calculate(
      many,
      [coupon(10, { bundle })],
      defaultStackingSettings,
      checking(many, { coupon: set(3) }),
    );
    expect(result.redeemables[0]).toMatchObject({
      status: 'APPLICABLE',
      result: { bundle: { quantity: 2, limit: 3 } },
      order: { total_amount: 1480 },
    });
  });

  it('the scope of rules decides what a discount of items touches, exclusion wins (1.3)', () => {
    const two = cart([
      { product: 'prod_1', price: 1000, collections: ['pc_C'] },
      { product: 'prod_2', price: 1000, collections: ['pc_C'] },
      { product: 'prod_3', price: 1000 },
    ]);
    const scope = effectiveScope(
      [
        ruleObject(
          {},
          {
            applicable_to: {
              included: [{ object: 'products_collection', id: 'pc_C' }],
              excluded: [{ object: 'product', id: 'prod_2' }],
            },
          },
        ),
      ],
      two,
      at,
    );
    const percent: Redeemable = {
      object: 'voucher',
      id: 'percent',
      incentive: { discount: { type: 'PERCENT', percent_off: 10 } },
      scope,
    };
    const { order: after } = calculate(two, [percent], defaultStackingSettings, at);
    expect(after?.items.map((line) => line.discount_amount)).toEqual([100, undefined, undefined]);
  });

  it('legacy rules that match nothing put nothing in scope (3.2)', () => {
    const rule = ruleObject({
      1: {
        name: 'product.id',
        conditions: { $is: [{ id: 'prod_9' }] },
        rules: { 1: { name: 'product.discount_applicable', conditions: { $is: [true] } } },
      },
    });
    const percent: Redeemable = {
      object: 'voucher',
      id: 'percent',
      incentive: { discount: { type: 'PERCENT', percent_off: 10, effect: 'APPLY_TO_ITEMS' } },
      scope: effectiveScope([rule], order, at),
    };
    expect(calculate(order, [percent], defaultStackingSettings, at).order?.total_amount).toBe(1050);
  });
});

describe('the worked example of qualification (8)', () => {
  const order = cart([
    { product: 'prod_B', price: 10000, collections: ['pc_brand'] },
    { product: 'prod_book', price: 1500, collections: ['pc_books'] },
  ]);
  const held = { name: 'publication.redeemable_by_linked_customer', conditions: { $is: [true] } };
  const vips = { name: 'customer.segment', conditions: { $is: ['seg_vip'] } };
  const only = (id: string) => ({
    applicable_to: { included: [{ object: 'products_collection', id }] },
  });
  const percentOff = (
    percent: number,
    effect: 'APPLY_TO_ORDER' | 'APPLY_TO_ITEMS',
  ): Redeemable['incentive'] => ({
    discount: { type: 'PERCENT', percent_off: percent, effect },
  });
  const offers: Record<string, { incentive: Redeemable['incentive']; rules: readonly CompiledRule[] }> = {
    T1: { incentive: percentOff(10, 'APPLY_TO_ORDER'), rules: [] },
    gift: { incentive: { gift: { balance: 2500 } }, rules: [ruleObject({ 1: held })] },
    brand: {
      incentive: percentOff(10, 'APPLY_TO_ITEMS'),
      rules: [ruleObject({ 1: held }, only('pc_brand'))],
    },
    T2: {
      incentive: percentOff(20, 'APPLY_TO_ITEMS'),
      rules: [ruleObject({ 1: vips }, only('pc_books'))],
    },
  };
  const holder = { ...someone, segments: ['seg_vip'], holdsVoucher: true };
  /** What each offer takes off, and the lines that its discount of items may touch. */
  const qualifying = (mode: RuleMode, customer: typeof holder | null) =>
    Object.entries(offers).flatMap(([id, { incentive, rules }]) => {
      if (!rulesHold(rules, contextOf({ customer, order: orderPart(order) }), mode)) return [];
      const scope = effectiveScope(rules, order, at);
      const [outcome] = calculate(
        order,
        [{ object: 'voucher', id, incentive, scope }],
        defaultStackingSettings,
        at,
      ).redeemables;
      if (outcome?.status !== 'APPLICABLE') throw new Error(outcome?.status);
      return [
        [
          id,
          outcome.order?.total_applied_discount_amount,
          outcome.applicable_to.data[0]?.order_item_indices ?? [],
        ],
      ];
    });
  const [T1, gift2500, brand, T2] = [
    ['T1', 1150, []],
    ['gift', 2500, []],
    ['brand', 1000, [0]],
    ['T2', 300, [1]],
  ];

  it.each<[string, RuleMode, typeof holder | null, unknown[]]>([
    ['nobody', 'QUALIFY', null, [T1]],
    ['a VIP who holds the vouchers', 'QUALIFY', holder, [T1, gift2500, brand, T2]],
    ['someone else who holds them', 'QUALIFY', { ...holder, segments: [] }, [T1, gift2500, brand]],
    ['a VIP who holds none', 'QUALIFY', { ...holder, holdsVoucher: false }, [T1, T2]],
    ['nobody', 'AUDIENCE', null, [T1]],
    ['nobody, where products decide', 'PRODUCT', null, [T1, gift2500, brand, T2]],
  ])('%s in mode %s', (_, mode, customer, expected) => {
    expect(qualifying(mode, customer)).toEqual(expected);
  });

  it('amounts of a stack accumulate: 10 % and 500 off a cart of 10000', () => {
    const tier = (id: string, incentive: Redeemable['incentive']): Redeemable => ({
      object: 'promotion_tier',
      id,
      incentive,
    });
    const tiers = [
      tier('percent', percentOff(10, 'APPLY_TO_ORDER')),
      tier('amount', { discount: { type: 'AMOUNT', amount_off: 500, effect: 'APPLY_TO_ORDER' } }),
    ];
    const cart10000 = cart([{ product: 'prod_1', price: 10000 }]);
    const result = calculate(
      cart10000,
      [{ object: 'promotion_stack', id: 'stack', tiers }],
      defaultStackingSettings,
      at,
    );
    expect(
      result.redeemables.map((one) =>
        one.status === 'APPLICABLE' ? one.order?.total_applied_discount_amount : one.status,
      ),
    ).toEqual([1000, 500]);
    expect(result.order?.total_amount).toBe(8500);
  });
});
