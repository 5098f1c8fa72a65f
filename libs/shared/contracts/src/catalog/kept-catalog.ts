import type { ProductCollectionSnapshot } from './product-collection.events';
import type { ProductSnapshot, SkuSnapshot } from './product.snapshot';

/** What rules and discounts name of a catalog. */
export interface CatalogReferences {
  products: readonly string[];
  skus: readonly string[];
  collections: readonly string[];
  /** Ids of what may be a product or a SKU. */
  units: readonly string[];
}

/** Records as they were when they were kept: SKUs with their products, static collections with what they list. */
export interface KeptCatalog {
  products: ProductSnapshot[];
  skus: SkuSnapshot[];
  collections: ProductCollectionSnapshot[];
}
