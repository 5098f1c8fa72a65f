import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type {
  CatalogItem,
  CatalogItemNames,
  CatalogName,
  ProductSnapshot,
  SkuSnapshot,
} from '@scrip/contracts/catalog';
import { shipping } from '../product/shipping';
import { lookUp } from '@scrip/event-store';
import type { RequestContext } from '@scrip/kernel';
import { batchLoader } from '@scrip/rpc';
import type { DataSource } from 'typeorm';

type RecordRow = { product: ProductSnapshot; sku: null } | { product: null; sku: SkuSnapshot };

// Arrays, and no join: the plan stays a few index scans also where the tables have no statistics yet.
const recordsSql = `
  WITH named AS MATERIALIZED (
    SELECT product_id, snapshot FROM skus WHERE project_id = $1 AND id = ANY($4) AND status = 'LIVE'
    UNION ALL
    SELECT product_id, snapshot FROM skus WHERE project_id = $1 AND source_id = ANY($5) AND status = 'LIVE'
  )
  SELECT NULL::jsonb AS product, snapshot AS sku FROM named
  UNION ALL
  SELECT state->'product', NULL FROM products
  WHERE project_id = $1 AND id = ANY($2 || ARRAY(SELECT product_id FROM named)) AND status = 'LIVE'
  UNION ALL
  SELECT state->'product', NULL FROM products
  WHERE project_id = $1 AND source_id = ANY($3) AND status = 'LIVE'`;

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

/** Records by both of their ids. */
class Records<Snapshot extends { id: string; source_id: string | null }> {
  private readonly byId: ReadonlyMap<string, Snapshot>;
  private readonly bySourceId: ReadonlyMap<string | null, Snapshot>;

  constructor(records: readonly Snapshot[]) {
    this.byId = new Map(records.map((record) => [record.id, record]));
    this.bySourceId = new Map(records.map((record) => [record.source_id, record]));
  }

  named(name: CatalogName | null | undefined): Snapshot | null {
    if (name?.id) return this.byId.get(name.id) ?? null;
    return (name?.source_id && this.bySourceId.get(name.source_id)) || null;
  }
}

/** The items of an order. */
interface Asked {
  projectId: string;
  items: readonly CatalogItemNames[];
}

/** Orders that one statement looks up the items of. */
const ordersMax = 32;

/** Finds what the items of an order name. */
@Injectable()
export class ItemReads {
  private readonly resolveOne = batchLoader((asked: readonly Asked[]) => this.resolveBatch(asked), {
    maxBatch: ordersMax,
    groupOf: ({ projectId }) => projectId,
  });

  constructor(@InjectDataSource('catalog') private readonly dataSource: DataSource) {}

  /** See `CatalogPort.resolveItems`. */
  async resolve({ project }: RequestContext, items: readonly CatalogItemNames[]): Promise<CatalogItem[]> {
    return items.length === 0 ? [] : this.resolveOne({ projectId: project.id, items });
  }

  /** What is asked in the same turn of the event loop, of one project, in one statement. */
  private async resolveBatch(asked: readonly Asked[]): Promise<CatalogItem[][]> {
    const items = asked.flatMap((one) => one.items);
    const names = (record: keyof CatalogItemNames, name: keyof CatalogName): string[] => [
      ...new Set(items.flatMap((item) => item[record]?.[name] ?? [])),
    ];
    const rows = await lookUp<RecordRow>(this.dataSource, recordsSql, [
      asked[0]!.projectId,
      names('product', 'id'),
      names('product', 'source_id'),
      names('sku', 'id'),
      names('sku', 'source_id'),
    ]);
    // Last, so that nothing of before it had an id of its own takes its place.
    const products = new Records([...rows.flatMap(({ product }) => product ?? []), shipping]);
    const skus = new Records(rows.flatMap(({ sku }) => sku ?? []));
    const itemOf = (item: CatalogItemNames): CatalogItem => {
      const found = skus.named(item.sku);
      const owner = found && products.named({ id: found.product_id });
      // A SKU is live where its product is; beside it stands the product it belongs to, which the item need not name.
      const sku = owner ? found : null;
      const product = sku ? owner : products.named(item.product);
      return { product: product && productOf(product), sku: sku && skuOf(sku) };
    };
    return asked.map((one) => one.items.map(itemOf));
  }
}
