import { type Refusal, isRefused, refuse } from '@scrip/kernel';
import { conditionSql } from './condition-sql';
import { type FilterColumn, type FilterColumns, columnOf } from './filter-column';
import type { ValueColumn } from './value-column';
import type { FilterConditions, Filters } from './filters';
import { type FilterOperator, operatorsOf, withoutValue } from './filter-operators';
import { type AskedOfRecord, askedOfRecord, referencesSql } from './reference-sql';
import { allowedValues, readValue } from './filter-values';

type FilterRefusal = Refusal<'invalid_query_params'>;
type BodyFilterRefusal = Refusal<'invalid_payload'>;

const misfit = (property: string, problem: string): FilterRefusal =>
  refuse('invalid_query_params', `Property .filters.${property} ${problem}`);

const wrongOperator = (field: string, allowed: Iterable<string>): FilterRefusal =>
  misfit(
    `${field}.conditions`,
    `has an operator that its field does not have. Operators ${allowedValues([...allowed])}`,
  );

/** The values in their stored form. */
const storedValues = (
  field: string,
  operator: FilterOperator,
  column: ValueColumn,
  values: readonly unknown[],
): string[] | FilterRefusal => {
  const operators = operatorsOf(column);
  if (!operators.has(operator)) return wrongOperator(field, operators);
  if (withoutValue.has(operator)) return [];
  const property = `${field}.conditions.${operator}`;
  if (values.length === 0) return misfit(property, 'must have at least 1 value');
  const stored: string[] = [];
  for (const value of values) {
    const read = readValue(operator, column, value);
    if ('problem' in read) return misfit(property, read.problem);
    stored.push(...(column.valuesOf?.(read.stored) ?? [read.stored]));
  }
  return stored;
};

type OneField = Exclude<FilterColumn, { kind: 'members' }>;

/** The column, or what stands in for it where a condition does not fit. */
const fitting = (field: string, column: OneField, conditions: FilterConditions): OneField => {
  if (column.kind === 'states' || !column.otherwise) return column;
  const fits = (Object.entries(conditions) as [FilterOperator, readonly unknown[]][]).every(
    ([operator, values]) => !isRefused(storedValues(field, operator, column, values)),
  );
  return fits ? column : column.otherwise;
};

/** Conditions of one field: on the row, and on a record that it refers to. */
interface FieldConditions {
  own: string[];
  asked: AskedOfRecord[];
}

const fieldConditions = (
  field: string,
  wanted: OneField,
  conditions: FilterConditions,
  add: (value: unknown) => string,
): FieldConditions | FilterRefusal => {
  const column = fitting(field, wanted, conditions);
  const own: string[] = [];
  const asked: AskedOfRecord[] = [];
  for (const [operator, values] of Object.entries(conditions) as [FilterOperator, readonly unknown[]][]) {
    if (column.kind === 'states') {
      const state = column.states[operator];
      if (!state) return wrongOperator(field, Object.keys(column.states));
      own.push(`(${typeof state === 'string' ? state : state(add)})`);
      continue;
    }
    const stored = storedValues(field, operator, column, values);
    if (isRefused(stored)) return stored;
    const { refersTo } = column;
    const condition = refersTo
      ? askedOfRecord({ ...column, refersTo }, operator, stored, add)
      : conditionSql(column, operator, stored, add);
    if (typeof condition === 'string') own.push(condition);
    else asked.push(condition);
  }
  return { own, asked };
};

const allOf = (parts: readonly string[]): string[] =>
  parts.length === 0 ? [] : [`(${parts.join(' AND ')})`];

/** A filter as one SQL condition for a WHERE clause, where unknown counts as false; `true` without fields. `add` takes a
 *  value of the statement and returns its placeholder. What fields that are joined by `and` ask of the records that a row refers to
 *  holds of one of them together. Refuses `invalid_query_params` for operators and values that do not fit their field, and says
 *  which ones fit. Fields must be keys of `columns`. Source: reference 07 §1.5. */
export const filterSql = (
  { junction, fields }: Filters,
  columns: FilterColumns,
  add: (value: unknown) => string,
): string | FilterRefusal => {
  const parts: string[] = [];
  const together: AskedOfRecord[] = [];
  for (const [field, conditions] of Object.entries(fields)) {
    if (Object.keys(conditions).length === 0) {
      parts.push('true');
      continue;
    }
    const found = fieldConditions(field, columnOf(field, columns, add), conditions, add);
    if (isRefused(found)) return found;
    const { own, asked } = found;
    if (junction === 'or') parts.push(...allOf([...own, ...referencesSql(asked)]));
    else {
      parts.push(...allOf(own));
      together.push(...asked);
    }
  }
  parts.push(...referencesSql(together));
  return parts.length === 0 ? 'true' : `(${parts.join(junction === 'or' ? ' OR ' : ' AND ')})`;
};

/** As `filterSql`, of the property `filter` of a body: refuses `invalid_payload`. */
export const bodyFilterSql = (
  filters: Filters,
  columns: FilterColumns,
  add: (value: unknown) => string,
): string | BodyFilterRefusal => {
  const sql = filterSql(filters, columns, add);
  if (typeof sql === 'string') return sql;
  return refuse('invalid_payload', sql.details?.replace(/^Property \.filters\./, 'Property .filter.'));
};
