import { type Refusal, parseInstant, refuse } from '@scrip/kernel';
import { conditionSql } from './condition-sql';
import { type FilterColumn, type FilterColumns, type ValueColumn, columnOf } from './filter-column';
import type { FilterConditions, Filters } from './filters';
import { type FilterOperator, type ValueKind, operatorsOf } from './filter-operators';

const withoutValue = new Set<FilterOperator>(['$has_value', '$is_unknown']);

const wrongValue = (field: string, operator: string): Refusal<'invalid_query_params'> =>
  refuse(
    'invalid_query_params',
    `Property .filters.${field}.conditions.${operator} has a value that does not fit`,
  );

const storedForm = (kind: ValueKind, value: unknown): string | undefined => {
  if (kind === 'instant') return parseInstant(value)?.toISOString();
  const text = typeof value === 'number' || typeof value === 'boolean' ? String(value) : value;
  if (typeof text !== 'string' || text.includes('\0')) return undefined;
  return kind === 'number' && !/^-?\d{1,18}(\.\d{1,18})?$/.test(text) ? undefined : text;
};

/** The values in their stored form; undefined where one does not fit, or none is left. */
const storedValues = (
  operator: FilterOperator,
  column: ValueColumn,
  values: readonly unknown[],
): string[] | undefined => {
  if (!operatorsOf[column.kind].has(operator)) return undefined;
  if (withoutValue.has(operator)) return [];
  const stored: string[] = [];
  for (const value of values) {
    const one = storedForm(column.kind, value);
    if (one === undefined) return undefined;
    stored.push(...(column.valuesOf?.(one) ?? [one]));
  }
  return stored.length === 0 ? undefined : stored;
};

const fieldSql = (
  field: string,
  column: Exclude<FilterColumn, { kind: 'members' }>,
  conditions: FilterConditions,
  add: (value: unknown) => string,
): string | Refusal<'invalid_query_params'> => {
  const parts: string[] = [];
  for (const [operator, values] of Object.entries(conditions) as [FilterOperator, readonly unknown[]][]) {
    if (column.kind === 'states') {
      const state = column.states[operator];
      if (!state) return wrongValue(field, operator);
      parts.push(`(${typeof state === 'string' ? state : state(add)})`);
      continue;
    }
    const stored = storedValues(operator, column, values);
    if (!stored) return wrongValue(field, operator);
    parts.push(conditionSql(column, operator, stored, add));
  }
  return `(${parts.join(' AND ')})`;
};

/** A filter as one SQL condition for a WHERE clause, where unknown counts as false; `true` without fields. `add` takes a
 *  value of the statement and returns its placeholder. Refuses `invalid_query_params` for values that do not fit their
 *  field. Fields must be keys of `columns`. Source: reference 07 §1.5. */
export const filterSql = (
  { junction, fields }: Filters,
  columns: FilterColumns,
  add: (value: unknown) => string,
): string | Refusal<'invalid_query_params'> => {
  const parts: string[] = [];
  for (const [field, conditions] of Object.entries(fields)) {
    if (Object.keys(conditions).length === 0) {
      parts.push('true');
      continue;
    }
    const sql = fieldSql(field, columnOf(field, columns, add), conditions, add);
    if (typeof sql !== 'string') return sql;
    parts.push(sql);
  }
  return parts.length === 0 ? 'true' : `(${parts.join(junction === 'or' ? ' OR ' : ' AND ')})`;
};
