import type { SegmentSnapshot } from '@scrip/contracts/customers';
import { type AddValue, type Filters, filtersOf } from '@scrip/list-query';
import type { FieldHash } from '../customer/customer-list.sql';

const hashed = ['name', 'email', 'city'] as const;

const isHashed = (field: string): field is (typeof hashed)[number] =>
  (hashed as readonly string[]).includes(field);

/** The values of which a field must have one, null where the filter asks for none, or for one that has no hash. */
const wantedOf = (conditions: Filters['fields'][string]): string[] | null => {
  const values = (conditions['$is'] ?? conditions['$in'])?.map(String);
  return values && !values.includes('') ? values : null;
};

/** A condition on rows of keys `k` that all customers fulfil who match the filter: those with a hash that it asks for, and those
 *  whose row has no hashes yet. Null where the filter gives none. Source: ADR 72, ADR 117. */
export const narrowingSql = (
  filter: SegmentSnapshot['filter'],
  { hash, add }: { hash: FieldHash; add: AddValue },
): string | null => {
  const { junction, fields } = filtersOf(filter ?? {});
  const found = Object.entries(fields).flatMap(([field, conditions]) => {
    const values = isHashed(field) ? wantedOf(conditions) : null;
    return isHashed(field) && values ? [{ field, values }] : [];
  });
  const isOr = junction === 'or';
  if (found.length === 0 || (isOr && found.length < Object.keys(fields).length)) return null;
  const parts = found.map(
    ({ field, values }) => `k.${field}_hash = ANY(${add(values.map((value) => hash(field, value)))})`,
  );
  return `(${parts.join(isOr ? ' OR ' : ' AND ')} OR k.listed IS NULL)`;
};
