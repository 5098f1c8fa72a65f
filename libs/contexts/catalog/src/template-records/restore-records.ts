import { isDeepStrictEqual } from 'node:util';
import { Injectable } from '@nestjs/common';
import type {
  KeptCatalog,
  ProductCollectionSnapshot,
  ProductSnapshot,
  RestoreRefusalKey,
  SkuSnapshot,
} from '@scrip/contracts/catalog';
import type {
  CreatedResource,
  Metadata,
  RenamedResource,
  RestoredResources,
} from '@scrip/contracts/snapshot';
import { findKept, isRefused, type Refusal, refuse, type RequestContext } from '@scrip/kernel';
import { filtersOf, locationOperators, mappedFilter } from '@scrip/list-query';
import { FilterContexts } from '@scrip/metadata';
import type { CatalogRefusal } from '../catalog.refusals';
import { CollectionHandlers } from '../collection/collection.handlers';
import { newCollection } from '../collection/new-collection';
import { ProductHandlers } from '../product/product.handlers';
import { ProductReads } from '../product/product.reads';
import { SkuHandlers } from '../sku/sku.handlers';
import { SkuReads } from '../sku/sku.reads';
import { KeptRecordsReads } from './kept-records.reads';

/** A kept record, and the id that it has in the project; null: it is missing. */
interface Placed<Record> {
  record: Record;
  id: string | null;
}

/** Fields of collections' filters that hold ids of products or SKUs. */
const fieldsOfIds: ReadonlySet<string> = new Set(['id', 'product_id']);
const ofLocations: ReadonlySet<string> = new Set(locationOperators);

const inTheBin = (resourceType: 'product' | 'sku', id: string): Refusal<'resource_in_use'> =>
  refuse('resource_in_use', `Resource ${resourceType} with id ${id} is in the trash bin`, {
    resourceId: id,
    resourceType,
  });

/** What a restoration found and created so far. */
class Restored implements RestoredResources {
  readonly renamed: RenamedResource[] = [];
  readonly created: CreatedResource[] = [];

  constructor(private readonly elsewhere: readonly RenamedResource[]) {}

  found(object: RenamedResource['object'], from: string, to: string): void {
    if (from !== to) this.renamed.push({ object, from, to });
  }

  made(object: CreatedResource['object'], from: string, to: string): void {
    this.created.push({ object, id: to });
    this.found(object, from, to);
  }

  idOf(object: RenamedResource['object'], id: string): string {
    const all = [...this.renamed, ...this.elsewhere];
    return all.find((one) => one.object === object && one.from === id)?.to ?? id;
  }

  filter(kept: Metadata): Metadata {
    return mappedFilter(kept, (value, { field, operator }) => {
      if (typeof value !== 'string') return value;
      if (ofLocations.has(operator)) return this.idOf('location', value);
      return fieldsOfIds.has(field) ? this.idOf('sku', this.idOf('product', value)) : value;
    });
  }
}

/** Finds records that a template keeps in a project, and creates those that are missing. Source: reference 04 §12. */
@Injectable()
export class RestoreRecords {
  constructor(
    private readonly productReads: ProductReads,
    private readonly products: ProductHandlers,
    private readonly skuReads: SkuReads,
    private readonly skus: SkuHandlers,
    private readonly kept: KeptRecordsReads,
    private readonly collections: CollectionHandlers,
    private readonly filterContexts: FilterContexts,
  ) {}

  /** See `CatalogPort.restoreRecords`. */
  async restore(
    context: RequestContext,
    request: { kept: KeptCatalog; renamed: readonly RenamedResource[]; template_id: string },
  ): Promise<RestoredResources | Refusal<RestoreRefusalKey>> {
    const restored = new Restored(request.renamed);
    const refusal = await this.restoreAll(context, request, restored);
    if (!refusal) return { renamed: restored.renamed, created: restored.created };
    // A product that is there already may declare other attributes than its SKU had.
    const { refused } = refusal;
    return refused === 'invalid_sku' || refused === 'resource_protected' || refused === 'invalid_query_params'
      ? { ...refusal, refused: 'invalid_payload' }
      : { ...refusal, refused };
  }

  private async restoreAll(
    context: RequestContext,
    { kept, template_id }: { kept: KeptCatalog; template_id: string },
    restored: Restored,
  ): Promise<CatalogRefusal | null> {
    const products = await this.placedProducts(context, kept.products);
    if (isRefused(products)) return products;
    const skus = await this.placedSkus(context, kept.skus);
    if (isRefused(skus)) return skus;
    const refusal =
      (await this.createProducts(context, products, restored)) ??
      (await this.createSkus(context, skus, restored));
    if (refusal) return refusal;
    for (const collection of kept.collections) {
      const refused = await this.collection(context, template_id, collection, restored);
      if (refused) return refused;
    }
    return null;
  }

  /** Refuses `resource_in_use` for a product in the bin. */
  private async placedProducts(
    context: RequestContext,
    records: readonly ProductSnapshot[],
  ): Promise<Placed<ProductSnapshot>[] | CatalogRefusal> {
    const [byId, bySourceId] = await Promise.all([
      this.productReads.findSought(
        context,
        records.map(({ id }) => ({ id, source_id: null, name: null })),
      ),
      this.productReads.findSought(
        context,
        records.map(({ source_id }) => ({ id: null, source_id, name: null })),
      ),
    ]);
    const placed: Placed<ProductSnapshot>[] = [];
    for (const [place, record] of records.entries()) {
      const found = [byId[place], bySourceId[place]].flatMap((one) =>
        one?.stored && one.stored.state.status !== 'ERASED' ? [one.stored] : [],
      );
      const live = found.find(({ state }) => state.status === 'LIVE');
      if (!live && found[0]) return inTheBin('product', found[0].id);
      placed.push({ record, id: live?.id ?? null });
    }
    return placed;
  }

  /** Refuses `resource_in_use` for a SKU that is, or whose product is, in the bin. */
  private async placedSkus(
    context: RequestContext,
    records: readonly SkuSnapshot[],
  ): Promise<Placed<SkuSnapshot>[] | CatalogRefusal> {
    const [byId, bySourceId] = await Promise.all([
      this.skuReads.findSought(
        context,
        records.map(({ id }) => ({ id, source_id: null })),
      ),
      this.skuReads.findSought(
        context,
        records.map(({ source_id }) => ({ id: null, source_id })),
      ),
    ]);
    const placed: Placed<SkuSnapshot>[] = [];
    for (const [place, record] of records.entries()) {
      const found = [byId[place], bySourceId[place]].flatMap((one) => one ?? []);
      const live = found.find((one) => one.live);
      if (!live && found[0]) return inTheBin('sku', found[0].id);
      placed.push({ record, id: live?.id ?? null });
    }
    return placed;
  }

  private async createProducts(
    context: RequestContext,
    placed: readonly Placed<ProductSnapshot>[],
    restored: Restored,
  ): Promise<CatalogRefusal | null> {
    for (const { record, id } of placed) if (id !== null) restored.found('product', record.id, id);
    const missing = placed.flatMap(({ record, id }) => (id === null ? [record] : []));
    // Live products may have the name meanwhile, as those may that orders gave.
    const answers = await this.products.upsertMany(
      context,
      missing.map(({ id, source_id, created_at: _, updated_at: __, ...fields }) => ({
        ...{ id, source_id, new_id: id, fields, override: true },
      })),
    );
    for (const [place, answer] of answers.entries()) {
      if (isRefused(answer)) return answer;
      restored.made('product', missing[place]!.id, answer.id);
    }
    return null;
  }

  private async createSkus(
    context: RequestContext,
    placed: readonly Placed<SkuSnapshot>[],
    restored: Restored,
  ): Promise<CatalogRefusal | null> {
    for (const { record, id } of placed) if (id !== null) restored.found('sku', record.id, id);
    const missing = placed.flatMap(({ record, id }) => (id === null ? [record] : []));
    const answers = await this.skus.upsertMany(
      context,
      missing.map(({ id, source_id, product_id, created_at: _, updated_at: __, ...fields }) => ({
        ...{ id, source_id, new_id: id, fields, override: true },
        product_id: restored.idOf('product', product_id),
      })),
    );
    for (const [place, answer] of answers.entries()) {
      if (isRefused(answer)) return answer;
      restored.made('sku', missing[place]!.id, answer.id);
    }
    return null;
  }

  private async collection(
    context: RequestContext,
    template_id: string,
    kept: ProductCollectionSnapshot,
    restored: Restored,
  ): Promise<CatalogRefusal | null> {
    const { id, name, type } = kept;
    const products =
      kept.products?.map(({ product_id, ...record }) => ({
        ...{ ...record, id: restored.idOf(record.object, record.id) },
        ...(product_id === undefined ? {} : { product_id: restored.idOf('product', product_id) }),
      })) ?? null;
    const filter = kept.filter && restored.filter(kept.filter);
    const found = await findKept<ProductCollectionSnapshot, 'pc_'>(
      { id, prefix: 'pc_', owner: template_id },
      (ids) => this.kept.standing(context.project.id, ids),
      (one) => isDeepStrictEqual([one.type, one.filter, one.products], [type, filter, products]),
    );
    if ('id' in found) {
      restored.found('products_collection', id, found.id);
      return null;
    }
    const at = await this.filterContexts.now(context, 'product');
    const wanted = newCollection({ name, type, products, filter: filter && filtersOf(filter) }, at);
    if (isRefused(wanted)) return wanted;
    const named = await this.collections.create(context, found.created, wanted);
    const taken = isRefused(named) && named.refused === 'duplicate_found';
    const created = taken
      ? await this.collections.create(context, found.created, {
          ...wanted,
          name: `${name} (${found.created})`,
        })
      : named;
    if (isRefused(created)) return created;
    restored.made('products_collection', id, created.id);
    return null;
  }
}
