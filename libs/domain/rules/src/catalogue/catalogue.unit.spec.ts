import { evaluateRules } from '../evaluation/evaluate-rules';
import { type RuleMode, modeBits } from '../evaluation/rule-mode';
import { contextOf, oneRule } from '../rules.fixture';
import { catalogue, lineRuleNames } from './catalogue';
import { counters, perCustomer } from './counters.fixture';

const modes = Object.keys(modeBits) as RuleMode[];
const audience = ['customer.segment', 'customer.metadata', 'customer.loyalty_tier'];
const holder = ['publication.redeemable_by_linked_customer'];
const orderRules = [
  'order.total_amount',
  'order.initial_amount',
  'order.items.count',
  'order.items.price_any',
  'order.items.price_each',
  'order.items.metadata_any',
  'order.items.metadata_each',
  'order.metadata',
  'order.items.any',
  'order.items.every',
  'order.items.none',
  'order.items.cheapest',
  'order.items.most_expensive',
  'product.id',
  'sku.id',
  'product.metadata',
];
const redemptionRules = ['redemption.metadata', 'redemption.api_key', 'redemption.user.login'];
const neverQualified = ['redemption.reward.pay_with_points.points_used', 'custom_event.metadata'];

/** The modes that evaluate a rule besides FULL. */
const evaluated: [string, string, RuleMode[]][] = [
  ...audience.map((name): [string, string, RuleMode[]] => [
    name,
    'customer',
    ['FULL_CAMPAIGN', 'QUALIFY', 'AUDIENCE', 'AUDIENCE_ONLY_LEGACY', 'AUDIENCE_ONLY_LEGACY_VOUCHER'],
  ]),
  ...holder.map((name): [string, string, RuleMode[]] => [name, 'customer', ['QUALIFY', 'AUDIENCE']]),
  ['order.amount', 'order', ['FULL_CAMPAIGN']],
  ...orderRules.map((name): [string, string, RuleMode[]] => [name, 'order', ['FULL_CAMPAIGN', 'QUALIFY']]),
  ...redemptionRules.map((name): [string, string, RuleMode[]] => [
    name,
    'redemption',
    ['FULL_CAMPAIGN', 'QUALIFY'],
  ]),
  ...[...neverQualified, ...counters].map((name): [string, string, RuleMode[]] => [
    name,
    'redemption',
    ['FULL_CAMPAIGN'],
  ]),
  ...perCustomer.map((name): [string, string, RuleMode[]] => [
    name,
    'redemption',
    ['FULL_CAMPAIGN', 'AUDIENCE_ONLY_LEGACY_VOUCHER'],
  ]),
];

describe('the catalogue (3)', () => {
  it('has exactly these names', () => {
    expect([...catalogue.keys()].sort()).toEqual(evaluated.map(([name]) => name).sort());
  });

  it('has exactly these rules below rules about lines', () => {
    expect([...lineRuleNames].sort()).toEqual(
      [
        'order.items.aggregated_amount',
        'order.items.aggregated_quantity',
        'order.items.price',
        'order.items.quantity',
        'order.items.metadata',
        'product.price',
        'product.quantity',
        'product.discount_applicable',
        'sku.price',
        'sku.quantity',
        'sku.discount_applicable',
        'product.metadata.aggregated_quantity',
        'product.metadata.aggregated_amount',
        'product.metadata.discount_applicable',
        'product.metadata.match_all',
      ].sort(),
    );
  });

  it.each(evaluated)('%s is of group %s and evaluated in FULL and %j', (name, group, others) => {
    expect(catalogue.get(name)?.group).toBe(group);
    // Nothing exists in this context, so that every rule fails that is evaluated.
    const rule = oneRule(name, {}, { property: 'p' });
    const isEvaluated = { ...Object.fromEntries(modes.map((mode) => [mode, false])), FULL: true };
    for (const mode of others) Object.assign(isEvaluated, { [mode]: true });
    for (const mode of modes) {
      const failing = counters.includes(name) ? oneRule(name, { $less_than: [0] }, { property: 'p' }) : rule;
      const verdict = evaluateRules([failing], contextOf(), mode, { label: 'Gift Card' });
      expect([mode, verdict.holds]).toEqual([mode, !isEvaluated[mode as keyof typeof isEvaluated]]);
      expect(verdict.outcomes[0]?.omitted).toEqual(
        isEvaluated[mode as keyof typeof isEvaluated] ? [] : ['1'],
      );
      expect(verdict.violations.map((violation) => violation.group)).toEqual(verdict.holds ? [] : [group]);
    }
  });

  it.each(
    evaluated.map(([name]) => [name, name.endsWith('metadata') || name.includes('.metadata_')] as const),
  )('%s needs a property: %j', (name, needsProperty) => {
    expect('metadata' in catalogue.get(name)!.measure).toBe(needsProperty);
  });

  it.each(['order.items.metadata'])('%s below a rule needs a property', (name) => {
    const rule = catalogue.get('order.items.any')!.lineRules!.find((below) => below.name === name)!;
    expect('metadata' in rule.measure).toBe(true);
  });
});
