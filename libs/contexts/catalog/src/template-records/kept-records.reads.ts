import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type {
  CatalogReferences,
  KeptCatalog,
  ProductCollectionSnapshot,
  ProductSnapshot,
  SkuSnapshot,
} from '@scrip/contracts/catalog';
import { keptBytesMax } from '@scrip/contracts/snapshot';
import { runQuery } from '@scrip/event-store';
import { type Refusal, refuse, type RequestContext, type Standing } from '@scrip/kernel';
import type { DataSource } from 'typeorm';
import { allProducts } from '../collection/all-products';
import type { CollectionState } from '../collection/collection.decider';
import { CollectionReads } from '../collection/collection.reads';

const productsSql = `
  SELECT state->'product' AS record FROM products
  WHERE project_id = $1 AND id = ANY($2) AND status = 'LIVE' ORDER BY id`;

const skusSql = `
  SELECT s.snapshot AS record FROM skus s
  JOIN products p ON p.project_id = s.project_id AND p.id = s.product_id AND p.status = 'LIVE'
  WHERE s.project_id = $1 AND s.id = ANY($2) AND s.status = 'LIVE' ORDER BY s.id`;

const listedIn = (collections: readonly ProductCollectionSnapshot[], object: 'product' | 'sku'): string[] =>
  collections.flatMap(({ products }) =>
    (products ?? []).flatMap((listed) => (listed.object === object ? [listed.id] : [])),
  );

/** Reads records for templates, which keep them. Source: reference 04 §12. */
@Injectable()
export class KeptRecordsReads {
  constructor(
    @InjectDataSource('catalog') private readonly dataSource: DataSource,
    private readonly collections: CollectionReads,
  ) {}

  /** See `CatalogPort.keepRecords`. */
  async keep(
    { project }: RequestContext,
    references: CatalogReferences,
  ): Promise<KeptCatalog | Refusal<'invalid_payload'>> {
    const named = references.collections.filter((id) => id !== allProducts.id);
    const collections = await this.collections.named(project.id, [...new Set(named)]);
    const { units } = references;
    const skus = await this.records<SkuSnapshot>(skusSql, project.id, [
      ...references.skus,
      ...units,
      ...listedIn(collections, 'sku'),
    ]);
    const products = await this.records<ProductSnapshot>(productsSql, project.id, [
      ...references.products,
      ...units,
      ...listedIn(collections, 'product'),
      ...skus.map(({ product_id }) => product_id),
    ]);
    const kept = { products, skus, collections };
    return Buffer.byteLength(JSON.stringify(kept)) <= keptBytesMax
      ? kept
      : refuse(
          'invalid_payload',
          `A template keeps at most ${keptBytesMax} bytes of products and collections`,
        );
  }

  /** What stands under ids of collections. */
  async standing(
    projectId: string,
    ids: readonly string[],
  ): Promise<ReadonlyMap<string, Standing<ProductCollectionSnapshot>>> {
    const rows = await runQuery<{ id: string; state: CollectionState }>(
      this.dataSource,
      'SELECT id, state FROM product_collections WHERE project_id = $1 AND id = ANY($2)',
      [projectId, ids],
    );
    return new Map(
      rows.map(({ id, state }) => [id, { record: state.collection, deleted: state.deleted }] as const),
    );
  }

  private async records<Record>(sql: string, projectId: string, ids: readonly string[]): Promise<Record[]> {
    if (ids.length === 0) return [];
    const rows = await runQuery<{ record: Record }>(this.dataSource, sql, [projectId, [...new Set(ids)]]);
    return rows.map(({ record }) => record);
  }
}
