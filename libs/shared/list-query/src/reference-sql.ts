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
  one: boolean;
}

/** Operators that are the negation of another one. */
const negated: Partial<Record<FilterOperator, FilterOperator>> = {
  $is_not: '$is',
  $not_in: '$in',
  $not_contain: '$contains',
  $is_unknown: '$has_value',
};

/** As `conditionSql`, of a field that the row does not have itself but refers to: what is asked of the record, or a condition on
 *  the row where the operator is a negation: that no record fits. */
export const askedOfRecord = (
  column: ValueColumn & { refersTo: RefersTo },
  operator: FilterOperator,
  values: readonly string[],
  add: AddValue,
): AskedOfRecord | string => {
  const { refersTo, ...own } = column;
  const asked = negated[operator] ?? operator;
  const one = (asked === '$is' || asked === '$in') && values.length === 1;
  const condition = conditionSql(own, asked, values, add);
  return asked === operator ? { refersTo, condition, one } : `(${refersTo(condition, one)}) IS NOT TRUE`;
};

/** Conditions on the row: of each function, that it refers to one record that fits all that is asked of it. */
export const referencesSql = (asked: readonly AskedOfRecord[]): string[] =>
  [...new Set(asked.map(({ refersTo }) => refersTo))].map((refersTo) => {
    const ofRecord = asked.filter((one) => one.refersTo === refersTo);
    return refersTo(
      ofRecord.map(({ condition }) => condition).join(' AND '),
      ofRecord.some(({ one }) => one),
    );
  });
