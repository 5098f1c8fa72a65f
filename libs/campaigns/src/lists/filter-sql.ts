import type { FilterConditions, Filters } from '@scrip/edge';
import { parseInstant, type Refusal, refuse } from '@scrip/kernel';

/** SQL of what a field compares, and how. `json` is jsonb, arrays compared by their elements; `members` the members of
 *  a jsonb object, as `<field>.<key>`; `states` has a condition for each operator and takes no values. */
export type FilterColumn =
  | {
      kind: 'text' | 'instant' | 'number' | 'json';
      sql: string;
      /** Brings values into the stored form, one into several where it stands for them. */
      valuesOf?: (value: string) => string[];
      /** Absent values match every positive operator. */
      absentMatches?: true;
    }
  | { kind: 'members'; sql: string }
  | { kind: 'states'; states: Partial<Record<Operator, string>> };

type ValueColumn = Extract<FilterColumn, { kind: 'text' | 'instant' | 'number' | 'json' }>;

/** Takes a value and answers its place in the statement: `$3`. */
export type AddValue = (value: unknown) => string;

const forAnyKind = ['$is', '$is_not', '$in', '$not_in', '$has_value', '$is_unknown'] as const;
const forText = ['$contains', '$not_contain', '$starts_with', '$ends_with'] as const;
const forInstants = ['$after', '$before'] as const;
const forNumbers = ['$more_than', '$less_than', '$more_than_equal', '$less_than_equal'] as const;
const forStates = [
  '$active',
  '$expired',
  '$enabled',
  '$disabled',
  '$failed',
  '$in_progress',
  '$before_start',
  'before_start',
] as const;

/** Operators that `filterSql` knows. Source: spec 07 §1.5; `before_start` as spec 04 §4.2 spells it. */
export const filterOperators = [
  ...forAnyKind,
  ...forText,
  ...forInstants,
  ...forNumbers,
  ...forStates,
] as const;

type Operator = (typeof filterOperators)[number];

const operatorsOf: Record<ValueColumn['kind'], ReadonlySet<Operator>> = {
  text: new Set<Operator>([...forAnyKind, ...forText]),
  json: new Set<Operator>([...forAnyKind, ...forText]),
  instant: new Set<Operator>([...forAnyKind, ...forInstants]),
  number: new Set<Operator>([...forAnyKind, ...forNumbers]),
};
const typeOf = { text: 'text', json: 'text', instant: 'timestamptz', number: 'numeric' } as const;
const withoutValue = new Set<Operator>(['$has_value', '$is_unknown']);
const symbols = {
  $after: '>',
  $before: '<',
  $more_than: '>',
  $less_than: '<',
  $more_than_equal: '>=',
  $less_than_equal: '<=',
} as const;

/** Elements of an array, or the value itself. */
const elementsOf = (sql: string): string =>
  `jsonb_array_elements_text(CASE jsonb_typeof(${sql}) WHEN 'array' THEN ${sql} ELSE jsonb_build_array(${sql}) END)`;

const isAbsent = ({ kind, sql }: ValueColumn): string =>
  kind === 'json' ? `coalesce(jsonb_typeof(${sql}), 'null') = 'null'` : `${sql} IS NULL`;

/** Whether the test holds for the value, or for any element of it; never for an absent one. */
const holds = ({ kind, sql }: ValueColumn, test: (value: string) => string): string =>
  kind === 'json'
    ? `EXISTS (SELECT FROM ${elementsOf(sql)} AS element(value) WHERE ${test('element.value')})`
    : `coalesce(${test(sql)}, false)`;

const conditionSql = (column: ValueColumn, operator: Operator, places: readonly string[]): string => {
  const any = (test: (value: string, place: string) => string): string => {
    const held = holds(column, (value) => `(${places.map((place) => test(value, place)).join(' OR ')})`);
    return column.absentMatches ? `(${isAbsent(column)} OR ${held})` : held;
  };
  // Negative operators also match absent values.
  const none = (test: (value: string, place: string) => string): string =>
    `NOT ${holds(column, (value) => `(${places.map((place) => test(value, place)).join(' OR ')})`)}`;
  const equals = (value: string, place: string): string => `${value} = ${place}`;
  const contains = (value: string, place: string): string => `position(${place} in ${value}) > 0`;
  switch (operator) {
    case '$has_value':
      return `NOT (${isAbsent(column)})`;
    case '$is_unknown':
      return `(${isAbsent(column)})`;
    case '$is':
    case '$in':
      return any(equals);
    case '$is_not':
    case '$not_in':
      return none(equals);
    case '$contains':
      return any(contains);
    case '$not_contain':
      return none(contains);
    case '$starts_with':
      return any((value, place) => `starts_with(${value}, ${place})`);
    case '$ends_with':
      return any((value, place) => `right(${value}, length(${place})) = ${place}`);
    case '$after':
    case '$before':
    case '$more_than':
    case '$less_than':
    case '$more_than_equal':
    case '$less_than_equal':
      return any((value, place) => `${value} ${symbols[operator]} ${place}`);
    default:
      throw new Error(`${operator} is a state`);
  }
};

const wrongValue = (field: string, operator: string): Refusal =>
  refuse(
    'invalid_query_params',
    `Property .filters.${field}.conditions.${operator} has a value that does not fit`,
  );

const storedForm = (kind: ValueColumn['kind'], value: unknown): string | undefined => {
  if (kind === 'instant') return parseInstant(value)?.toISOString();
  const text = typeof value === 'number' || typeof value === 'boolean' ? String(value) : value;
  if (typeof text !== 'string' || text.includes('\0')) return undefined;
  return kind === 'number' && !/^-?\d{1,18}(\.\d{1,18})?$/.test(text) ? undefined : text;
};

const placesOf = (
  operator: Operator,
  column: ValueColumn,
  values: readonly unknown[],
  add: AddValue,
): string[] | undefined => {
  if (!operatorsOf[column.kind].has(operator)) return undefined;
  if (withoutValue.has(operator)) return [];
  const places: string[] = [];
  for (const value of values) {
    const stored = storedForm(column.kind, value);
    if (stored === undefined) return undefined;
    for (const one of column.valuesOf?.(stored) ?? [stored]) {
      places.push(`${add(one)}::${typeOf[column.kind]}`);
    }
  }
  return places.length === 0 ? undefined : places;
};

const fieldSql = (
  field: string,
  column: Exclude<FilterColumn, { kind: 'members' }>,
  conditions: FilterConditions,
  add: AddValue,
): string | Refusal => {
  const parts: string[] = [];
  for (const [operator, values] of Object.entries(conditions) as [Operator, readonly unknown[]][]) {
    if (column.kind === 'states') {
      const state = column.states[operator];
      if (!state) return wrongValue(field, operator);
      parts.push(`coalesce(${state}, false)`);
      continue;
    }
    const places = placesOf(operator, column, values, add);
    if (!places) return wrongValue(field, operator);
    parts.push(conditionSql(column, operator, places));
  }
  return `(${parts.join(' AND ')})`;
};

/** A member by its name, or by its path where dots lead into nested objects. */
const memberOf = (sql: string, path: string, add: AddValue): ValueColumn => ({
  kind: 'json',
  sql: `coalesce(${sql} -> ${add(path)}::text, ${sql} #> ${add(path.split('.'))}::text[])`,
});

const columnOf = (
  field: string,
  columns: Record<string, FilterColumn>,
  add: AddValue,
): Exclude<FilterColumn, { kind: 'members' }> => {
  const own = columns[field];
  if (own && own.kind !== 'members') return own;
  const [object = ''] = field.split('.', 1);
  const members = columns[`${object}.*`];
  if (members?.kind !== 'members') throw new Error(`no column for filter ${field}`);
  return memberOf(members.sql, field.slice(object.length + 1), add);
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
