import type { CollectedRecord, ProductCollectionSnapshot } from '@scrip/contracts/catalog';
import type { Metadata } from '@scrip/contracts/snapshot';
import type { FilterSpec } from '@scrip/edge';
import { isRefused, type Refusal } from '@scrip/kernel';
import {
  anyCalendar,
  type AddValue,
  locationOperators,
  locationsOf,
  type Places,
  placesSql,
  bodyFilterSql,
  calendarAt,
  changesWithTheDay,
  documentOperators,
  type FilterColumns,
  type Filters,
  filtersOf,
  storedFilter,
  type TypedMembers,
} from '@scrip/list-query';
import { type FilterContext, noPlaces } from '@scrip/metadata';
import type { MetadataTypes } from '@scrip/metadata-schemas';

const text = (sql: string) => ({ kind: 'text', sql }) as const;

/** Ids of the SKUs of a product, the oldest first; absent of a SKU. Read only where a filter asks for them. */
const skusOfRecord = `(SELECT jsonb_agg(one.id ORDER BY one.created_at, one.id) FROM skus one
  WHERE r.object = 'product' AND one.project_id = r.project_id AND one.product_id = r.id AND one.status = 'LIVE')`;

/** Fields of the records `r` that `recordsSql` selects. Source: reference 07 §7. */
export const columnsWith = (schema: TypedMembers, places: Places = noPlaces): FilterColumns => {
  const { calendar } = schema;
  return {
    id: text('r.id'),
    product_id: text('r.product_id'),
    source_id: text('r.source_id'),
    name: text('r.name'),
    price: { kind: 'number', sql: 'r.price' },
    object: { ...text('r.object'), oneOf: ['product', 'sku'] },
    attributes: { kind: 'any', sql: 'r.attributes', calendar },
    image_url: text('r.image_url'),
    skus: { kind: 'any', sql: skusOfRecord, calendar },
    created_at: { kind: 'instant', sql: 'r.created_at', calendar },
    updated_at: { kind: 'instant', sql: 'r.updated_at', calendar },
    'metadata.*': { kind: 'members', sql: 'r.metadata', calendar, schema, places },
  };
};

const onAnyDay = (typeOf: MetadataTypes): FilterColumns =>
  columnsWith({ typeOf, calendar: anyCalendar, stored: true });

/** The filter of a collection in a body. Source: reference 07 §7. */
export const collectionFilterSpec = {
  fields: Object.keys(onAnyDay(() => undefined)),
  operators: [...documentOperators, ...locationOperators],
  typeName: 'Collection',
  property: 'filter',
  withoutJunction: "'AUTO_UPDATE' collection must contain valid filter with 'junction' property",
} as const satisfies FilterSpec;

const filterSqlOf = (
  filter: Metadata,
  { project, now, typeOf, places, stored }: FilterContext & { stored: boolean },
  add: AddValue,
): string | Refusal<'invalid_payload'> =>
  bodyFilterSql(
    filtersOf(filter),
    columnsWith({ typeOf, calendar: calendarAt(project, now), stored }, places),
    add,
  );

/** Selects the places that filters ask for, of the records `r` in `from`; null where none asks. */
export const collectionPlacesSql = (
  collections: readonly ProductCollectionSnapshot[],
  from: string,
  add: AddValue,
): string | null =>
  placesSql(
    collections.flatMap(({ filter }) => (filter ? [filtersOf(filter)] : [])),
    onAnyDay(() => undefined),
    from,
    add,
  );

/** The locations that a collection refers to. */
export const locationsOfCollection = ({ filter }: Pick<ProductCollectionSnapshot, 'filter'>): string[] =>
  filter ? locationsOf(filtersOf(filter)) : [];

/** Refuses a sent filter whose operators or values do not fit their field. */
export const filterMustFit = (filter: Filters, at: FilterContext): Refusal<'invalid_payload'> | null => {
  const sql = filterSqlOf(storedFilter(filter), { ...at, stored: false }, () => '$1');
  return isRefused(sql) ? sql : null;
};

/** A product brings its SKUs. Source: reference 07 §7. */
const namedSql = (products: readonly CollectedRecord[], add: AddValue): string => {
  const ids = (object: CollectedRecord['object']): string =>
    `${add(products.filter((record) => record.object === object).map(({ id }) => id))}::text[]`;
  return `(r.owner_id = ANY(${ids('product')}) OR (r.object = 'sku' AND r.id = ANY(${ids('sku')})))`;
};

/** What belongs to a collection, as one SQL condition on the records `r` of `recordsSql`. Definitions that came later than its
 *  filter and do not fit it count as absent. */
export const memberSql = (
  { id, filter, products }: ProductCollectionSnapshot,
  at: FilterContext,
  add: AddValue,
): string => {
  if (products) return namedSql(products, add);
  const sql = filterSqlOf(filter ?? {}, { ...at, stored: true }, add);
  if (isRefused(sql)) throw new Error(`the filter of collection ${id} is refused: ${sql.details}`);
  return `(${sql}) IS TRUE`;
};

/** Whether records can begin or cease to belong to a collection as days go by. */
export const membersChangeWithTheDay = (
  { filter }: ProductCollectionSnapshot,
  typeOf: MetadataTypes,
): boolean => filter !== null && changesWithTheDay(filter, onAnyDay(typeOf));

/** Whether they can with any schema. */
export const membersMayChangeWithTheDay = (collection: ProductCollectionSnapshot): boolean =>
  membersChangeWithTheDay(collection, () => 'date');
