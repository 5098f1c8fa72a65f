import { conditionSql } from './condition-sql';
import type { AddValue } from './filter-column';
import type { ValueColumn } from './value-column';
import type { FilterOperator } from './filter-operators';

/** Operators that are the negation of another one. */
const negated: Partial<Record<FilterOperator, FilterOperator>> = {
  $is_not: '$is',
  $not_in: '$in',
  $not_contain: '$contains',
  $is_unknown: '$has_value',
};

/** As `conditionSql`, of a field that the row does not have itself but refers to: the records that fit are found first. */
export const referenceSql = (
  column: ValueColumn & { refersTo: NonNullable<ValueColumn['refersTo']> },
  operator: FilterOperator,
  values: readonly string[],
  add: AddValue,
): string => {
  const { refersTo, ...own } = column;
  const asked = negated[operator] ?? operator;
  const one = (asked === '$is' || asked === '$in') && values.length === 1;
  const refers = refersTo(conditionSql(own, asked, values, add), one);
  return asked === operator ? refers : `(${refers}) IS NOT TRUE`;
};
