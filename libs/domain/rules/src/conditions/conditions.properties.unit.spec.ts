import fc from 'fast-check';
import { type ConditionsDefinition, compileConditions, isProblem, operatorNames } from './conditions';
import { hold, tuesday } from './hold.fixture';

const scalar = fc.oneof(
  fc.string(),
  fc.integer({ min: -3, max: 3 }),
  fc.integer().map(String),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.boolean(),
  fc.constantFrom('true', '0', '1', '2', 'a'),
);
const value = fc.oneof(scalar, fc.array(scalar), fc.constantFrom(null, undefined));

describe('conditions', () => {
  it('$is_not and $not_in hold exactly where $is and $in do not', () => {
    fc.assert(
      fc.property(value, fc.array(scalar), (measured, operands) => {
        expect(hold({ $is_not: operands }, measured)).toBe(!hold({ $is: operands }, measured));
        expect(hold({ $not_in: operands }, measured)).toBe(!hold({ $in: operands }, measured));
      }),
    );
  });

  it('$in of many is any $is', () => {
    fc.assert(
      fc.property(value, fc.array(scalar), (measured, operands) => {
        const any = operands.some((operand) => hold({ $is: [operand] }, measured));
        expect(hold({ $in: operands }, measured)).toBe(any);
      }),
    );
  });

  it('a value equals itself and the text of it', () => {
    fc.assert(
      fc.property(scalar, (measured) => {
        expect(hold({ $is: [measured] }, measured)).toBe(true);
        expect(hold({ $is: [String(measured)] }, measured)).toBe(true);
      }),
    );
  });

  it('one of less, equal and more holds for two numbers, written in either way', () => {
    const number = fc.oneof(
      fc.integer(),
      fc.integer({ min: -2, max: 2 }),
      fc.double({ noNaN: true, noDefaultInfinity: true }),
    );
    fc.assert(
      fc.property(number, number, fc.boolean(), fc.boolean(), (left, right, leftAsText, rightAsText) => {
        const operands = [rightAsText ? String(right) : right];
        const measured = leftAsText ? String(left) : left;
        expect(hold({ $less_than: operands }, measured, 'number')).toBe(left < right);
        expect(hold({ $is: operands }, measured, 'number')).toBe(left === right);
        expect(hold({ $more_than: operands }, measured, 'number')).toBe(left > right);
        expect(hold({ $less_than_or_equal: operands }, measured, 'number')).toBe(left <= right);
        expect(hold({ $more_than_or_equal: operands }, measured, 'number')).toBe(left >= right);
      }),
    );
  });

  it('never throw, whatever is sent and measured', () => {
    const times = fc.constantFrom(
      '2026-03-10',
      '2026-03-29T01:30:00Z',
      '9999-12-31',
      '0000-01-01',
      '2026-02-30',
    );
    const operand = fc.oneof(
      fc.jsonValue(),
      times,
      fc.integer({ min: 0, max: 9 }),
      fc.constantFrom(
        '2026-01-31;P1M;P1D',
        '0000-01-01;P10000Y;P10000Y',
        '2026-01-01;2026-03-10',
        '08:00;20:00;1,2',
      ),
    );
    const kinds = fc.constantFrom('number', 'text', 'ids', 'flag', 'metadata' as const);
    const zones = fc.constantFrom('Europe/Warsaw', 'UTC', 'Mars/Olympus', '');
    const measuredValue = fc.oneof(fc.jsonValue(), fc.anything(), times, fc.array(times));
    let compiledCount = 0;
    fc.assert(
      fc.property(
        fc.constantFrom(...operatorNames),
        fc.oneof(fc.array(operand, { maxLength: 3 }), fc.jsonValue()),
        kinds,
        measuredValue,
        zones,
        (operator, operands, kind, measured, timezone) => {
          const definition: ConditionsDefinition = { [operator]: operands };
          const conditions = compileConditions(definition, kind as 'metadata', 'r');
          if (isProblem(conditions)) {
            expect(conditions.problem.startsWith(`Operator '${operator}' of rule 'r' `)).toBe(true);
            return;
          }
          compiledCount += 1;
          const at = { now: tuesday.now, timezone };
          const holds = conditions.hold(measured, at);
          expect(typeof holds).toBe('boolean');
          expect(conditions.failed(measured, at)).toEqual(holds ? null : { operator, expected: operands });
        },
      ),
      { numRuns: 2_000 },
    );
    expect(compiledCount).toBeGreaterThan(100);
  });
});
