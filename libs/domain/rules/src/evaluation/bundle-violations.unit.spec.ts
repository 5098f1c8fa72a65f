import { byKey, cart, contextOf, orderPart, ruleObject } from '../rules.fixture';
import { rulesHold } from './evaluate-rules';
import { type RuleMode, modeBits } from './rule-mode';
import { fixed, verdictOf } from '../verdicts.fixture';

const modes = Object.keys(modeBits) as RuleMode[];

describe('bundles (1.4)', () => {
  const component = (id: string, object: string, quantity: number) => ({
    name: 'order.items.any',
    conditions: {
      $is: [{ id, object, type: object === 'products_collection' ? object : 'product_or_sku' }],
    },
    rules: { 1: { name: 'order.items.aggregated_quantity', conditions: { $is: [quantity] } }, logic: '1' },
    error: { message: 'ignored' },
  });
  const rule = ruleObject(
    { 1: fixed(true) },
    {
      bundle_rules: {
        1: component('prod_A', 'product', 2),
        2: component('pc_C', 'products_collection', 5),
        logic: '1 and 2',
      },
      error: { message: 'Take the set' },
    },
  );
  const few = cart([
    { product: 'prod_A' },
    { product: 'prod_T', collections: ['pc_C'] },
    { product: 'prod_S', collections: ['pc_C'], quantity: 2 },
  ]);
  const enough = cart([
    { product: 'prod_A', quantity: 5 },
    { product: 'prod_T', collections: ['pc_C'], quantity: 10 },
  ]);

  it('an unmet bundle is an order violation', () => {
    expect(verdictOf(rule, { redemption: byKey, order: orderPart(few) })).toEqual({
      holds: false,
      outcomes: [{ id: 'val_1', status: 'INVALID', omitted: [] }],
      violations: [
        {
          ruleId: 'val_1',
          path: 'bundle_rules',
          name: 'bundle_rules',
          property: null,
          group: 'order',
          operator: null,
          expected: [
            { object: 'product', id: 'prod_A', quantity: 2 },
            { object: 'products_collection', id: 'pc_C', quantity: 5 },
          ],
          actual: 0,
        },
      ],
      refusal: {
        refused: 'order_rules_violated',
        details: 'Discount Coupon cannot be redeemed because of violated validation rules: val_1',
        customMessage: 'Take the set',
      },
    });
  });

  it('comes after the violated rules of its object', () => {
    const verdict = verdictOf(rule, { order: orderPart(few) });
    expect(verdict.violations.map(({ path }) => path)).toEqual(['1', 'bundle_rules']);
    expect(verdict.refusal?.refused).toBe('order_rules_violated');
  });

  it.each(modes)('in mode %s', (mode) => {
    const isAsked = ['FULL', 'FULL_CAMPAIGN', 'QUALIFY'].includes(mode);
    const met = { redemption: byKey, order: orderPart(enough) };
    expect(verdictOf(rule, met, mode).holds).toBe(true);
    expect(rulesHold([rule], contextOf(met), mode)).toBe(true);
    expect(verdictOf(rule, { ...met, order: orderPart(few) }, mode).holds).toBe(!isAsked);
    expect(rulesHold([rule], contextOf({ ...met, order: orderPart(few) }), mode)).toBe(!isAsked);
    expect(verdictOf(rule, { redemption: byKey }, mode).holds).toBe(!isAsked);
  });

  it('counts units that earlier incentives added', () => {
    const order = orderPart(few, { before: enough });
    expect(verdictOf(rule, { redemption: byKey, order }).holds).toBe(true);
  });

  it('waived, it does not count as left out', () => {
    const only = ruleObject({}, { bundle_rules: { 1: component('prod_A', 'product', 2) } });
    expect(verdictOf(only, {}, 'AUDIENCE').outcomes).toEqual([{ id: 'val_1', status: 'VALID', omitted: [] }]);
  });
});
