import { parseInstant } from '@scrip/kernel/pure';
import { Decimal } from 'decimal.js';
import { type FormulaContext } from './context';
import { type Unit, unitsSince } from './elapsed';
import { type Moment, dayOf, readDay } from './moment';
import { FormulaNumber, power, roundTo } from './numbers';
import { operators } from './operators';
import { type Evaluate, type Value, type ValueType, momentOf, numberOf } from './value';

/** A function: what its arguments must be, what comes out, and the closure over compiled arguments. */
export interface FormulaFunction {
  readonly parameters: readonly ValueType[];
  /** How many of the last parameters may be left out; none unless given. */
  readonly optional?: number;
  /** Whether the last parameter may be given any number of times. */
  readonly repeats?: boolean;
  readonly result: ValueType;
  /** What a call costs beside its arguments; 1 unless given. */
  readonly steps?: number;
  /** Reads an argument written as a text, once and not at every evaluation; null for what cannot be meant. */
  readonly literal?: { readonly read: (text: string) => Value | null; readonly form: string };
  readonly build: (given: readonly Evaluate[]) => Evaluate;
}

type Numbers = (...numbers: FormulaNumber[]) => FormulaNumber | null;

/** All arguments are numbers, and none may fail. */
const ofNumbers =
  (apply: Numbers): FormulaFunction['build'] =>
  (given) =>
  (context) => {
    const numbers: FormulaNumber[] = [];
    for (const evaluate of given) {
      const number = numberOf(evaluate(context));
      if (number === null) return null;
      numbers.push(number);
    }
    return apply(...numbers);
  };

const least = (one: FormulaNumber, other: FormulaNumber): FormulaNumber =>
  other.lessThan(one) ? other : one;
const most = (one: FormulaNumber, other: FormulaNumber): FormulaNumber =>
  other.greaterThan(one) ? other : one;

const oneOf = (choose: (one: FormulaNumber, other: FormulaNumber) => FormulaNumber): FormulaFunction => ({
  parameters: ['number'],
  repeats: true,
  result: 'number',
  build: ofNumbers((...numbers) => numbers.reduce(choose)),
});

const rounding = (direction: Decimal.Rounding): FormulaFunction => ({
  parameters: ['number', 'number'],
  optional: 1,
  result: 'number',
  build: ofNumbers((value, digits = new FormulaNumber(0)) => roundTo(value!, digits, direction)),
});

const ofDate = (apply: (moment: Moment, context: FormulaContext) => number | null): FormulaFunction => ({
  parameters: ['date'],
  result: 'number',
  build: ([given]) => {
    return (context) => {
      const moment = momentOf(given!(context));
      const number = moment === null ? null : apply(moment, context);
      return number === null ? null : new FormulaNumber(number);
    };
  },
});

/** A part of the date that clocks of the project show, between two characters of `YYYY-MM-DD`. */
const partOfDate = (from: number, to: number): FormulaFunction =>
  ofDate((moment, { timezone }) => {
    const day = dayOf(moment, timezone);
    return day === null ? null : Number(day.slice(from, to));
  });

const since = (unit: Unit): FormulaFunction =>
  ofDate((moment, { now, timezone }) => unitsSince(moment, now, unit, timezone));

const until = (unit: Unit): FormulaFunction =>
  ofDate((moment, { now, timezone }) => {
    const units = unitsSince(moment, now, unit, timezone);
    return units === null ? null : 0 - units;
  });

const fromText = (read: (text: string) => Value | null, form: string): FormulaFunction => ({
  parameters: ['text'],
  result: 'date',
  literal: { read, form },
  build: ([given]) => {
    return (context) => {
      const text = given!(context);
      return typeof text === 'string' ? read(text) : null;
    };
  },
});

const comparison = (name: 'DATE_IS' | 'DATE_IS_NOT' | 'IS_AFTER' | 'IS_BEFORE'): FormulaFunction => ({
  parameters: ['date', 'date'],
  result: 'condition',
  build: ([left, right]) => operators[name].build(left!, right!),
});

/** Every function but SWITCH, whose cases are part of the grammar. Source: reference 01 §8. */
export const functions: ReadonlyMap<string, FormulaFunction> = new Map([
  ['MIN', oneOf(least)],
  ['MAX', oneOf(most)],
  // A broken exponent takes logarithms.
  [
    'POW',
    {
      parameters: ['number', 'number'],
      result: 'number',
      steps: 100,
      build: ofNumbers((a, b) => power(a!, b!)),
    },
  ],
  [
    'IF',
    {
      parameters: ['condition', 'any', 'any'],
      result: 'any',
      build: ([condition, one, other]) => {
        return (context) => {
          const holds = condition!(context);
          if (typeof holds !== 'boolean') return null;
          return holds ? one!(context) : other!(context);
        };
      },
    },
  ],
  [
    'DEFAULT_TO',
    {
      parameters: ['any', 'any'],
      repeats: true,
      result: 'any',
      build: (given) => (context) => {
        for (const evaluate of given) {
          const value = evaluate(context);
          if (value !== null) return value;
        }
        return null;
      },
    },
  ],
  ['ROUND', rounding(Decimal.ROUND_HALF_CEIL)],
  ['FLOOR', rounding(Decimal.ROUND_FLOOR)],
  ['CEIL', rounding(Decimal.ROUND_CEIL)],
  ['DAY_OF_MONTH', partOfDate(8, 10)],
  ['MONTH', partOfDate(5, 7)],
  ['YEAR', partOfDate(0, 4)],
  ['DAYS_SINCE', since('days')],
  ['MONTHS_SINCE', since('months')],
  ['YEARS_SINCE', since('years')],
  ['DAYS_UNTIL', until('days')],
  ['MONTHS_UNTIL', until('months')],
  ['DATE', fromText(readDay, 'a day written YYYY-MM-DD')],
  ['DATE_TIME', fromText(parseInstant, 'an instant written YYYY-MM-DDTHH:mm:ssZ')],
  ['DATE_IS', comparison('DATE_IS')],
  ['DATE_IS_NOT', comparison('DATE_IS_NOT')],
  ['IS_AFTER', comparison('IS_AFTER')],
  ['IS_BEFORE', comparison('IS_BEFORE')],
] satisfies [string, FormulaFunction][]);
