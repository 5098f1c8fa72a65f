import { definePort, type RequestContext } from '@scrip/kernel';
import type { ProductSnapshot, SkuSnapshot } from './product.snapshot';

/** How an order's item names a product or a SKU: by id, else by source id. */
export interface CatalogName {
  id?: string | null;
  source_id?: string | null;
}

/** What an order's item names; either may be absent. */
export interface CatalogItemNames {
  product?: CatalogName | null;
  sku?: CatalogName | null;
}

/** What is stored of a product that an item names. `price`: minor units. */
export type CatalogProduct = Pick<ProductSnapshot, 'id' | 'source_id' | 'name' | 'price' | 'metadata'>;

/** What is stored of a SKU that an item names. `price`: minor units; `metadata`: its own, without its product's. */
export type CatalogSku = Pick<SkuSnapshot, 'id' | 'source_id' | 'product_id' | 'sku' | 'price' | 'metadata'>;

/** The live records that an item names, null where there is none. Beside a SKU stands the product it belongs to, whatever
 *  product the item names. */
export interface CatalogItem {
  product: CatalogProduct | null;
  sku: CatalogSku | null;
}

/** What other contexts may ask of the catalog. Source: architecture §7. */
export interface CatalogPort {
  /** Returns what the items of an order name, in their order, by one statement. Refuses nothing: an item whose records are
   *  unknown or deleted uses what it says itself. Source: reference 07 §5. */
  resolveItems(
    context: RequestContext,
    request: { items: readonly CatalogItemNames[] },
  ): Promise<CatalogItem[]>;
}

export const catalogPort = definePort<CatalogPort>('catalog', ['resolveItems']);
