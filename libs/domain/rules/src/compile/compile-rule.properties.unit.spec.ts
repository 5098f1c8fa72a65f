import { isRefused } from '@scrip/kernel';
import fc from 'fast-check';
import { catalogue, lineRuleNames } from '../catalogue/catalogue';
import { evaluateRules } from '../evaluation/evaluate-rules';
import { at, cart, contextOf, orderPart, someone } from '../rules.fixture';
import { effectiveScope } from '../scope/effective-scope';
import { necessaryTerms } from '../scope/necessary-terms';
import { compileRule } from './compile-rule';

const order = cart([{ product: 'prod_1', price: 100 }, { product: 'prod_2' }]);
const wording = { label: 'Gift Card' as const };

describe('definitions at random (1.2)', () => {
  it('never throws, whatever is sent', () => {
    const names = [...catalogue.keys(), ...lineRuleNames, 'other'];
    const anyRule = fc.record(
      {
        name: fc.oneof(fc.constantFrom(...names), fc.jsonValue()),
        property: fc.oneof(fc.constant('a.b'), fc.jsonValue()),
        conditions: fc.oneof(
          fc.dictionary(fc.constantFrom('$is', '$in', '$from', '$more_than', '$x'), fc.jsonValue()),
          fc.jsonValue(),
        ),
        rules: fc.oneof(
          fc.dictionary(fc.constantFrom('1', '2', 'logic', '__proto__'), fc.jsonValue()),
          fc.jsonValue(),
        ),
        error: fc.jsonValue(),
      },
      { requiredKeys: [] },
    );
    const definition = fc.record(
      {
        name: fc.oneof(fc.string(), fc.jsonValue()),
        rules: fc.oneof(fc.dictionary(fc.constantFrom('1', '2', '3'), anyRule), fc.jsonValue()),
        error: fc.jsonValue(),
        applicable_to: fc.jsonValue(),
        bundle_rules: fc.oneof(fc.dictionary(fc.constantFrom('1', '2', 'limit'), anyRule), fc.jsonValue()),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(fc.oneof(definition, fc.jsonValue()), (sent) => {
        const answer = compileRule(sent, 'val_1');
        if (isRefused(answer)) {
          expect(['invalid_payload', 'invalid_validation_rules']).toContain(answer.refused);
          expect(typeof answer.details).toBe('string');
        } else {
          expect(answer.definition).toBe(sent);
          for (const context of [contextOf(), contextOf({ order: orderPart(order), customer: someone })]) {
            const { holds, refusal } = evaluateRules([answer], context, 'FULL', wording);
            expect(holds).toBe(refusal === null);
          }
          expect(necessaryTerms(answer, 'FULL').length).toBeLessThanOrEqual(100);
          expect(effectiveScope([answer], order, at).included).toEqual(answer.scope?.included ?? []);
        }
      }),
      { numRuns: 300 },
    );
  });
});
