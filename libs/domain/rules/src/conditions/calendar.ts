import { wholeNumbers } from './list';
import { type OperandForm, type Operator, anyElement, defineOperator } from './operator';
import { dayNumberAt, dayNumberOf, weekdayOf, writtenTimeOf } from './written-time';

/** Counts calendar days from the value's day to today, negative when it lies ahead. */
const byDaysAgo = (name: string, holds: (daysAgo: number, operand: number) => boolean): Operator =>
  defineOperator(name, { metadata: wholeNumbers }, (operands) =>
    anyElement((value, { now, timezone }) => {
      const time = writtenTimeOf(value);
      if (!time) return false;
      const today = dayNumberAt(now.getTime(), timezone);
      const daysAgo = today - dayNumberOf(time, timezone);
      return operands.some((operand) => holds(daysAgo, operand));
    }),
  );

const weekdays: OperandForm<number> = {
  takes: 'whole numbers from 0 (Sunday) to 6 (Saturday)',
  read: (operand) => {
    const day = wholeNumbers.read(operand);
    return day !== undefined && day <= 6 ? day : undefined;
  },
};

export const calendar: readonly Operator[] = [
  byDaysAgo('$is_days_ago', (daysAgo, operand) => daysAgo === operand),
  byDaysAgo('$more_than_ago', (daysAgo, operand) => daysAgo > operand),
  byDaysAgo('$less_than_ago', (daysAgo, operand) => daysAgo >= 0 && daysAgo < operand),
  byDaysAgo('$is_days_in_future', (daysAgo, operand) => -daysAgo === operand),
  byDaysAgo('$more_than_future', (daysAgo, operand) => -daysAgo > operand),
  byDaysAgo('$less_than_future', (daysAgo, operand) => daysAgo <= 0 && -daysAgo < operand),
  defineOperator('$dow', { metadata: weekdays }, (days) =>
    anyElement((value, { timezone }) => {
      const time = writtenTimeOf(value);
      return time !== undefined && days.includes(weekdayOf(dayNumberOf(time, timezone)));
    }),
  ),
];
