import { amountOff, calculated, oneRule, outcomes } from './calc.fixture';
import { violationsOf } from '@scrip/order-preview';
import { order, partial } from './request.fixture';

describe('rules', () => {
  const vip = oneRule('customer.segment', { $is: ['seg_vip'] });

  it('decide whether a redeemable applies', () => {
    const of = (segment: string) =>
      outcomes(
        calculated({
          order,
          customer: { segments: [segment] },
          redeemables: [amountOff('VIP', 500, { validation_rules: [vip] })],
        }),
      );
    expect(of('seg_vip')).toEqual(['500']);
    expect(of('seg_new')).toEqual(['customer_rules_violated']);
  });

  it('explain each failed condition beside the refusal', () => {
    const { redeemables } = calculated({
      order,
      customer: { segments: ['seg_new'] },
      error_messages: { customer_rules_violated: 'Not for you' },
      redeemables: [amountOff('VIP', 500, { validation_rules: [vip] })],
    });
    const [outcome] = redeemables;
    if (outcome?.status !== 'INAPPLICABLE') throw new Error('it applies');
    const { violations, ...refusal } = outcome.refusal;
    expect(refusal).toEqual({
      refused: 'customer_rules_violated',
      details: 'Discount Coupon cannot be redeemed because of violated validation rules: val_1',
      customMessage: 'Not for you',
    });
    expect(violationsOf(outcome.refusal)).toBe(violations);
    expect(violations).toEqual([
      {
        ruleId: 'val_1',
        path: '1',
        name: 'customer.segment',
        property: null,
        group: 'customer',
        operator: '$is',
        expected: ['seg_vip'],
        actual: ['seg_new'],
      },
    ]);
  });

  it('of other refusals have no failed conditions', () => {
    expect(violationsOf({ refused: 'voucher_expired' })).toEqual([]);
  });

  it('need a customer where they are about one', () => {
    expect(
      outcomes(calculated({ order, redeemables: [amountOff('VIP', 500, { validation_rules: [vip] })] })),
    ).toEqual(['missing_customer']);
  });

  it.each([
    { rule: oneRule('order.amount', { $more_than_or_equal: [3500] }), second: '300' },
    { rule: oneRule('order.amount', { $more_than_or_equal: [3501] }), second: 'order_rules_violated' },
    { rule: oneRule('order.initial_amount', { $more_than_or_equal: [4000] }), second: '300' },
    {
      rule: oneRule('order.initial_amount', { $more_than_or_equal: [4001] }),
      second: 'order_rules_violated',
    },
    { rule: oneRule('order.total_amount', { $more_than_or_equal: [3200] }), second: '300' },
    { rule: oneRule('order.total_amount', { $more_than_or_equal: [3201] }), second: 'order_rules_violated' },
  ])('look at the order before anything, before and after the effect: $rule.rules.1', ({ rule, second }) => {
    const calculation = calculated({
      order,
      redeemables: [amountOff('FIRST', 500), amountOff('SECOND', 300, { validation_rules: [rule] })],
    });
    expect(outcomes(calculation)).toEqual(['500', second]);
  });

  it('are told together, also those that wait for the result: customer first, all ids (reference 02 §4.4)', () => {
    const small = { ...oneRule('order.amount', { $more_than: [9999] }), id: 'val_amount' };
    const total = { ...oneRule('order.total_amount', { $more_than: [9999] }), id: 'val_total' };
    const stranger = {
      name: 'Both',
      id: 'val_vip',
      rules: { '1': { name: 'order.total_amount' }, '2': vip.rules['1'] },
    };
    const { redeemables } = calculated({
      order,
      customer: {},
      redeemables: [amountOff('A', 500, { validation_rules: [small, total, stranger] })],
    });
    expect(redeemables).toMatchObject([
      {
        refusal: {
          refused: 'customer_rules_violated',
          details:
            'Discount Coupon cannot be redeemed because of violated validation rules: val_amount, val_total, val_vip',
          violations: [
            { ruleId: 'val_amount', path: '1' },
            { ruleId: 'val_total', path: '1', actual: 3500 },
            { ruleId: 'val_vip', path: '2' },
          ],
        },
      },
    ]);
  });

  it('read metadata of customer, order, redemption, key and team member', () => {
    const file = {
      order: { ...order, metadata: { channel: 'web' } },
      customer: { metadata: { tier: 'gold' }, loyalty_tiers: ['ltr_1'] },
      metadata: { till: 7 },
      api_key: 'app_1',
      user_login: 'ada@example.com',
    };
    const rules = {
      '1': { name: 'customer.metadata', property: 'tier', conditions: { $is: ['gold'] } },
      '2': { name: 'order.metadata', property: 'channel', conditions: { $is: ['web'] } },
      '3': { name: 'redemption.metadata', property: 'till', conditions: { $is: [7] } },
      '4': { name: 'redemption.api_key', conditions: { $is: ['app_1'] } },
      '5': { name: 'redemption.user.login', conditions: { $is: ['ada@example.com'] } },
      '6': { name: 'customer.loyalty_tier', conditions: { $is: ['ltr_1'] } },
    };
    const redeemables = [amountOff('A', 500, { validation_rules: [{ name: 'All', rules }] })];
    expect(outcomes(calculated({ ...file, redeemables }))).toEqual(['500']);
    const [outcome] = calculated({ order, customer: {}, redeemables }).redeemables;
    if (outcome?.status !== 'INAPPLICABLE') throw new Error('it applies');
    expect(violationsOf(outcome.refusal).map(({ path }) => path)).toEqual(['1', '2', '3', '4', '5', '6']);
  });

  it.each([true, false])('know whether the customer holds the voucher: %s', (held) => {
    const rule = oneRule('publication.redeemable_by_linked_customer', { $is: [true] });
    const redeemables = [amountOff('A', 500, { held_by_customer: held, validation_rules: [rule] })];
    expect(outcomes(calculated({ order, customer: {}, redeemables }))).toEqual([
      held ? '500' : 'customer_rules_violated',
    ]);
  });

  it.each([
    { points: 250, outcome: '2500' },
    { points: 251, outcome: 'redemption_rules_violated' },
  ])('see $points points that the redemption spends', ({ points, outcome }) => {
    const card = {
      object: 'voucher',
      id: 'CARD',
      loyalty_card: { balance: 1000 },
      reward: { type: 'COIN', points, parameters: { coin: { exchange_ratio: 1, points_ratio: 10 } } },
      validation_rules: [
        oneRule('redemption.reward.pay_with_points.points_used', { $less_than_or_equal: [250] }),
      ],
    };
    expect(outcomes(calculated({ order, redeemables: [card] }))).toEqual([outcome]);
  });

  it.each([
    { object: 'voucher', discount: { type: 'AMOUNT', amount_off: 1 }, label: 'Discount Coupon' },
    { object: 'voucher', gift: { balance: 1 }, label: 'Gift Card' },
    {
      object: 'voucher',
      loyalty_card: { balance: 1 },
      reward: { type: 'MATERIAL', points: 1 },
      label: 'Loyalty Card',
    },
    { object: 'promotion_tier', discount: { type: 'AMOUNT', amount_off: 1 }, label: 'Promotion Tier' },
  ])('call it a $label', ({ label, ...incentive }) => {
    const rule = oneRule('order.amount', { $more_than: [9999] });
    const { redeemables } = calculated({
      order,
      redeemables: [{ id: 'A', ...incentive, validation_rules: [rule] }],
    });
    expect(redeemables).toMatchObject([
      { refusal: { details: `${label} cannot be redeemed because of violated validation rules: val_1` } },
    ]);
  });
});

describe('stacks of tiers', () => {
  const tier = (id: string, more: object = {}) => ({
    ...amountOff(id, 100),
    object: 'promotion_tier',
    ...more,
  });

  it('are evaluated tier by tier, each with its own rules, under the categories of the stack', () => {
    const stack = {
      object: 'promotion_stack',
      id: 'stack_1',
      categories: [{ id: 'cat_1', hierarchy: 1 }],
      tiers: [
        tier('promo_1'),
        tier('promo_2', { validation_rules: [oneRule('order.amount', { $less_than: [3900] })] }),
        tier('promo_3'),
      ],
    };
    const calculation = calculated({
      order,
      stacking_rules: { ...partial, applicable_redeemables_category_limits: { cat_1: 1 } },
      redeemables: [stack],
    });
    expect(outcomes(calculation)).toEqual([
      '100',
      'order_rules_violated',
      'applicable_redeemables_per_category_limit_exceeded',
    ]);
  });
});

describe('without an order', () => {
  it('a discount applies and rules about the order fail', () => {
    const rule = oneRule('order.amount', { $more_than: [0] });
    expect(calculated({ redeemables: [amountOff('A', 100)] })).toMatchObject({ valid: true, order: null });
    expect(
      outcomes(calculated({ redeemables: [amountOff('A', 100, { validation_rules: [rule] })] })),
    ).toEqual(['order_rules_violated']);
  });
});
