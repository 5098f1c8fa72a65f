import type { CustomerSnapshot } from '@scrip/contracts/customers';
import type { Metadata } from '@scrip/contracts/snapshot';
import type { FilterSpec } from '@scrip/edge';
import { isRefused } from '@scrip/kernel';
import {
  anyCalendar,
  type AddValue,
  bodyFilterSql,
  calendarAt,
  changesWithTheDay as filterChangesWithTheDay,
  documentOperators,
  type FilterColumns,
  locationOperators,
  type Places,
  placesSql,
  type TypedMembers,
  type Filters,
  filtersOf,
  storedFilter,
} from '@scrip/list-query';
import { type FilterContext, noPlaces } from '@scrip/metadata';
import type { MetadataTypes } from '@scrip/metadata-schemas';
import { type CustomerBlocks, type CustomerResponse, renderCustomer } from '@scrip/wire/customers';
import { publishedTo } from './publications.sql';
import type { SegmentRefusal } from './segment.decider';

/** What a filter looks at: a customer as answers show it. */
export type SegmentDocument = Partial<CustomerResponse>;

/** The document of a customer. */
export const documentOf = (customer: CustomerSnapshot, blocks: CustomerBlocks): SegmentDocument =>
  renderCustomer(customer, blocks);

const text = (sql: string) => ({ kind: 'text', sql }) as const;

/** What a filter reads beside the documents. */
interface OutsideDocument {
  places?: Places | undefined;
  /** Returns that the customer `c.id` has a publication `p` that fits a condition. */
  published: (condition: string) => string;
}

/** Fields of the documents `c.doc`, which one statement tests, and of the publications of the customer. A field that no document has
 *  yet is absent there. Source: reference 07 §4. */
const columnsWith = (
  schema: TypedMembers,
  { places = noPlaces, published }: OutsideDocument,
): FilterColumns => {
  const { calendar } = schema;
  const members = (sql: string) => ({ kind: 'members', sql, calendar }) as const;
  // A day may come from a release or an import that stored another text.
  const day = (field: string) =>
    ({
      kind: 'day',
      sql: `(CASE WHEN pg_input_is_valid(c.doc->>'${field}', 'date') THEN (c.doc->>'${field}')::date END)`,
      calendar,
    }) as const;
  const instant = (sql: string) => ({ kind: 'instant', sql: `(${sql})::timestamptz`, calendar }) as const;
  return {
    name: text(`(c.doc->>'name')`),
    email: text(`(c.doc->>'email')`),
    phone: text(`(c.doc->>'phone')`),
    source_id: text(`(c.doc->>'source_id')`),
    description: text(`(c.doc->>'description')`),
    city: text(`(c.doc->'address'->>'city')`),
    'address.*': members(`c.doc->'address'`),
    birthdate: day('birthdate'),
    birthday: day('birthday'),
    created_at: instant(`c.doc->>'created_at'`),
    updated_at: instant(`c.doc->>'updated_at'`),
    'metadata.*': { ...members(`c.doc->'metadata'`), schema, places },
    'system_metadata.*': members(`c.doc->'system_metadata'`),
    'summary.*': members(`c.doc->'summary'`),
    'loyalty.*': members(`c.doc->'loyalty'`),
    'loyalty_tier.*': members(`c.doc->'loyalty_tier'`),
    'loyalty_points.campaigns.*': members(`c.doc->'loyalty'->'campaigns'`),
    'events.*': members(`c.doc->'events'`),
    'publications.created_at': { kind: 'instant', sql: 'p.published_at', calendar, refersTo: published },
    'publications.related_object_id': { ...text('p.object_id'), refersTo: published },
  };
};

const onAnyDay = (typeOf: MetadataTypes): FilterColumns =>
  columnsWith(
    { typeOf, calendar: anyCalendar, stored: true },
    { published: publishedTo('proj_any', () => '$1') },
  );

/** The filter of a segment in a body. */
export const segmentFilterSpec: FilterSpec = {
  fields: Object.keys(onAnyDay(() => undefined)),
  operators: [...documentOperators, ...locationOperators],
  typeName: 'Segment',
  property: 'filter',
};

const memberRead = /\bc\.doc->>?'(\w+)'/g;

/** The members of documents that conditions of `segmentFilterSql` read. */
export const membersRead = (conditions: string): (keyof SegmentDocument)[] => [
  ...new Set([...conditions.matchAll(memberRead)].map(([, name]) => name as keyof SegmentDocument)),
];

const sqlOf = (
  filter: Metadata,
  { project, now, typeOf, places, stored }: FilterContext & { stored: boolean },
  add: AddValue,
): string | SegmentRefusal =>
  bodyFilterSql(
    filtersOf(filter),
    columnsWith(
      { typeOf, calendar: calendarAt(project, now), stored },
      { places, published: publishedTo(project.id, add) },
    ),
    add,
  );

/** Selects the places that filters ask for, of the documents in `from`; null where none asks. */
export const segmentPlacesSql = (filters: readonly Metadata[], from: string, add: AddValue): string | null =>
  placesSql(
    filters.map(filtersOf),
    onAnyDay(() => undefined),
    from,
    add,
  );

/** A stored filter as one SQL condition on `c.doc` and `c.id`, on the project's day at `now`. Refuses operators and values that do not
 *  fit their field, which no stored filter has: definitions that came later and do not fit it count as absent. */
export const segmentFilterSql = (
  filter: Metadata,
  at: FilterContext,
  add: AddValue,
): string | SegmentRefusal => sqlOf(filter, { ...at, stored: true }, add);

/** Refuses a sent filter whose operators or values do not fit their field. */
export const filterMustFit = (filter: Filters, at: FilterContext): SegmentRefusal | null => {
  const sql = sqlOf(storedFilter(filter), { ...at, stored: false }, () => '$1');
  return isRefused(sql) ? sql : null;
};

/** Whether customers can begin or cease to match as days go by. */
export const changesWithTheDay = (filter: Metadata, typeOf: MetadataTypes): boolean =>
  filterChangesWithTheDay(filter, onAnyDay(typeOf));

/** Whether they can with any schema. */
export const mayChangeWithTheDay = (filter: Metadata): boolean => changesWithTheDay(filter, () => 'date');
