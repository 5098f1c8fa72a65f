import { containedJson, containmentSql } from './containment-sql';
import { calendarSql, instantsSql } from './calendar-sql';
import type { Places, ValueColumn } from './value-column';
import {
  type FilterOperator,
  isOfCalendar,
  isOfLocations,
  type LocationOperator,
  type ValueKind,
} from './filter-operators';
import { dayOf, elementOf, instantOf, lengthOf, numberOf } from './typed-values-sql';

const typeOf: Record<ValueKind, string> = {
  text: 'text',
  json: 'text',
  flag: 'boolean',
  instant: 'timestamptz',
  number: 'numeric',
  day: 'date',
  geopoint: 'float8[]',
  any: 'text',
};

const symbols = {
  $after: '>',
  $before: '<',
  $more_than: '>',
  $less_than: '<',
  $more_than_equal: '>=',
  $less_than_equal: '<=',
} as const;

const counts = { $count: '=', $count_less: '<', $count_more: '>' } as const;

type Test = (value: string) => string;

const likeText = (text: string): string => text.replace(/[\\%_]/g, (character) => `\\${character}`);

/** Elements of an array, or the value itself. */
export const elementsOf = (sql: string): string =>
  `jsonb_array_elements(CASE jsonb_typeof(${sql}) WHEN 'array' THEN ${sql} ELSE jsonb_build_array(${sql}) END)`;

const isJson = ({ kind, typed }: ValueColumn): boolean => kind === 'json' || kind === 'any' || typed === true;

const isMissing = (column: ValueColumn): string =>
  isJson(column) ? `coalesce(jsonb_typeof(${column.sql}), 'null') = 'null'` : `${column.sql} IS NULL`;

const isThere = (column: ValueColumn): string =>
  `${column.given === undefined ? '' : `${column.given} AND `}NOT (${isMissing(column)})`;

const isAbsent = (column: ValueColumn): string =>
  column.given === undefined ? isMissing(column) : `(${column.given}) IS NOT TRUE OR ${isMissing(column)}`;

// Unknown counts as false where a WHERE clause reads it, so nothing is wrapped and indexes serve the bare comparison.
const holds = (column: ValueColumn, test: Test): string => {
  const held = isJson(column)
    ? `EXISTS (SELECT FROM ${elementsOf(column.sql)} AS element(value) WHERE ${test(elementOf(column.kind, 'element.value'))})`
    : test(column.sql);
  if (column.given !== undefined) return `(${column.given} AND ${held})`;
  return column.absentMatches ? `(${isAbsent(column)} OR ${held})` : held;
};

/** Negative operators also match absent values. Source: reference 07 §1.5. */
const fails = (column: ValueColumn, test: Test): string =>
  `(${holds({ ...column, absentMatches: undefined }, test)}) IS NOT TRUE`;

/** The index finds what may be equal; the comparison itself decides, as JSON has several forms of a text. */
const equalSql = (
  column: ValueColumn,
  equals: Test,
  values: readonly string[],
  add: (value: unknown) => string,
): string => {
  const held = holds(column, equals);
  if (!column.indexed || column.absentMatches) return held;
  const contained = containmentSql(column.indexed, containedJson(column, values), add);
  return contained === undefined ? held : `(${contained} AND ${held})`;
};

/** Comparisons with locations. What names no place matches neither operator, of a list each element that names one. */
const locationSql = (
  column: ValueColumn & { places: Places },
  operator: LocationOperator,
  ids: readonly string[],
  add: (value: unknown) => string,
): string => {
  const among = (places: readonly string[]): string =>
    holds({ ...column, kind: 'any' }, (text) => `${text} = ANY(${add(places)}::text[])`);
  const inside = among(column.places.inside(ids));
  return operator === '$in_location' ? inside : `(${among(column.places.all)} AND NOT ${inside})`;
};

/** Comparisons with the calendar: any of the values, or the period that the operator names. */
const calendarTest = (
  column: ValueColumn,
  operator: FilterOperator,
  values: readonly string[],
  add: (value: unknown) => string,
): string | undefined => {
  const { calendar } = column;
  if (!calendar || !isOfCalendar(column.kind, operator)) return undefined;
  const sent = values.length === 0 ? [''] : values;
  let zone: string | undefined;
  const day = (value: string): string => dayOf(column.kind, value, () => (zone ??= add(calendar.zone)));
  const test = (value: string, one: string): string => {
    const range = column.kind === 'instant' ? instantsSql(value, operator, one, calendar, add) : undefined;
    return range ?? calendarSql(day(value), operator, one, calendar, add);
  };
  return holds(column, (value) => `(${sent.map((one) => test(value, one)).join(' OR ')})`);
};

/** One operator with values in their stored form. Source: reference 07 §1.5. */
export const conditionSql = (
  column: ValueColumn,
  operator: FilterOperator,
  values: readonly string[],
  add: (value: unknown) => string,
): string => {
  const ofCalendar = calendarTest(column, operator, values, add);
  if (ofCalendar !== undefined) return ofCalendar;
  const { places } = column;
  if (isOfLocations(operator)) {
    if (!places) throw new Error(`${operator} on a field without places`);
    return locationSql({ ...column, places }, operator, values, add);
  }
  const type = typeOf[column.kind];
  const anyOf =
    (one: (value: string, place: string) => string, sent: (text: string) => string = (text) => text): Test =>
    (value) =>
      `(${values.map((text) => one(value, `${add(sent(text))}::${type}`)).join(' OR ')})`;
  // One value by `=`: an index that goes on with the list's order then gives the rows in it. Points are arrays, of which
  // ANY would take the numbers.
  const equals: Test = (value) => {
    if (values.length === 1) return `${value} = ${add(values[0])}::${type}`;
    if (column.kind === 'geopoint') return anyOf((one, place) => `${one} = ${place}`)(value);
    return `${value} = ANY(${add(values)}::${type}[])`;
  };
  const like = (pattern: (text: string) => string): Test =>
    anyOf(
      (value, place) => `${value} LIKE ${place}`,
      (text) => pattern(likeText(text)),
    );
  const compared = (value: string, symbol: string, as: string): string =>
    `(${values.map((text) => `${value} ${symbol} ${add(text)}::${as}`).join(' OR ')})`;
  const contains = like((text) => `%${text}%`);
  switch (operator) {
    case '$has_value':
      return `(${isThere(column)})`;
    case '$is_unknown':
      return `(${isAbsent(column)})`;
    case '$is':
    case '$in':
      return equalSql(column, equals, values, add);
    case '$is_not':
    case '$not_in':
      return fails(column, equals);
    case '$contains':
      return holds(column, contains);
    case '$not_contain':
      return fails(column, contains);
    case '$starts_with':
      return holds(
        column,
        like((text) => `${text}%`),
      );
    case '$ends_with':
      return holds(
        column,
        like((text) => `%${text}`),
      );
    case '$count':
    case '$count_less':
    case '$count_more':
      return `(${values.map((count) => `${lengthOf(column.sql)} ${counts[operator]} ${add(Number(count))}::int`).join(' OR ')})`;
    case '$after':
    case '$before':
      return column.kind === 'any'
        ? holds(column, (value) => compared(instantOf(value), symbols[operator], 'timestamptz'))
        : holds(
            column,
            anyOf((value, place) => `${value} ${symbols[operator]} ${place}`),
          );
    case '$more_than':
    case '$less_than':
    case '$more_than_equal':
    case '$less_than_equal':
      return column.kind === 'any'
        ? holds(column, (value) => compared(numberOf(value), symbols[operator], 'numeric'))
        : holds(
            column,
            anyOf((value, place) => `${value} ${symbols[operator]} ${place}`),
          );
    default:
      throw new Error(`${operator} is a state`);
  }
};
