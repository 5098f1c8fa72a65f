import { type Numeric, compareNumeric, numericOf } from './numeric';
import { type OperandForm, type Operator, type Test, anyElement, anyOf, defineOperator } from './operator';
import { type WrittenTime, instantMsOf, rememberedInstantMs, writtenTimeOf } from './written-time';

/** What `order`, negative, zero or positive, must be. */
type Relation = (order: number) => boolean;
type Bound = Numeric | WrittenTime;

const isTime = (bound: Bound): bound is WrittenTime => typeof bound === 'object' && 'isDay' in bound;

const againstNumber =
  (bound: Numeric, holds: Relation): Test =>
  (value) => {
    const numeric = typeof value === 'number' ? value : numericOf(value);
    return numeric !== undefined && holds(compareNumeric(numeric, bound));
  };

/** The value's instant against that of `bound`; days count from local midnight. */
const againstTime = (bound: WrittenTime, holds: Relation): Test => {
  const boundMs = rememberedInstantMs(bound);
  return (value, { timezone }) => {
    const time = writtenTimeOf(value);
    return time !== undefined && holds(instantMsOf(time, timezone) - boundMs(timezone));
  };
};

const comparing = (bounds: readonly Bound[], holds: Relation): Test =>
  anyElement(
    anyOf(bounds.map((bound) => (isTime(bound) ? againstTime(bound, holds) : againstNumber(bound, holds)))),
  );

const numbers: OperandForm<Bound> = { takes: 'numbers', read: numericOf };
const numbersAndTimes: OperandForm<Bound> = {
  takes: 'numbers, dates and date-times',
  read: (operand) => numericOf(operand) ?? writtenTimeOf(operand),
};
const times: OperandForm<Bound> = { takes: 'dates and date-times', read: writtenTimeOf };

const isLess: Relation = (order) => order < 0;
const isMore: Relation = (order) => order > 0;
const isMoreOrEqual: Relation = (order) => order >= 0;

const byValue = (name: string, holds: Relation): Operator =>
  defineOperator(name, { number: numbers, metadata: numbersAndTimes }, (bounds) => comparing(bounds, holds));

const byInstant = (name: string, holds: Relation): Operator =>
  defineOperator(name, { metadata: times }, (bounds) => comparing(bounds, holds));

export const comparison: readonly Operator[] = [
  byValue('$less_than', isLess),
  byValue('$less_than_or_equal', (order) => order <= 0),
  byValue('$more_than', isMore),
  byValue('$more_than_or_equal', isMoreOrEqual),
  byValue('$greater_than', isMore),
  byValue('$greater_than_or_equal', isMoreOrEqual),
  byInstant('$after', isMore),
  byInstant('$before', isLess),
];
