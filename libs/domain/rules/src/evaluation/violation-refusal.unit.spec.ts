import { byKey, cart, oneRule, orderPart, ruleObject } from '../rules.fixture';
import type { RuleContext } from './rule-context';
import type { RuleWording } from './violation-refusal';
import { fixed, stranger, verdictOf, vip } from '../verdicts.fixture';

describe('errors (4.4)', () => {
  const worked = ruleObject(
    {
      1: { name: 'customer.segment', conditions: { $is: ['seg_1'] }, error: { message: 'T1' } },
      2: { name: 'product.id', conditions: { $is: [{ id: 'prod_1' }] } },
      logic: '1 AND 2',
    },
    { error: { message: 'F' } },
  );
  const right = orderPart(cart([{ product: 'prod_1', price: 100 }]));
  const wrong = orderPart(cart([{ product: 'prod_2', price: 100 }]));

  it.each<[string, RuleContext['customer'], RuleContext['order'], string, string]>([
    ['wrong segment', stranger, right, 'customer_rules_violated', 'T1'],
    ['wrong product', vip, wrong, 'order_rules_violated', 'F'],
    ['both wrong', stranger, wrong, 'customer_rules_violated', 'T1'],
  ])('worked case: %s', (_, customer, order, refused, customMessage) => {
    expect(verdictOf(worked, { customer, order }).refusal).toEqual({
      refused,
      details: 'Discount Coupon cannot be redeemed because of violated validation rules: val_1',
      customMessage,
    });
  });

  it('worked case: both right', () => {
    expect(verdictOf(worked, { customer: vip, order: right })).toMatchObject({ holds: true, refusal: null });
  });

  const customerRule = { name: 'customer.segment', conditions: { $is: ['seg_1'] } };
  const orderRule = { name: 'order.amount', conditions: { $more_than: [1000] } };
  const redemptionRule = { name: 'redemption.metadata', property: 'channel', conditions: { $is: ['app'] } };
  const nothing = { customer: stranger, order: wrong, redemption: byKey };

  it.each([
    [[redemptionRule, orderRule, customerRule], 'customer'],
    [[redemptionRule, orderRule], 'order'],
    [[redemptionRule], 'redemption'],
  ])('the group is the first of customer, order, redemption', (rules, group) => {
    const verdict = verdictOf(
      ruleObject(Object.fromEntries(rules.map((rule, index) => [index + 1, rule]))),
      nothing,
    );
    expect(verdict.refusal).toEqual({
      refused: `${group}_rules_violated`,
      details: 'Discount Coupon cannot be redeemed because of violated validation rules: val_1',
    });
    expect(verdict.violations.map(({ path }) => path)).toEqual(rules.map((_, index) => String(index + 1)));
  });

  it.each(['Discount Coupon', 'Gift Card', 'Loyalty Card', 'Referral Code', 'Promotion Tier'] as const)(
    'details name a %s and all violated rule objects once',
    (label) => {
      const rules = [
        ruleObject({ 1: orderRule }, { id: 'val_a' }),
        ruleObject({}, { id: 'val_ok' }),
        ruleObject({ 1: customerRule, 2: orderRule }, { id: 'val_b' }),
        ruleObject({ 1: orderRule }, { id: 'val_a' }),
      ];
      expect(verdictOf(rules, nothing, 'FULL', { label }).refusal?.details).toBe(
        `${label} cannot be redeemed because of violated validation rules: val_a, val_b`,
      );
    },
  );

  it('the first violated rule of the group gives the text, rule objects in assignment order', () => {
    const object = (id: string, text: string) =>
      ruleObject({ 1: { ...customerRule, error: { message: text } } }, { id });
    const other = ruleObject({ 1: { ...orderRule, error: { message: 'order' } } }, { id: 'val_o' });
    expect(
      verdictOf([other, object('val_a', 'first'), object('val_b', 'second')], nothing).refusal?.customMessage,
    ).toBe('first');
  });

  it('a rule that logic does not name gives no text and no violation', () => {
    const rule = ruleObject({ 1: { ...orderRule, error: { message: 'x' } }, 2: orderRule, logic: '2' });
    const verdict = verdictOf(rule, nothing);
    expect(verdict.refusal).not.toHaveProperty('customMessage');
    expect(verdict.violations.map(({ path }) => path)).toEqual(['2']);
  });

  it('false rules of a true rule object are no violations', () => {
    const rules = [
      ruleObject({ 1: customerRule, 2: fixed(true), logic: '1 or 2' }),
      ruleObject({ 1: orderRule }, { id: 'val_2' }),
    ];
    const verdict = verdictOf(rules, nothing);
    expect(verdict.violations.map(({ ruleId, path }) => [ruleId, path])).toEqual([['val_2', '1']]);
    expect(verdict.refusal?.refused).toBe('order_rules_violated');
    expect(verdict.outcomes.map(({ status }) => status)).toEqual(['VALID', 'INVALID']);
  });

  it('true rules of a false rule object are no violations', () => {
    const verdict = verdictOf(ruleObject({ 1: fixed(true), 2: orderRule }), nothing);
    expect(verdict.violations.map(({ path }) => path)).toEqual(['2']);
  });

  describe('the text', () => {
    const object = (texts: { below?: string; leaf?: string; object?: string }) =>
      ruleObject(
        {
          1: {
            ...fixed(true),
            rules: { 1: fixed(false, texts.below === undefined ? {} : { error: { message: texts.below } }) },
            ...(texts.leaf !== undefined && { error: { message: texts.leaf } }),
          },
        },
        texts.object === undefined ? {} : { error: { message: texts.object } },
      );
    const told: RuleWording = {
      label: 'Gift Card',
      messages: { redemption_rules_violated: 'project', order_rules_violated: 'other' },
    };

    it.each([
      [{ below: 'below', leaf: 'leaf', object: 'object' }, 'below'],
      [{ leaf: 'leaf', object: 'object' }, 'leaf'],
      [{ object: 'object' }, 'object'],
      [{}, 'project'],
    ])('%j: %s', (texts, expected) => {
      expect(verdictOf(object(texts), { redemption: byKey }, 'FULL', told).refusal?.customMessage).toBe(
        expected,
      );
    });

    it('is absent where none is configured', () => {
      const { refusal } = verdictOf(object({}), { redemption: byKey }, 'FULL', {
        label: 'Gift Card',
        messages: { order_rules_violated: 'other' },
      });
      expect(refusal).not.toHaveProperty('customMessage');
      expect(verdictOf(object({}), { redemption: byKey }).refusal).not.toHaveProperty('customMessage');
    });

    it('is that of the first rule alone, even where only a later one has any', () => {
      const rule = ruleObject(
        { 1: fixed(false), 2: fixed(false, { error: { message: 'second' } }) },
        { error: { message: 'F' } },
      );
      expect(verdictOf(rule, { redemption: byKey }).refusal?.customMessage).toBe('F');
    });

    it('is that of the nearest rule above which has one, and of the first sub-rule that has any', () => {
      const rule = ruleObject({
        1: fixed(true, {
          error: { message: 'leaf' },
          rules: {
            1: fixed(false),
            2: fixed(true, {
              error: { message: 'between' },
              rules: { 1: fixed(true, { rules: { 1: fixed(false) } }) },
            }),
            3: fixed(false, { error: { message: 'third' } }),
          },
        }),
      });
      const verdict = verdictOf(rule, { redemption: byKey });
      expect(verdict.refusal?.customMessage).toBe('between');
      expect(verdict.violations.map(({ path }) => path)).toEqual([
        '1.rules.1',
        '1.rules.2.rules.1.rules.1',
        '1.rules.3',
      ]);
    });

    it('is that of a rule which itself is false, whatever is below it', () => {
      const rule = ruleObject({
        1: fixed(false, {
          error: { message: 'leaf' },
          rules: { 1: fixed(false, { error: { message: 'below' } }) },
        }),
      });
      const verdict = verdictOf(rule, { redemption: byKey });
      expect(verdict.refusal?.customMessage).toBe('leaf');
      expect(verdict.violations.map(({ path }) => path)).toEqual(['1']);
    });
  });

  describe('without a customer', () => {
    const missing = {
      refused: 'missing_customer',
      details: 'Customer is required to validate rules',
    };

    it.each([
      ['customer.segment', { conditions: { $is_not: ['seg_1'] } }],
      ['customer.metadata', { property: 'tier', conditions: { $is_not: ['VIP'] } }],
      ['customer.loyalty_tier', { conditions: { $not_in: ['ltr_1'] } }],
      ['publication.redeemable_by_linked_customer', { conditions: { $is: [true] } }],
      ['campaign.redemptions.customers_count', { conditions: { $less_than: [9] } }],
      ['campaign.redemptions.customers_count.weekly', { conditions: { $less_than: [9] } }],
      ['redemption.count.per_customer', { conditions: { $less_than: [9] } }],
      ['redemption.count.per_customer.daily', { conditions: {} }],
    ])('%s is false and the customer missing', (name, rest) => {
      const verdict = verdictOf(
        ruleObject({ 1: { name, ...rest }, 2: orderRule }, { error: { message: 'F' } }),
        {
          order: wrong,
          redemption: byKey,
        },
      );
      expect(verdict.refusal).toEqual(missing);
      expect(verdict.violations[0]).toMatchObject({ name, actual: null });
    });

    it('a false rule that logic names makes it missing, unless its object holds all the same', () => {
      const verdict = verdictOf(
        ruleObject({ 1: customerRule, 2: fixed(true), 3: orderRule, logic: '(1 or 2) and 3' }),
        {
          order: wrong,
          redemption: byKey,
        },
      );
      expect(verdict.refusal).toEqual(missing);
      const satisfied = [
        ruleObject({ 1: customerRule, 2: fixed(true), logic: '1 or 2' }),
        ruleObject({ 1: orderRule }),
      ];
      expect(verdictOf(satisfied, { order: wrong, redemption: byKey }).refusal?.refused).toBe(
        'order_rules_violated',
      );
    });

    it('the customer is missing where it lacks below another rule', () => {
      const rule = ruleObject({ 1: fixed(true, { rules: { 1: customerRule } }) });
      expect(verdictOf(rule, { redemption: byKey }).refusal).toEqual(missing);
      expect(verdictOf(rule, { redemption: byKey, customer: stranger }).refusal?.refused).toBe(
        'redemption_rules_violated',
      );
    });

    it('limits of all customers go on', () => {
      expect(verdictOf(oneRule('campaign.redemptions.count', { $less_than: [9] }), {}).holds).toBe(true);
    });
  });
});
