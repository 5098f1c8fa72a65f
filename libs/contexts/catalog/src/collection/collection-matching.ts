import type { ProductCollectionSnapshot } from '@scrip/contracts/catalog';
import { runQuery } from '@scrip/event-store';
import { filtersTogether, StatementValues } from '@scrip/list-query';
import type { FilterContextNow } from '@scrip/metadata';
import type { DataSource, EntityManager } from 'typeorm';
import { collectionPlacesSql, locationsOfCollection, memberSql } from './collection-filter';
import { recordsSql } from './collection-records.sql';

/** A record that may belong to collections: a product, which is its own owner, or a SKU of the product `owner_id`. */
export interface TestedRecord {
  object: 'product' | 'sku';
  id: string;
  owner_id: string;
}

/** What is tested against which collections. */
export interface Tested extends FilterContextNow {
  collections: readonly ProductCollectionSnapshot[];
  records: readonly TestedRecord[];
}

const idsOf = (records: readonly TestedRecord[], object: TestedRecord['object']): string[] =>
  records.filter((record) => record.object === object).map(({ id }) => id);

const placeholdersOf = (
  { project, records }: Tested,
  values: StatementValues,
): { project: string; products: string; skus: string } => ({
  project: values.add(project.id),
  products: values.add(idsOf(records, 'product')),
  skus: values.add(idsOf(records, 'sku')),
});

/** The test with the records' places, where a filter asks for locations: one more statement, and a call of auth. */
const withPlaces = async (on: DataSource | EntityManager, tested: Tested): Promise<Tested> => {
  const locations = tested.collections.flatMap(locationsOfCollection);
  if (locations.length === 0) return tested;
  const values = new StatementValues();
  const records = recordsSql(placeholdersOf(tested, values));
  const sql = collectionPlacesSql(tested.collections, `(${records}) r`, values.add);
  const rows = sql === null ? [] : await runQuery<{ place: string }>(on, sql, values.all);
  const texts = rows.map(({ place }) => place);
  return { ...tested, places: await tested.placesIn(texts, locations) };
};

/** Selects each record with each collection that it belongs to. */
const matchingSql = (tested: Tested, values: StatementValues): string => {
  const { collections, records: _, ...at } = tested;
  const placeholders = placeholdersOf(tested, values);
  const tests = collections.map(
    (collection) => `(${values.add(collection.id)}::text, ${memberSql(collection, at, values.add)})`,
  );
  return `SELECT m.collection_id, r.project_id, r.object, r.id, r.owner_id, r.created_at, r.updated_at
    FROM (${recordsSql(placeholders)}) r
    CROSS JOIN LATERAL (VALUES ${tests.join(', ')}) AS m(collection_id, belongs)
    WHERE m.belongs`;
};

/** A record with a collection that it belongs to. */
interface Matching {
  collection_id: string;
  object: TestedRecord['object'];
  id: string;
}

/** Returns the records with the collections that each belongs to, in one statement unless the filters are very long. */
export const matchingCollections = async (
  on: DataSource | EntityManager,
  asked: Tested,
): Promise<Matching[]> => {
  if (asked.records.length === 0) return [];
  const tested = await withPlaces(on, asked);
  const matching: Matching[] = [];
  for (const collections of filtersTogether(tested.collections)) {
    const values = new StatementValues();
    const sql = matchingSql({ ...tested, collections }, values);
    const rows = await runQuery<Matching>(
      on,
      `SELECT collection_id, object, id FROM (${sql}) matching`,
      values.all,
    );
    matching.push(...rows);
  }
  return matching;
};

/** Makes the rows of `collection_items` those that the records have now, in one statement unless the filters are very long.
 *  The records do not change meanwhile: the caller's transaction holds their products. */
export const keepItems = async (manager: EntityManager, asked: Tested): Promise<void> => {
  if (asked.records.length === 0) return;
  const tested = await withPlaces(manager, asked);
  for (const collections of filtersTogether(tested.collections))
    await keepItemsOf(manager, { ...tested, collections });
};

const keepItemsOf = async (
  manager: EntityManager,
  { collections, records, ...at }: Tested,
): Promise<void> => {
  const values = new StatementValues();
  const matching = matchingSql({ collections, records, ...at }, values);
  const ofRecords = [
    records.map(({ object }) => object),
    records.map(({ id }) => id),
    records.map(({ owner_id }) => owner_id),
  ].map((list) => `${values.add(list)}::text[]`);
  await runQuery(
    manager,
    `WITH matching AS (${matching}), gone AS (
       DELETE FROM collection_items i USING unnest(${ofRecords.join(', ')}) AS tested(object, id, owner_id)
       WHERE i.project_id = ${values.add(at.project.id)} AND i.product_id = tested.owner_id AND i.id = tested.id
         AND i.object = tested.object AND i.collection_id = ANY(${values.add(collections.map(({ id }) => id))}::text[])
         AND NOT EXISTS (SELECT FROM matching m
           WHERE m.collection_id = i.collection_id AND m.object = i.object AND m.id = i.id))
     INSERT INTO collection_items AS i (project_id, collection_id, object, id, product_id, created_at, updated_at)
       SELECT project_id, collection_id, object, id, owner_id, created_at, updated_at FROM matching
     ON CONFLICT (project_id, collection_id, object, id) DO UPDATE
       SET product_id = EXCLUDED.product_id, created_at = EXCLUDED.created_at, updated_at = EXCLUDED.updated_at
       WHERE (i.product_id, i.created_at, i.updated_at)
         IS DISTINCT FROM (EXCLUDED.product_id, EXCLUDED.created_at, EXCLUDED.updated_at)`,
    values.all,
  );
};
