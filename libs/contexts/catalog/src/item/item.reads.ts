import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type {
  CatalogItem,
  CatalogItemNames,
  CatalogName,
  ProductSnapshot,
  SkuSnapshot,
} from '@scrip/contracts/catalog';
import { runQuery } from '@scrip/event-store';
import type { RequestContext } from '@scrip/kernel';
import type { DataSource } from 'typeorm';

interface ItemRow {
  product: ProductSnapshot | null;
  sku: SkuSnapshot | null;
}

// A SKU is live where its product is; beside it stands the product it belongs to, which the item need not name.
const resolveSql = `
  SELECT p.state->'product' AS product, s.snapshot AS sku
  FROM unnest($2::text[], $3::text[], $4::text[], $5::text[]) WITH ORDINALITY
    AS item(product_id, product_source_id, sku_id, sku_source_id, position)
  LEFT JOIN LATERAL (
    SELECT named.product_id, named.snapshot
    FROM (
      SELECT * FROM skus WHERE project_id = $1 AND id = item.sku_id
      UNION ALL
      SELECT * FROM skus WHERE project_id = $1 AND source_id = item.sku_source_id AND item.sku_id IS NULL
    ) named
    JOIN products owner ON owner.project_id = $1 AND owner.id = named.product_id AND owner.status = 'LIVE'
    WHERE named.status = 'LIVE'
  ) s ON true
  LEFT JOIN LATERAL (
    SELECT state FROM products
    WHERE project_id = $1 AND id = coalesce(s.product_id, item.product_id) AND status = 'LIVE'
    UNION ALL
    SELECT state FROM products
    WHERE project_id = $1 AND source_id = item.product_source_id AND status = 'LIVE'
      AND coalesce(s.product_id, item.product_id) IS NULL
  ) p ON true
  ORDER BY item.position`;

const productOf = ({ id, source_id, name, price, metadata }: ProductSnapshot) => ({
  id,
  source_id,
  name,
  price,
  metadata,
});

const skuOf = ({ id, source_id, product_id, sku, price, metadata }: SkuSnapshot) => ({
  id,
  source_id,
  product_id,
  sku,
  price,
  metadata,
});

/** Finds what the items of an order name. */
@Injectable()
export class ItemReads {
  constructor(@InjectDataSource('catalog') private readonly dataSource: DataSource) {}

  /** See `CatalogPort.resolveItems`. */
  async resolve({ project }: RequestContext, items: readonly CatalogItemNames[]): Promise<CatalogItem[]> {
    if (items.length === 0) return [];
    const names = (record: keyof CatalogItemNames, name: keyof CatalogName): (string | null)[] =>
      items.map((item) => item[record]?.[name] ?? null);
    const rows = await runQuery<ItemRow>(this.dataSource, resolveSql, [
      project.id,
      names('product', 'id'),
      names('product', 'source_id'),
      names('sku', 'id'),
      names('sku', 'source_id'),
    ]);
    return rows.map(({ product, sku }) => ({
      product: product && productOf(product),
      sku: sku && skuOf(sku),
    }));
  }
}
