import { Injectable } from '@nestjs/common';
import type { ProductEvent } from '@scrip/contracts/catalog';
import {
  type AggregateStore,
  type EventStore,
  InjectEventStore,
  type Loaded,
  runQuery,
} from '@scrip/event-store';
import type { BusinessClock, RequestContext } from '@scrip/kernel';
import type { CheckMetadata } from '@scrip/metadata-schemas';
import { InjectBusinessClock } from '@scrip/service';
import type { EntityManager } from 'typeorm';
import type { CatalogRefusal } from '../catalog.refusals';
import { productAggregate } from '../product/product.aggregate';
import type { ProductState } from '../product/product.decider';
import { type SetState, SkuSet, type StoredOfSet, type UpsertedSku, type UpsertSkuItem } from './sku-set';

interface LockedProduct extends Loaded<ProductState> {
  id: string;
  source_id: string | null;
}

// In the order of ids, so that sets never wait for each other in a circle.
const lockSql = `
  SELECT id, source_id, state, version::int AS version, epoch FROM products
  WHERE project_id = $1 AND id = ANY(ARRAY(
    SELECT id FROM products WHERE project_id = $1 AND id = ANY($2)
    UNION SELECT id FROM products WHERE project_id = $1 AND source_id = ANY($2)))
  ORDER BY id FOR NO KEY UPDATE`;

const storedSql = `
  SELECT s.source_id, s.status, s.snapshot AS sku, s.status = 'LIVE' AND p.status = 'LIVE' AS live
  FROM skus s JOIN products p ON p.project_id = s.project_id AND p.id = s.product_id
  WHERE s.project_id = $1 AND s.source_id = ANY($2)`;

const namesSql = `
  SELECT id, product_id, sku FROM skus
  WHERE project_id = $1 AND product_id = ANY($2) AND sku = ANY($3) AND status = 'LIVE'`;

/** Upserts SKUs by the set, for background work. */
@Injectable()
export class UpsertSkus {
  private readonly products: AggregateStore<ProductState, ProductEvent>;

  constructor(
    @InjectEventStore('catalog') eventStore: EventStore,
    @InjectBusinessClock() private readonly clock: BusinessClock,
  ) {
    this.products = eventStore.aggregate(productAggregate);
  }

  /** Upserts each by its source id, in the order of the set and in the transaction of `manager`: one query locks their
   *  products, one reads the SKUs that are there, one their names, and one statement writes all. Returns an answer for each: a
   *  refusal stops no other. Throws `UniqueViolation` where another call takes a source id meanwhile, and `NameMoves`. `check`:
   *  the project's schema of products. Source: reference 07 §6. */
  async upsertIn(
    manager: EntityManager,
    context: RequestContext,
    items: readonly UpsertSkuItem[],
    check?: CheckMetadata,
  ): Promise<(UpsertedSku | CatalogRefusal)[]> {
    const { project } = context;
    const locked = await lockedProducts(manager, project.id, items);
    const productOf = finderOf(locked);
    const set = new SkuSet({
      stored: await storedSkus(manager, project.id, items),
      names: await storedNames(manager, project.id, locked, items),
      check,
      now: this.clock.now(project).toISOString(),
    });
    const answers = items.map((item) => set.upsert(item, productOf(item.product)));
    await this.store(manager, context, locked, set);
    return answers;
  }

  private async store(
    manager: EntityManager,
    context: RequestContext,
    locked: readonly LockedProduct[],
    set: SkuSet,
  ): Promise<void> {
    const changed = locked.filter(({ id }) => set.events.has(id));
    if (changed.length === 0) return;
    // All with the first stream, in the order of source ids whatever their products: sets that create the same SKUs wait for
    // each other in one order.
    const rows = set.rows(context.project.id);
    const changes = changed.map(({ id, state, version, epoch }, index) => ({
      streamId: id,
      state,
      expectedVersion: version,
      expectedEpoch: epoch,
      events: set.events.get(id)!,
      rows: index === 0 ? rows : [],
    }));
    await this.products.commitMany(manager, context, changes);
  }
}

const lockedProducts = (
  manager: EntityManager,
  projectId: string,
  items: readonly UpsertSkuItem[],
): Promise<LockedProduct[]> =>
  runQuery<LockedProduct>(manager, lockSql, [projectId, [...new Set(items.map(({ product }) => product))]]);

/** Finds a live product by id or, where no live product has that, by source id. */
const finderOf = (locked: readonly LockedProduct[]): ((named: string) => LockedProduct | undefined) => {
  const live = locked.filter(({ state }) => state.status === 'LIVE');
  const byId = new Map(live.map((product) => [product.id, product]));
  const bySourceId = new Map(live.map((product) => [product.source_id, product]));
  return (named) => byId.get(named) ?? bySourceId.get(named);
};

const storedSkus = async (
  manager: EntityManager,
  projectId: string,
  items: readonly UpsertSkuItem[],
): Promise<ReadonlyMap<string, StoredOfSet>> => {
  const rows = await runQuery<StoredOfSet & { source_id: string }>(manager, storedSql, [
    projectId,
    items.map(({ source_id }) => source_id),
  ]);
  return new Map(rows.map(({ source_id, ...stored }) => [source_id, stored]));
};

const storedNames = (
  manager: EntityManager,
  projectId: string,
  locked: readonly LockedProduct[],
  items: readonly UpsertSkuItem[],
): Promise<SetState['names']> =>
  runQuery<SetState['names'][number]>(manager, namesSql, [
    projectId,
    locked.map(({ id }) => id),
    items.flatMap(({ fields: { sku } }) => sku ?? []),
  ]);
