import fc from 'fast-check';
import { contextOf, formulaOf, line, order } from './evaluation.fixture';
import { compileFormula } from './formula';
import { isFormulaProblem } from './problem';

/** An exact fraction; the denominator is positive. */
interface Exact {
  readonly numerator: bigint;
  readonly denominator: bigint;
}

interface Expression {
  readonly text: string;
  /** Null where something is divided by zero. */
  readonly exact: Exact | null;
}

const exact = (numerator: bigint, denominator: bigint): Exact =>
  denominator < 0n ? { numerator: -numerator, denominator: -denominator } : { numerator, denominator };

const calculations: Record<string, (a: Exact, b: Exact) => Exact | null> = {
  '+': (a, b) =>
    exact(a.numerator * b.denominator + b.numerator * a.denominator, a.denominator * b.denominator),
  '-': (a, b) =>
    exact(a.numerator * b.denominator - b.numerator * a.denominator, a.denominator * b.denominator),
  '*': (a, b) => exact(a.numerator * b.numerator, a.denominator * b.denominator),
  '/': (a, b) =>
    b.numerator === 0n ? null : exact(a.numerator * b.denominator, a.denominator * b.numerator),
};

const hundredths: fc.Arbitrary<Expression> = fc
  .integer({ min: 0, max: 100_000 })
  .map((value) => ({ text: String(value / 100), exact: exact(BigInt(value), 100n) }));

const { expression } = fc.letrec<{ expression: Expression }>((tie) => ({
  expression: fc.oneof(
    { maxDepth: 4, depthIdentifier: 'expression' },
    hundredths,
    tie('expression').map((inner) => ({
      text: `-(${inner.text})`,
      exact: inner.exact && exact(-inner.exact.numerator, inner.exact.denominator),
    })),
    fc
      .tuple(tie('expression'), fc.constantFrom('+', '-', '*', '/'), tie('expression'))
      .map(([left, sign, right]) => ({
        text: `(${left.text}) ${sign} (${right.text})`,
        exact: left.exact && right.exact && calculations[sign]!(left.exact, right.exact),
      })),
  ),
}));

const size = (value: bigint): bigint => (value < 0n ? -value : value);
const scale = 10n ** 24n;

/** A decimal's digits times 10^24. */
const scaled = (decimal: string): bigint => {
  const [whole = '0', decimals = ''] = decimal.replace('-', '').split('.');
  return BigInt(whole + decimals.padEnd(24, '0')) * (decimal.startsWith('-') ? -1n : 1n);
};

describe('arithmetic', () => {
  it('agrees with exact fractions', () => {
    fc.assert(
      fc.property(expression, ({ text, exact: expected }) => {
        const decimal = formulaOf(text).decimal(contextOf());
        // Dividing by what is exactly zero, but was rounded on the way, gives something instead of nothing.
        if (expected === null) return;
        expect(decimal).not.toBeNull();
        const wanted = (expected.numerator * scale) / expected.denominator;
        // One unit in the 24th decimal, or in the 18th digit where a number is larger.
        const tolerance = 1n + size(wanted) / 10n ** 18n;
        expect(size(scaled(decimal!) - wanted)).toBeLessThanOrEqual(tolerance);
      }),
      { numRuns: 500 },
    );
  });

  it('rounds as exact fractions do', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: -1_000_000, max: 1_000_000 }),
        fc.integer({ min: 1, max: 1_000 }),
        (amountMinor, divisor) => {
          const context = contextOf({ order: order({ amount: amountMinor }) });
          const doubled = 2 * amountMinor + divisor;
          expect(formulaOf(`ORDER_AMOUNT / ${divisor}`).amount(context)).toBe(
            Math.floor(doubled / (2 * divisor)) + 0,
          );
          expect(formulaOf(`ORDER_AMOUNT / ${divisor} * ${divisor}`).amount(context)).toBe(amountMinor);
        },
      ),
      { numRuns: 500 },
    );
  });
});

const words = [
  '(',
  ')',
  ';',
  '"',
  '"a"',
  '1',
  '0.5',
  '-',
  '+',
  '*',
  'x',
  '/',
  '%',
  '>',
  '<=',
  '=',
  'is',
  'contains',
  'IN_ARRAY',
  'DATE_IS',
  'IS_AFTER',
  'AND',
  'OR',
  'SWITCH',
  'SWITCH_CASE',
  'IF(1 = 1;',
  'MIN(',
  'POW(',
  'ROUND(',
  'DEFAULT_TO(',
  'DAYS_SINCE(',
  'DATE("2026-03-31")',
  'TODAY',
  'NOW',
  'ORDER_AMOUNT',
  'ORDER_ITEM_PRICE',
  'CHEAPEST_ORDER_ITEM_PRICE',
  'ORDER_METADATA("a")',
  'ORDER_METADATA("b.c")',
  ' ',
];

const texts = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.array(fc.constantFrom(...words), { maxLength: 20 }).map((parts) => parts.join(' ')),
  fc.array(fc.constantFrom(...words), { maxLength: 20 }).map((parts) => parts.join('')),
);

describe('any text', () => {
  it('is a formula or has a problem inside it, and nothing throws', () => {
    fc.assert(
      fc.property(texts, fc.jsonValue(), (text, value) => {
        const answer = compileFormula(text);
        if (isFormulaProblem(answer)) {
          expect(answer.message).toMatch(/^[A-Z"][^]*\.$/);
          expect(answer.offset).toBeGreaterThanOrEqual(0);
          expect(answer.offset).toBeLessThanOrEqual(text.length);
          return;
        }
        const only = line();
        const context = contextOf({
          order: order({ lines: [only], metadata: { a: value, b: { c: value } } }),
          line: only,
        });
        const amount = answer.amount(context);
        expect(amount === null || Number.isSafeInteger(amount)).toBe(true);
        const units = answer.units(context);
        expect(units === null || (Number.isSafeInteger(units) && units >= 0)).toBe(true);
        expect(answer.decimal(context) ?? '0').toMatch(/^-?\d+(\.\d{1,24})?$/);
        expect(answer.amount(context)).toBe(amount);
      }),
      { numRuns: 500 },
    );
  });
});
