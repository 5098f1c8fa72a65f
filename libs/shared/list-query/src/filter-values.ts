import { instantProblem, parseGeopoint, parseInstant } from '@scrip/kernel';
import type { ValueColumn } from './value-column';
import { weekdays } from './calendar';
import {
  type FilterOperator,
  countOperators,
  isOfCalendar,
  isOfLocations,
  type ValueKind,
} from './filter-operators';

/** A sent value as it is stored, or what is wrong with it. */
export type ReadValue = { stored: string } | { problem: string };

const flags = ['TRUE', 'FALSE'];
const comparesWhole = new Set<FilterOperator>(['$is', '$is_not', '$in', '$not_in']);

/** What is wrong with a value that is none of these. */
export const allowedValues = (values: readonly string[]): string =>
  `should be equal to one of the allowed values [ ${values.join(', ')} ]`;

const isWholeNumber = (value: unknown, least: number, most: number): boolean => {
  const text = typeof value === 'number' ? String(value) : value;
  return typeof text === 'string' && /^\d{1,5}$/.test(text) && Number(text) >= least && Number(text) <= most;
};

const wholeNumber = (value: unknown, least: number, most: number): ReadValue =>
  isWholeNumber(value, least, most)
    ? { stored: String(Number(value)) }
    : { problem: `must be integer from ${least} to ${most}` };

const months = [
  'january',
  'february',
  'march',
  'april',
  'may',
  'june',
  'july',
  'august',
  'september',
  'october',
  'november',
  'december',
];

/** A number, or one of the names that stand for numbers from `first` on. */
const namedNumber = (value: unknown, names: readonly string[], first: number): ReadValue => {
  const index = typeof value === 'string' ? names.indexOf(value.toLowerCase()) : -1;
  if (index >= 0) return { stored: String(index + first) };
  const last = first + names.length - 1;
  return isWholeNumber(value, first, last)
    ? { stored: String(Number(value)) }
    : { problem: `must be integer from ${first} to ${last}, or one of [ ${names.join(', ')} ]` };
};

/** A hundred years. */
const daysMax = 36_525;

const ofCalendar = (operator: FilterOperator, value: unknown): ReadValue => {
  switch (operator) {
    case '$is_day':
      return namedNumber(value, weekdays, 0);
    case '$is_month':
      return namedNumber(value, months, 1);
    case '$is_day_of_month':
      return wholeNumber(value, 1, 31);
    case '$is_year':
      return wholeNumber(value, 1, 9_999);
    case '$is_years_ago':
      return wholeNumber(value, 0, 1_000);
    default:
      return wholeNumber(value, 0, daysMax);
  }
};

const isCount = (operator: FilterOperator): boolean =>
  (countOperators as readonly string[]).includes(operator);

const nameOfLocation = (value: unknown): ReadValue =>
  typeof value === 'string' && /^[\w-]{1,128}$/.test(value)
    ? { stored: value }
    : { problem: 'must be the id of a location' };

/** What a value is compared as by an operator on values of any kind. */
const kindOfOperator = (operator: FilterOperator): ValueKind => {
  if (operator === '$after' || operator === '$before') return 'instant';
  return /^\$(more|less)_than(_equal)?$/.test(operator) ? 'number' : 'text';
};

/** Returns the stored form of one value. A value that none of the field's can equal is wrong; a part of one, as in
 *  `$contains`, is any text. Source: reference 07 §1.5. */
export const readValue = (
  operator: FilterOperator,
  column: Pick<ValueColumn, 'kind' | 'oneOf'>,
  value: unknown,
): ReadValue => {
  const { oneOf } = column;
  if (isOfCalendar(column.kind, operator)) return ofCalendar(operator, value);
  if (isOfLocations(operator)) return nameOfLocation(value);
  if (isCount(operator)) return wholeNumber(value, 0, 10_000);
  const kind = column.kind === 'any' ? kindOfOperator(operator) : column.kind;
  if (kind === 'day') {
    const day = parseInstant(value);
    return day ? { stored: day.toISOString().slice(0, 10) } : { problem: instantProblem(value) };
  }
  if (kind === 'instant') {
    const instant = parseInstant(value);
    return instant ? { stored: instant.toISOString() } : { problem: instantProblem(value) };
  }
  if (kind === 'geopoint') {
    const place = parseGeopoint(value);
    return place
      ? { stored: `{${place.latitude},${place.longitude}}` }
      : { problem: 'must be a geopoint, as geo:40.7128,-74.0060' };
  }
  const text = typeof value === 'number' || typeof value === 'boolean' ? String(value) : value;
  if (typeof text !== 'string') return { problem: 'must be string' };
  if (text.includes('\0')) return { problem: 'cannot contain NUL characters' };
  if (kind === 'number' && !/^-?\d{1,18}(\.\d{1,18})?$/.test(text))
    return { problem: 'must be number, with at most 18 digits before and 18 after the point' };
  if (kind === 'flag' && !flags.includes(text.toUpperCase())) return { problem: allowedValues(flags) };
  if (oneOf && comparesWhole.has(operator) && !oneOf.includes(text)) return { problem: allowedValues(oneOf) };
  return { stored: text };
};
