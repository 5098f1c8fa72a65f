import { conditionSql } from './condition-sql';
import type { AddValue } from './filter-column';
import type { ValueColumn } from './value-column';
import type { FilterOperator } from './filter-operators';

type RefersTo = NonNullable<ValueColumn['refersTo']>;

/** What is asked of a record that a row refers to. */
export interface AskedOfRecord {
  refersTo: RefersTo;
  condition: string;
  /** At most one record fits. */
  isUnique: boolean;
}

/** Operators that are the negation of another one. */
const negated: Partial<Record<FilterOperator, FilterOperator>> = {
  $is_not: '$is',
  $not_in: '$in',
  $not_contain: '$contains',
  $is_unknown: '$has_value',
};

/** As `conditionSql`, of a field that the row does not have itself but refers to. Returns the condition on the record; of a negated
 *  operator, a condition on the row instead: that it refers to no record that fits. */
export const askedOfRecord = (
  column: ValueColumn & { refersTo: RefersTo },
  operator: FilterOperator,
  values: readonly string[],
  add: AddValue,
): AskedOfRecord | string => {
  const { refersTo, ...own } = column;
  const positive = negated[operator] ?? operator;
  const isUnique = (positive === '$is' || positive === '$in') && values.length === 1;
  const condition = conditionSql(own, positive, values, add);
  return positive === operator
    ? { refersTo, condition, isUnique }
    : `(${refersTo(condition, isUnique)}) IS NOT TRUE`;
};

/** Returns conditions on the row, one for each kind of record that is asked about (each `refersTo`): the row refers to a record that
 *  fits all conditions on that kind. */
export const referencesSql = (asked: readonly AskedOfRecord[]): string[] =>
  [...new Set(asked.map(({ refersTo }) => refersTo))].map((refersTo) => {
    const ofRecord = asked.filter(({ refersTo: its }) => its === refersTo);
    return refersTo(
      ofRecord.map(({ condition }) => condition).join(' AND '),
      ofRecord.some(({ isUnique }) => isUnique),
    );
  });
