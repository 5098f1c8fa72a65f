import fc from 'fast-check';
import { type Logic, logicCharactersMax, parseLogic } from './logic';

const keys = ['1', '2', '3', '4', '12'];

const truth = (logic: Logic, isTrue: (key: string) => boolean): boolean => {
  if (typeof logic === 'string') return isTrue(logic);
  const results = logic.parts.map((part) => truth(part, isTrue));
  return logic.join === 'and' ? results.every(Boolean) : results.some(Boolean);
};

describe('logic over random expressions (1.1)', () => {
  it('equals a direct evaluation of any expression', () => {
    type Tree = { text: string; value: boolean };
    const truths: Record<string, boolean> = { 1: true, 2: false, 3: true, 4: false, 12: true };
    const { tree } = fc.letrec<{ tree: Tree; leaf: Tree }>((tie) => ({
      leaf: fc.constantFrom(...keys).map((key) => ({ text: key, value: truths[key]! })),
      tree: fc.oneof(
        { maxDepth: 5 },
        tie('leaf'),
        fc
          .tuple(tie('tree'), fc.constantFrom('and', 'OR', 'And', ' or '), tie('tree'))
          .map(([left, word, right]) => ({
            text: `(${left.text}) ${word} (${right.text})`,
            value:
              word.trim().toLowerCase() === 'and' ? left.value && right.value : left.value || right.value,
          })),
      ),
    }));
    fc.assert(
      fc.property(
        tree.filter(({ text }) => text.length <= logicCharactersMax),
        ({ text, value }) => {
          expect(truth(parseLogic(text, keys) as Logic, (key) => truths[key]!)).toBe(value);
        },
      ),
      { numRuns: 300 },
    );
  });

  it('lets AND bind tighter than OR in any flat expression', () => {
    fc.assert(
      fc.property(
        fc.array(fc.array(fc.constantFrom(...keys), { minLength: 1, maxLength: 4 }), {
          minLength: 1,
          maxLength: 5,
        }),
        fc.uniqueArray(fc.constantFrom(...keys)),
        (alternatives, trueKeys) => {
          const text = alternatives.map((factors) => factors.join(' and ')).join(' or ');
          const expected = alternatives.some((factors) => factors.every((key) => trueKeys.includes(key)));
          expect(truth(parseLogic(text, keys) as Logic, (key) => trueKeys.includes(key))).toBe(expected);
        },
      ),
      { numRuns: 300 },
    );
  });
});
