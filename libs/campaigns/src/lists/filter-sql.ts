import type { FilterConditions, Filters } from '@scrip/edge';
import { parseInstant, type Refusal, refuse } from '@scrip/kernel';

/** SQL of what a field compares, and how. */
export interface FilterColumn {
  sql: string;
  kind: 'text' | 'instant';
  /** Brings values into the stored form, one into several where it stands for them. */
  valuesOf?: (value: string) => string[];
}

/** Takes a value and answers its place in the statement: `$3`. */
export type AddValue = (value: unknown) => string;

/** Operators that `filterSql` knows. Source: spec 07 §1.5. */
export const filterOperators = [
  '$is',
  '$is_not',
  '$in',
  '$not_in',
  '$has_value',
  '$is_unknown',
  '$contains',
  '$not_contain',
  '$starts_with',
  '$ends_with',
  '$after',
  '$before',
] as const;

type Operator = (typeof filterOperators)[number];

const anyOf = (sql: string, values: readonly string[], test: (value: string) => string): string =>
  `(${sql} IS NOT NULL AND (${values.map(test).join(' OR ')}))`;

/** Negative operators also match absent values. */
const noneOf = (sql: string, values: readonly string[], test: (value: string) => string): string =>
  `(${sql} IS NULL OR NOT (${values.map(test).join(' OR ')}))`;

const conditionSql = (sql: string, operator: Operator, values: readonly string[]): string => {
  const equals = (value: string): string => `${sql} = ${value}`;
  const contains = (value: string): string => `position(${value} in ${sql}) > 0`;
  switch (operator) {
    case '$has_value':
      return `${sql} IS NOT NULL`;
    case '$is_unknown':
      return `${sql} IS NULL`;
    case '$is':
    case '$in':
      return anyOf(sql, values, equals);
    case '$is_not':
    case '$not_in':
      return noneOf(sql, values, equals);
    case '$contains':
      return anyOf(sql, values, contains);
    case '$not_contain':
      return noneOf(sql, values, contains);
    case '$starts_with':
      return anyOf(sql, values, (value) => `starts_with(${sql}, ${value})`);
    case '$ends_with':
      return anyOf(sql, values, (value) => `right(${sql}, length(${value})) = ${value}`);
    case '$after':
      return anyOf(sql, values, (value) => `${sql} > ${value}`);
    case '$before':
      return anyOf(sql, values, (value) => `${sql} < ${value}`);
    default:
      return operator satisfies never;
  }
};

const textOnly = new Set<Operator>(['$contains', '$not_contain', '$starts_with', '$ends_with']);
const withoutValue = new Set<Operator>(['$has_value', '$is_unknown']);

const wrongValue = (field: string, operator: string): Refusal =>
  refuse(
    'invalid_query_params',
    `Property .filters.${field}.conditions.${operator} has a value that does not fit`,
  );

const placesOf = (
  field: string,
  operator: Operator,
  column: FilterColumn,
  values: readonly unknown[],
  add: AddValue,
): string[] | Refusal => {
  if (withoutValue.has(operator)) return [];
  const isInstant = column.kind === 'instant';
  if (values.length === 0 || (isInstant && textOnly.has(operator))) return wrongValue(field, operator);
  if (!isInstant && (operator === '$after' || operator === '$before')) return wrongValue(field, operator);
  const places: string[] = [];
  for (const value of values) {
    const stored = isInstant ? parseInstant(value)?.toISOString() : value;
    if (typeof stored !== 'string') return wrongValue(field, operator);
    for (const one of column.valuesOf?.(stored) ?? [stored]) {
      places.push(`${add(one)}::${isInstant ? 'timestamptz' : 'text'}`);
    }
  }
  return places;
};

const fieldSql = (
  field: string,
  column: FilterColumn,
  conditions: FilterConditions,
  add: AddValue,
): string | Refusal => {
  const parts: string[] = [];
  for (const [operator, values] of Object.entries(conditions) as [Operator, readonly unknown[]][]) {
    const places = placesOf(field, operator, column, values, add);
    if (!Array.isArray(places)) return places;
    parts.push(conditionSql(column.sql, operator, places));
  }
  return parts.length === 0 ? 'true' : `(${parts.join(' AND ')})`;
};

/** A filter as one SQL condition; `true` without fields. Refuses `invalid_query_params` for values that do not fit
 *  their field. Fields must be keys of `columns`. Source: spec 07 §1.5. */
export const filterSql = (
  { junction, fields }: Filters,
  columns: Record<string, FilterColumn>,
  add: AddValue,
): string | Refusal => {
  const parts: string[] = [];
  for (const [field, conditions] of Object.entries(fields)) {
    const column = columns[field];
    if (!column) throw new Error(`no column for filter ${field}`);
    const sql = fieldSql(field, column, conditions, add);
    if (typeof sql !== 'string') return sql;
    parts.push(sql);
  }
  return parts.length === 0 ? 'true' : `(${parts.join(junction === 'or' ? ' OR ' : ' AND ')})`;
};

/** One SQL text with its values. */
export interface SqlStatement {
  text: string;
  values: unknown[];
}

/** The page and the count of a list over one condition. `where` names its values by `add`. */
export const pageStatements = (
  parts: { columns: string; from: string; orderBy: string; limit: number; offset: number },
  where: string,
  values: readonly unknown[],
): { page: SqlStatement; count: SqlStatement } => ({
  page: {
    text: `SELECT ${parts.columns} FROM ${parts.from} WHERE ${where} ORDER BY ${parts.orderBy} LIMIT ${parts.limit} OFFSET ${parts.offset}`,
    values: [...values],
  },
  count: { text: `SELECT count(*) AS total FROM ${parts.from} WHERE ${where}`, values: [...values] },
});
