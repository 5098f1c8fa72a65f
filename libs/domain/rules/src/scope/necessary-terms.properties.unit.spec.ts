import fc from 'fast-check';
import { rulesHold } from '../evaluation/evaluate-rules';
import { cart, contextOf, orderPart, ruleObject, someone } from '../rules.fixture';
import { necessaryTerms } from './necessary-terms';

const segments = (...ids: string[]) => ({ name: 'customer.segment', conditions: { $is: ids } });
const items = (quantifier: string, conditions: Record<string, unknown>) => ({
  name: `order.items.${quantifier}`,
  conditions,
});
const product = (id: string) => ({ object: 'product', id });

describe('necessary terms of random requests (10)', () => {
  it('never asks for more than the rule does', () => {
    const rules = {
      1: segments('a'),
      2: segments('b', 'c'),
      3: items('any', { $is: [product('p')] }),
      4: items('every', { $is: [product('p'), product('q')] }),
      5: { name: 'customer.segment', conditions: { $is_not: ['a'] } },
    };
    const logics = [
      '1 and 3 or 2',
      '(1 or 2) and (3 or 4)',
      '1 or 5',
      '3 and 4 and 5',
      '(1 or 3) and (2 or 4)',
    ];
    fc.assert(
      fc.property(
        fc.constantFrom(...logics),
        fc.subarray(['a', 'b', 'c']),
        fc.subarray(['p', 'q', 'r']),
        (logic, mine, products) => {
          const rule = ruleObject({ ...rules, logic });
          const context = contextOf({
            customer: { ...someone, segments: mine },
            order: orderPart(cart(products.map((id) => ({ product: id })))),
          });
          fc.pre(rulesHold([rule], context, 'FULL'));
          for (const alternatives of necessaryTerms(rule, 'FULL')) {
            expect(
              alternatives.some(({ object, id }) =>
                (object === 'segment' ? mine : products).includes(id ?? ''),
              ),
            ).toBe(true);
          }
        },
      ),
      { numRuns: 200 },
    );
  });
});
