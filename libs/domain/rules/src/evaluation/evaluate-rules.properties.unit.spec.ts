import fc from 'fast-check';
import { at, byKey, cart, oneRule, ruleObject } from '../rules.fixture';
import { evaluateRules, rulesHold } from './evaluate-rules';
import type { RuleContext } from './rule-context';
import { type RuleMode, modeBits } from './rule-mode';
import type { RuleWording } from './violation-refusal';

const wording: RuleWording = { label: 'Discount Coupon' };
const modes = Object.keys(modeBits) as RuleMode[];

describe('rules in any context', () => {
  const anyCase = fc.constantFrom(
    oneRule('customer.segment', { $is: ['seg_1'] }),
    oneRule('order.amount', { $more_than: [1000] }),
    oneRule('redemption.count.daily', { $less_than: [1] }),
    oneRule(
      'order.items.any',
      { $is: [{ object: 'product', id: 'prod_1' }] },
      {
        rules: { 1: { name: 'customer.metadata', property: 'a.b', conditions: { $is: ['x'] } } },
      },
    ),
    ruleObject({
      1: { name: 'customer.metadata', property: 'a.b', conditions: { $more_than: [1] } },
      2: { name: 'order.metadata', property: 'a', conditions: { $before: ['2026-01-01'] } },
      3: { name: 'redemption.count.per_customer', conditions: { $less_than: [3] } },
      logic: '1 or 2 and 3',
    }),
  );
  const metadata = fc.dictionary(fc.constantFrom('a', 'b'), fc.jsonValue({ maxDepth: 2 }));
  const orders = [cart([]), cart([{ product: 'prod_1', price: 2000 }]), cart([{ product: 'prod_2' }])];
  const anyContext: fc.Arbitrary<RuleContext> = fc.record({
    now: fc.constant(at.now),
    timezone: fc.constantFrom('UTC', 'Europe/Warsaw'),
    customer: fc.option(
      fc.record({
        segments: fc.subarray(['seg_1', 'seg_2']),
        tiers: fc.constant([]),
        metadata,
        holdsVoucher: fc.boolean(),
      }),
    ),
    order: fc.option(
      fc.record({
        initial: fc.constantFrom(...orders),
        before: fc.constantFrom(...orders),
        after: fc.option(fc.constantFrom(...orders)),
        metadata,
      }),
    ),
    redemption: fc.option(fc.constant(byKey)),
    customEvent: fc.constant(null),
    counted: fc.nat({ max: 5 }).map((count) => () => count),
  });

  it('what a mode leaves out never makes a rule fail', () => {
    fc.assert(
      fc.property(
        fc.array(anyCase, { maxLength: 3 }),
        anyContext,
        fc.constantFrom(...modes),
        (rules, context, mode) => {
          const full = evaluateRules(rules, context, 'FULL', wording);
          const verdict = evaluateRules(rules, context, mode, wording);
          if (full.holds) expect(verdict.holds).toBe(true);
          expect(evaluateRules(rules, context, 'PRODUCT', wording).holds).toBe(true);
        },
      ),
      { numRuns: 200 },
    );
  });

  it('a verdict agrees with itself', () => {
    fc.assert(
      fc.property(
        fc.array(anyCase, { maxLength: 3 }),
        anyContext,
        fc.constantFrom(...modes),
        (rules, context, mode) => {
          const verdict = evaluateRules(rules, context, mode, wording);
          expect(verdict.holds).toBe(rulesHold(rules, context, mode));
          expect(verdict.holds).toBe(verdict.refusal === null);
          expect(verdict.holds).toBe(verdict.violations.length === 0);
          expect(verdict.holds).toBe(verdict.outcomes.every(({ status }) => status !== 'INVALID'));
          expect(verdict.outcomes.length).toBe(rules.length);
          expect(evaluateRules(rules, context, mode, wording)).toEqual(verdict);
        },
      ),
      { numRuns: 200 },
    );
  });
});
