import { ruleObject } from '../rules.fixture';
import { bundlesOf } from './bundles-of';

const component = (id: string) => ({
  name: 'order.items.any',
  conditions: { $is: [{ id, object: 'product', type: 'product_or_sku' }] },
});
const wording = { label: 'Promotion Tier' as const };
const bundle = (id: string, bundleRules: Record<string, unknown>, rest: Record<string, unknown> = {}) =>
  ruleObject({}, { id, bundle_rules: bundleRules, ...rest });

describe('bundles of effective rules (1.4)', () => {
  it('are not there without any', () => {
    expect(bundlesOf([], wording)).toBeUndefined();
    expect(bundlesOf([ruleObject({})], wording)).toBeUndefined();
  });

  it('are that of the only rule object with one', () => {
    const rules = [ruleObject({}, { id: 'val_a' }), bundle('val_b', { 1: component('p'), limit: 7 })];
    expect(bundlesOf(rules, wording)).toEqual({
      components: [{ object: 'product', id: 'p', quantity: 1 }],
      limit: 7,
      scaling: 'MULTIPLY',
      refusal: {
        refused: 'order_rules_violated',
        details: 'Promotion Tier cannot be redeemed because of violated validation rules: val_b',
      },
    });
  });

  it('stand beside each other, without scaling where one has none', () => {
    const rules = [
      bundle('val_a', { 1: component('p'), limit: 7 }),
      bundle('val_b', { 1: component('q'), 2: component('p'), limit: 3, scaling: 'ONCE' }),
      bundle('val_c', { 1: component('r'), limit: 9 }),
    ];
    expect(bundlesOf(rules, wording)).toMatchObject({
      components: [{ id: 'p' }],
      limit: 7,
      further: [
        { components: [{ id: 'q' }, { id: 'p' }], limit: 3 },
        { components: [{ id: 'r' }], limit: 9 },
      ],
      scaling: 'ONCE',
      refusal: {
        details:
          'Promotion Tier cannot be redeemed because of violated validation rules: val_a, val_b, val_c',
      },
    });
  });

  it('carry the text of the first, else the project’s', () => {
    const rules = [
      bundle('val_a', { 1: component('p') }, { error: { message: 'Take both' } }),
      bundle('val_b', { 1: component('p') }, { error: { message: 'Or not' } }),
    ];
    expect(bundlesOf(rules, wording)?.refusal?.customMessage).toBe('Take both');
    const project = { ...wording, messages: { order_rules_violated: 'See our offers' } };
    expect(bundlesOf([bundle('val_a', { 1: component('p') })], project)?.refusal?.customMessage).toBe(
      'See our offers',
    );
  });
});
