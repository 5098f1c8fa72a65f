import type { InstantRange } from '@scrip/edge';
import { type AddValue, rangeSql } from '@scrip/list-query';
import type { ListedField } from './customer-listing';

/** What a list of customers filters by. */
export interface CustomerFilters {
  email?: string;
  name?: string;
  city?: string;
  segment_id?: string;
  created_at?: InstantRange;
  updated_at?: InstantRange;
}

const listedFields = ['email', 'name', 'city'] as const satisfies readonly ListedField[];

/** What a list is found by: keyed hashes of values. */
export type FieldHash = (field: ListedField, value: string) => string;

/** Whether a list is found by a hash beside the key. */
export const isFoundByHash = (filters: CustomerFilters): boolean =>
  listedFields.some((field) => filters[field]);

/** Rows of customers with the rows of their keys. */
export const withKeys =
  'customer_keys k JOIN customers c ON c.project_id = k.project_id AND c.id = k.customer_id';

// Clocks of processes differ: a change may be a little older than the creation.
const clocksDiffer = `interval '1 hour'`;

/** What follows from ranges, as no customer changes before it is created: a list in the order of one time, filtered by the other,
 *  begins where matches can be. */
const impliedSql = ({ created_at, updated_at }: CustomerFilters, add: AddValue): string[] => [
  ...rangeSql('c.changed_at', { after: created_at?.after }, add, clocksDiffer),
  ...rangeSql('c.created_at', { before: updated_at?.before }, add, clocksDiffer),
];

/** The time behind which no customer is created who was not changed behind `after`: such customers match a range of changes that
 *  has no other end, and nothing but their key says so. Null for other ranges. */
export const surelyChangedSql = (
  { updated_at }: CustomerFilters,
  add: AddValue,
): { created: (column: string) => string; earlier: (column: string) => string } | null => {
  const after = updated_at?.after;
  if (!after || updated_at.before) return null;
  const since = `${add(after)}::timestamptz + ${clocksDiffer}`;
  return { created: (column) => `${column} > ${since}`, earlier: (column) => `${column} <= ${since}` };
};

/** Conditions on rows of customers, alias `c`. */
export const customerConditions = (project: string, filters: CustomerFilters, add: AddValue): string[] => [
  `c.project_id = ${project}`,
  'c.deleted_at IS NULL',
  ...rangeSql('c.created_at', filters.created_at ?? {}, add),
  ...rangeSql('c.changed_at', filters.updated_at ?? {}, add),
  ...impliedSql(filters, add),
];

/** Conditions on rows of keys, alias `k`. A row that has a hash is listed. */
export const keyConditions = (
  project: string,
  filters: CustomerFilters,
  { hash, add }: { hash: FieldHash; add: AddValue },
): string[] => [
  `k.project_id = ${project}`,
  ...listedFields.flatMap((field) =>
    filters[field] ? [`k.${field}_hash = ${add(hash(field, filters[field]))}`] : [],
  ),
  ...rangeSql('k.created_at', filters.created_at ?? {}, add),
];

/** The condition that the customer with this id is a member of the segment. */
export const memberCondition = (
  id: string,
  project: string,
  { segment_id }: CustomerFilters,
  add: AddValue,
): string[] =>
  segment_id === undefined
    ? []
    : [
        `EXISTS (SELECT FROM segment_members m
           WHERE m.project_id = ${project} AND m.segment_id = ${add(segment_id)} AND m.customer_id = ${id})`,
      ];
