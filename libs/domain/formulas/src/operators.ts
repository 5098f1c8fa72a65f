import { compareMoments, dayOf } from './moment';
import { type FormulaNumber, finite, settled } from './numbers';
import { type Evaluate, type Value, type ValueType, listHas, momentOf, numberOf, sameValue } from './value';

/** An operator between two values: how tightly it binds, what it needs on either side, what comes out. */
export interface Operator {
  readonly precedence: number;
  readonly left: ValueType;
  readonly right: ValueType;
  readonly result: ValueType;
  readonly build: (left: Evaluate, right: Evaluate) => Evaluate;
}

type Apply = (left: Value, right: Value, timezone: string) => Value | null;

const ofBoth =
  (apply: Apply): Operator['build'] =>
  (left, right) =>
  (context) => {
    const leftValue = left(context);
    if (leftValue === null) return null;
    const rightValue = right(context);
    return rightValue === null ? null : apply(leftValue, rightValue, context.timezone);
  };

/** The right side does not run where the left one has settled the matter. */
const logical = (precedence: number, settling: boolean): Operator => ({
  precedence,
  left: 'condition',
  right: 'condition',
  result: 'condition',
  build: (left, right) => (context) => {
    const leftValue = left(context);
    if (leftValue === settling) return settling;
    if (typeof leftValue !== 'boolean') return null;
    const rightValue = right(context);
    return typeof rightValue === 'boolean' ? rightValue : null;
  },
});

const arithmetic = (
  precedence: number,
  apply: (left: FormulaNumber, right: FormulaNumber) => FormulaNumber,
): Operator => ({
  precedence,
  left: 'number',
  right: 'number',
  result: 'number',
  build: (left, right) => (context) => {
    const leftNumber = numberOf(left(context));
    if (leftNumber === null) return null;
    const rightNumber = numberOf(right(context));
    return rightNumber === null ? null : finite(apply(leftNumber, rightNumber));
  },
});

const comparison = (left: ValueType, right: ValueType, apply: Apply): Operator => ({
  precedence: 3,
  left,
  right,
  result: 'condition',
  build: ofBoth(apply),
});

const ofNumbers = (holds: (order: number) => boolean): Operator =>
  comparison('number', 'number', (left, right) => {
    const leftNumber = numberOf(left);
    const rightNumber = numberOf(right);
    if (leftNumber === null || rightNumber === null) return null;
    return holds(settled(leftNumber).comparedTo(settled(rightNumber)));
  });

const ofTexts = (holds: (text: string, part: string) => boolean): Operator =>
  comparison('text', 'text', (left, right) =>
    typeof left === 'string' && typeof right === 'string' ? holds(left, right) : null,
  );

const ofDates = (holds: (order: number) => boolean): Operator =>
  comparison('date', 'date', (left, right, timezone) => {
    const leftMoment = momentOf(left);
    const rightMoment = momentOf(right);
    if (leftMoment === null || rightMoment === null) return null;
    const order = compareMoments(leftMoment, rightMoment, timezone);
    return order === null ? null : holds(order);
  });

const sameDay: Apply = (left, right, timezone) => {
  const leftMoment = momentOf(left);
  const rightMoment = momentOf(right);
  if (leftMoment === null || rightMoment === null) return null;
  const leftDay = dayOf(leftMoment, timezone);
  return leftDay === null ? null : leftDay === dayOf(rightMoment, timezone);
};

const not =
  (apply: Apply): Apply =>
  (left, right, timezone) => {
    const value = apply(left, right, timezone);
    return typeof value === 'boolean' ? !value : null;
  };

const inArray: Apply = (left, right, timezone) => listHas(right, left, timezone);
const equal = comparison('any', 'any', sameValue);
const notEqual = comparison('any', 'any', not(sameValue));
const times = arithmetic(5, (left, right) => left.times(right));
const dividedBy = arithmetic(5, (left, right) => left.dividedBy(right));

/** Every operator between two values. Source: reference 01 §8. */
export const operators = {
  OR: logical(1, true),
  AND: logical(2, false),
  '>': ofNumbers((order) => order > 0),
  '<': ofNumbers((order) => order < 0),
  '>=': ofNumbers((order) => order >= 0),
  '<=': ofNumbers((order) => order <= 0),
  '=': equal,
  is: equal,
  '!=': notEqual,
  isNot: notEqual,
  contains: comparison('text', 'any', (left, right, timezone) => {
    if (Array.isArray(left)) return listHas(left, right, timezone);
    return typeof left === 'string' && typeof right === 'string' ? left.includes(right) : null;
  }),
  startsWith: ofTexts((text, part) => text.startsWith(part)),
  endsWith: ofTexts((text, part) => text.endsWith(part)),
  IN_ARRAY: comparison('any', 'text', inArray),
  NOT_IN_ARRAY: comparison('any', 'text', not(inArray)),
  DATE_IS: comparison('date', 'date', sameDay),
  DATE_IS_NOT: comparison('date', 'date', not(sameDay)),
  IS_AFTER: ofDates((order) => order > 0),
  IS_BEFORE: ofDates((order) => order < 0),
  '+': arithmetic(4, (left, right) => left.plus(right)),
  '-': arithmetic(4, (left, right) => left.minus(right)),
  '*': times,
  x: times,
  '×': times,
  '/': dividedBy,
  '÷': dividedBy,
  '%': arithmetic(5, (left, right) => settled(left).modulo(settled(right))),
} satisfies Record<string, Operator>;

export type OperatorName = keyof typeof operators;
