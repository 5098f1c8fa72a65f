import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { ProductCollectionSnapshot } from '@scrip/contracts/catalog';
import { runQuery } from '@scrip/event-store';
import type { RequestContext } from '@scrip/kernel';
import { InternalContexts, type KeptSets } from '@scrip/tasks';
import type { DataSource, EntityManager } from 'typeorm';
import { membersChangeWithTheDay } from './collection-filter';
import { keepItems, type TestedRecord } from './collection-matching';
import { type FilterContextNow, FilterContexts } from '@scrip/metadata';
import type { CollectionState } from './collection.decider';

/** Records of one transaction: their products are held for some tens of milliseconds. */
const chunk = 2_000;

/** A place in the order of the SKUs of products. */
interface SkuPlace {
  product_id: string;
  created_at: string;
  id: string;
}

const beforeAll: SkuPlace = { product_id: '', created_at: '-infinity', id: '' };

/** Keeps which products and SKUs belong to collections. What is tested is read behind the locks of the collections and of the
 *  products, so no older test comes after a newer one. Locks are taken in this order: collections, products, each by id.
 *  Source: reference 07 §7, ADR 91. */
@Injectable()
export class CollectionItems implements KeptSets<CollectionState> {
  constructor(
    @InjectDataSource('catalog') private readonly dataSource: DataSource,
    private readonly filterContexts: FilterContexts,
    private readonly contexts: InternalContexts,
  ) {}

  /** Whether a project has collections to keep. */
  async areKept(projectId: string): Promise<boolean> {
    const rows = await runQuery(
      this.dataSource,
      'SELECT FROM product_collections WHERE project_id = $1 AND NOT deleted LIMIT 1',
      [projectId],
    );
    return rows.length > 0;
  }

  /** The collections of a project that have a filter. */
  async filtered(projectId: string): Promise<ProductCollectionSnapshot[]> {
    const rows = await runQuery<{ state: CollectionState }>(
      this.dataSource,
      `SELECT state FROM product_collections WHERE project_id = $1 AND NOT deleted AND type = 'AUTO_UPDATE'`,
      [projectId],
    );
    return rows.map(({ state }) => state.collection);
  }

  /** Tests records against all collections of the project, or one of them. */
  async test(
    context: RequestContext,
    records: readonly TestedRecord[],
    collectionId?: string,
  ): Promise<void> {
    const at = await this.filterContexts.now(context, 'product');
    for (let from = 0; from < records.length; from += chunk) {
      const next = records.slice(from, from + chunk);
      await this.dataSource.transaction(async (manager) => {
        const collections = await liveCollections(manager, context.project.id, collectionId);
        await this.keep(manager, at, collections, next);
      });
      await this.testAgain(at, next, collectionId);
    }
  }

  /** Tests all SKUs of products: what their product's metadata add to theirs may have changed. */
  async testSkusOf(context: RequestContext, productIds: readonly string[]): Promise<void> {
    for (let place: SkuPlace | undefined = beforeAll; place;) {
      const rows: SkuPlace[] = await runQuery<SkuPlace>(
        this.dataSource,
        `SELECT product_id, created_at::text AS created_at, id FROM skus
         WHERE project_id = $1 AND product_id = ANY($2) AND status = 'LIVE'
           AND (product_id, created_at, id) > ($3, $4::timestamptz, $5)
         ORDER BY product_id, created_at, id LIMIT ${chunk}`,
        [context.project.id, productIds, place.product_id, place.created_at, place.id],
      );
      await this.test(
        context,
        rows.map(({ id, product_id }) => ({ object: 'sku', id, owner_id: product_id })),
      );
      place = rows.length < chunk ? undefined : rows.at(-1);
    }
  }

  /** Removes what is kept of products that were deleted, and of their SKUs. */
  async removeOf(projectId: string, productIds: readonly string[]): Promise<void> {
    await this.remove('product_id = ANY($2)', [projectId, productIds]);
  }

  /** Removes what is kept of a collection that was deleted. */
  async removeAll(projectId: string, collectionId: string): Promise<void> {
    await this.remove('collection_id = $2', [projectId, collectionId]);
    await runQuery(
      this.dataSource,
      'DELETE FROM collection_walks WHERE project_id = $1 AND collection_id = $2',
      [projectId, collectionId],
    );
  }

  /** Begins to test all records against a collection once more. */
  async beginWalk(projectId: string, collectionId: string): Promise<void> {
    await runQuery(
      this.dataSource,
      `INSERT INTO collection_walks (project_id, collection_id, object, after) VALUES ($1, $2, 'product', '')
       ON CONFLICT (project_id, collection_id) DO UPDATE SET object = EXCLUDED.object, after = EXCLUDED.after`,
      [projectId, collectionId],
    );
  }

  async review(context: RequestContext, collectionId: string, abortSignal: AbortSignal): Promise<void> {
    await this.beginWalk(context.project.id, collectionId);
    while (await this.walk(context, collectionId)) abortSignal.throwIfAborted();
  }

  async changesWithTheDay(context: RequestContext, { collection }: CollectionState): Promise<boolean> {
    return membersChangeWithTheDay(collection, (await this.filterContexts.now(context, 'product')).typeOf);
  }

  /** Tests the next records against a collection, and stores how far that went in the same transaction. Answers whether there
   *  may be more. */
  async walk(context: RequestContext, collectionId: string): Promise<boolean> {
    const at = await this.filterContexts.now(context, 'product');
    const { records, more } = await this.step(at, collectionId);
    await this.testAgain(at, records, collectionId);
    return more;
  }

  /** Tests records once more where filters mean something else by now than when they were tested: the retest of all records may have
   *  come before what was stored. */
  private async testAgain(
    at: FilterContextNow,
    records: readonly TestedRecord[],
    collectionId?: string,
  ): Promise<void> {
    const now = records.length > 0 ? await this.contexts.of(at.project.id) : undefined;
    if (now && !this.filterContexts.isOfNow(at, now.project)) await this.test(now, records, collectionId);
  }

  private async step(
    at: FilterContextNow,
    collectionId: string,
  ): Promise<{ records: readonly TestedRecord[]; more: boolean }> {
    const projectId = at.project.id;
    const key = [projectId, collectionId];
    return this.dataSource.transaction(async (manager) => {
      const [collection] = await liveCollections(manager, projectId, collectionId);
      const [place] = await runQuery<{ object: TestedRecord['object']; after: string }>(
        manager,
        'SELECT object, after FROM collection_walks WHERE project_id = $1 AND collection_id = $2 FOR UPDATE',
        key,
      );
      if (!place) return { records: [], more: false };
      if (!collection) {
        await endWalk(manager, key);
        return { records: [], more: false };
      }
      const records = await nextRecords(manager, projectId, collection, place);
      await this.keep(manager, at, [collection], records);
      const after = records.length < chunk ? null : records.at(-1)!.id;
      if (after === null && place.object === 'sku') {
        await endWalk(manager, key);
        return { records, more: false };
      }
      await runQuery(
        manager,
        'UPDATE collection_walks SET object = $3, after = $4 WHERE project_id = $1 AND collection_id = $2',
        [...key, after === null ? 'sku' : place.object, after ?? ''],
      );
      return { records, more: true };
    });
  }

  private async keep(
    manager: EntityManager,
    at: FilterContextNow,
    collections: readonly ProductCollectionSnapshot[],
    records: readonly TestedRecord[],
  ): Promise<void> {
    if (collections.length === 0 || records.length === 0) return;
    // A change of a product, or of one of its SKUs, waits for this lock, and is tested after it.
    await runQuery(
      manager,
      'SELECT FROM products WHERE project_id = $1 AND id = ANY($2) ORDER BY id FOR NO KEY UPDATE',
      [at.project.id, [...new Set(records.map(({ owner_id }) => owner_id))]],
    );
    await keepItems(manager, { ...at, collections, records });
  }

  // Rows of one statement: a long one would keep readers of the log waiting.
  private async remove(condition: string, values: unknown[]): Promise<void> {
    for (;;) {
      const [, removed] = await this.dataSource.query<[unknown, number]>(
        `DELETE FROM collection_items WHERE ctid = ANY(ARRAY(
           SELECT ctid FROM collection_items WHERE project_id = $1 AND ${condition} LIMIT ${chunk}))`,
        values,
      );
      if (removed < chunk) return;
    }
  }
}

const endWalk = async (manager: EntityManager, key: readonly string[]): Promise<void> => {
  await runQuery(manager, 'DELETE FROM collection_walks WHERE project_id = $1 AND collection_id = $2', [
    ...key,
  ]);
};

/** The collections of a project, or one of them. Their filters stay until the transaction ends. */
const liveCollections = async (
  manager: EntityManager,
  projectId: string,
  id?: string,
): Promise<ProductCollectionSnapshot[]> => {
  const one = id === undefined ? '' : 'AND id = $2';
  const rows = await runQuery<{ state: CollectionState }>(
    manager,
    `SELECT state FROM product_collections WHERE project_id = $1 AND NOT deleted ${one} ORDER BY id FOR SHARE`,
    id === undefined ? [projectId] : [projectId, id],
  );
  return rows.map(({ state }) => state.collection);
};

/** The records behind a place, in the order of their ids: of a static collection, those that it can have. */
const nextRecords = async (
  manager: EntityManager,
  projectId: string,
  { products }: ProductCollectionSnapshot,
  { object, after }: { object: TestedRecord['object']; after: string },
): Promise<TestedRecord[]> => {
  const named = (kind: TestedRecord['object']): string[] =>
    (products ?? []).filter((record) => record.object === kind).map(({ id }) => id);
  const values: unknown[] = [projectId, after];
  if (products) values.push(named('product'));
  if (object === 'product') {
    const ids = products ? 'AND id = ANY($3)' : '';
    return runQuery(
      manager,
      `SELECT 'product' AS object, id, id AS owner_id FROM products
       WHERE project_id = $1 AND id > $2 ${ids} ORDER BY id LIMIT ${chunk}`,
      values,
    );
  }
  if (products) values.push(named('sku'));
  const source = products
    ? `(SELECT * FROM skus WHERE project_id = $1 AND product_id = ANY($3) AND status = 'LIVE'
        UNION SELECT * FROM skus WHERE project_id = $1 AND id = ANY($4) AND status = 'LIVE')`
    : `skus`;
  return runQuery(
    manager,
    `SELECT 'sku' AS object, id, product_id AS owner_id FROM ${source} s
     WHERE project_id = $1 AND id > $2 ORDER BY id LIMIT ${chunk}`,
    values,
  );
};
