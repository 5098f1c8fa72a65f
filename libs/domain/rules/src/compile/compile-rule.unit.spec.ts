import { modeBits } from '../evaluation/rule-mode';
import { oneRule, problemOf, ruleObject } from '../rules.fixture';
import { compileRule } from './compile-rule';
import { mugs, segment } from './definitions.fixture';

describe('a validation rule object (1)', () => {
  it.each([undefined, null, {}, { rules: {} }, { name: null }, 'text', 7, []])(
    'needs a name: %j',
    (definition) => {
      expect(compileRule(definition, 'val_1')).toEqual({
        refused: 'invalid_payload',
        details: "Payload must have required property 'name'",
      });
    },
  );

  it('needs a name that is a text', () => {
    expect(compileRule({ name: 7 }, 'val_1')).toEqual({
      refused: 'invalid_payload',
      details: 'Property .name must be string',
    });
  });

  it('says that the definition is invalid, and why', () => {
    expect(compileRule({ name: 'A', rules: { logic: '1' } }, 'val_1')).toEqual({
      refused: 'invalid_validation_rules',
      details: "Logic names rule '1', which is not defined",
    });
  });

  it('keeps its id and its definition as sent', () => {
    const definition = {
      name: 'A',
      rules: {
        1: { ...segment, property: null, error: {}, unknown: [1] },
        2: { ...mugs, conditions: { $is: [{ id: 'prod_1', object: 'product', unknown: true }] } },
        logic: '1',
      },
      type: 'basic',
      context_type: 'global',
    };
    const rule = compileRule(definition, 'val_7');
    expect(rule).toMatchObject({ id: 'val_7', message: null, bundle: null, scope: null });
    expect((rule as { definition: unknown }).definition).toBe(definition);
  });

  it.each([undefined, null, {}, { logic: '' }, { logic: null }])('may have no rules: %j', (rules) => {
    const rule = compileRule({ name: 'A', rules }, 'val_1');
    expect(rule).toMatchObject({ root: { leaves: [], logic: null }, needsResult: false, counters: [] });
  });

  it('takes its own text', () => {
    expect(ruleObject({}, { error: { message: 'Not today' } }).message).toBe('Not today');
    expect(ruleObject({}, { error: {} }).message).toBeNull();
    expect(ruleObject({}, { error: { message: '' } }).message).toBeNull();
    const leaf = (error: unknown) => ruleObject({ 1: { ...segment, error } }).root.leaves[0]?.message;
    expect([leaf({ message: 'No' }), leaf({ message: '' }), leaf({}), leaf(undefined)]).toEqual([
      'No',
      null,
      null,
      null,
    ]);
    expect(ruleObject({}, { error: null }).message).toBeNull();
    expect(problemOf({}, { error: { message: 7 } })).toBe('Error message must be a string');
    expect(problemOf({}, { error: 'Not today' })).toBe('Error message must be a string');
  });
});

describe('what callers must know of a rule object', () => {
  it.each([
    ['order.total_amount', true],
    ['campaign.orders.amount_discounted', true],
    ['redemption.gift.amount', true],
    ['redemption.reward.pay_with_points.points_used', true],
    ['order.amount', false],
    ['order.initial_amount', false],
    ['campaign.orders.amount', false],
    ['campaign.redemptions.count', false],
  ])('whether %s needs the result: %j', (name, needsResult) => {
    expect(oneRule(name, { $more_than: [0] }).needsResult).toBe(needsResult);
  });

  it('finds what needs the result below other rules', () => {
    const rule = ruleObject({ 1: { ...segment, rules: { 1: { name: 'order.total_amount' } } }, 2: segment });
    expect(rule.needsResult).toBe(true);
  });

  it('lists limits and budgets once each', () => {
    const rule = ruleObject({
      1: { name: 'redemption.count.daily' },
      2: { name: 'campaign.orders.amount', rules: { 1: { name: 'redemption.count.per_customer.weekly' } } },
      3: { name: 'redemption.count.daily' },
      4: segment,
    });
    expect(rule.counters).toEqual([
      'redemption.count.daily',
      'campaign.orders.amount',
      'redemption.count.per_customer.weekly',
    ]);
  });

  it('keeps by mode what is left out', () => {
    const rule = ruleObject({ 1: segment, 2: mugs, 3: { name: 'redemption.count.daily' } });
    expect(Object.keys(rule.omittedKeys)).toEqual(Object.keys(modeBits));
    expect(rule.omittedKeys).toEqual({
      FULL: [],
      FULL_CAMPAIGN: [],
      QUALIFY: ['3'],
      AUDIENCE: ['2', '3'],
      AUDIENCE_ONLY_LEGACY: ['2', '3'],
      AUDIENCE_ONLY_LEGACY_VOUCHER: ['2', '3'],
      PRODUCT: ['1', '2', '3'],
    });
  });
});
