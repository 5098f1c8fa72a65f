import { instantProblem, parseInstant } from '@scrip/kernel';
import type { ValueColumn } from './filter-column';
import type { FilterOperator } from './filter-operators';

/** A sent value as it is stored, or what is wrong with it. */
export type ReadValue = { stored: string } | { problem: string };

const flags = ['TRUE', 'FALSE'];
const comparesWhole = new Set<FilterOperator>(['$is', '$is_not', '$in', '$not_in']);

/** What is wrong with a value that is none of these. */
export const allowedValues = (values: readonly string[]): string =>
  `should be equal to one of the allowed values [ ${values.join(', ')} ]`;

/** Returns the stored form of one value. A value that none of the field's can equal is wrong; a part of one, as in
 *  `$contains`, is any text. Source: reference 07 §1.5. */
export const readValue = (
  operator: FilterOperator,
  { kind, oneOf }: Pick<ValueColumn, 'kind' | 'oneOf'>,
  value: unknown,
): ReadValue => {
  if (kind === 'instant') {
    const instant = parseInstant(value);
    return instant ? { stored: instant.toISOString() } : { problem: instantProblem(value) };
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
