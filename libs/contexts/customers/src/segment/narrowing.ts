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

/** What a filter asks for of fields that have hashes; null where customers with any hashes may match. */
interface Wanted {
  isOr: boolean;
  found: { field: (typeof hashed)[number]; values: string[] }[];
}

const wantedBy = (filter: SegmentSnapshot['filter']): Wanted | null => {
  const { junction, fields } = filtersOf(filter ?? {});
  const found = Object.entries(fields).flatMap(([field, conditions]) => {
    const values = isHashed(field) ? wantedOf(conditions) : null;
    return isHashed(field) && values ? [{ field, values }] : [];
  });
  const isOr = junction === 'or';
  return found.length === 0 || (isOr && found.length < Object.keys(fields).length) ? null : { isOr, found };
};

interface HashedValues {
  hash: FieldHash;
  add: AddValue;
}

const sqlOf = ({ isOr, found }: Wanted, { hash, add }: HashedValues): string => {
  const parts = found.map(
    ({ field, values }) => `k.${field}_hash = ANY(${add(values.map((value) => hash(field, value)))})`,
  );
  return parts.join(isOr ? ' OR ' : ' AND ');
};

/** A condition on rows of keys `k` that all customers fulfil who match the filter: those with a hash that it asks for, and those
 *  whose row has no hashes yet. Null where the filter gives none. Source: ADR 72, ADR 117. */
export const narrowingSql = (filter: SegmentSnapshot['filter'], values: HashedValues): string | null => {
  const wanted = wantedBy(filter);
  return wanted && `(${sqlOf(wanted, values)} OR k.listed IS NULL)`;
};

/** As `narrowingSql`, of customers who match any of the filters. Null also where that takes more than `most` hashes: to make them
 *  would then be more work than to look at the customers. */
export const narrowingOfAny = (
  filters: readonly SegmentSnapshot['filter'][],
  { most, ...values }: HashedValues & { most: number },
): string | null => {
  const wanted = filters.map(wantedBy).filter((one) => one !== null);
  const hashes = wanted.flatMap(({ found }) => found.flatMap((field) => field.values)).length;
  if (wanted.length === 0 || wanted.length < filters.length || hashes > most) return null;
  return `(${wanted.map((one) => `(${sqlOf(one, values)})`).join(' OR ')} OR k.listed IS NULL)`;
};
