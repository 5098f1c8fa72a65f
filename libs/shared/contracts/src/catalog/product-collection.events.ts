import type { Instant, Metadata } from '../snapshot';

/** Collections of products and SKUs: one stream per collection. What belongs to one is no event. Source: reference 07 §7,
 *  ADR 91. */
export type ProductCollectionEvent =
  ProductCollectionCreated | ProductCollectionUpdated | ProductCollectionDeleted;

/** `STATIC`: a fixed list; `AUTO_UPDATE`: what matches a filter. */
export type ProductCollectionType = 'STATIC' | 'AUTO_UPDATE';

/** A product or SKU that a static collection was created with; a product brings its SKUs. */
export interface CollectedRecord {
  id: string;
  /** The product of a SKU. */
  product_id?: string;
  object: 'product' | 'sku';
}

/** A collection as events and answers carry it. */
export interface ProductCollectionSnapshot {
  /** `pc_…` */
  id: string;
  /** Unique in a project. */
  name: string;
  type: ProductCollectionType;
  /** `{junction, <field>: {conditions: {<operator>: [values]}}}`; null for a static collection. Source: reference 07 §1.5. */
  filter: Metadata | null;
  /** At most 20; null for an auto-update collection. */
  products: CollectedRecord[] | null;
  created_at: Instant;
  /** Null until the first change. */
  updated_at: Instant | null;
}

/** A collection was created. */
export interface ProductCollectionCreated {
  type: 'ProductCollectionCreated';
  data: { collection: ProductCollectionSnapshot };
}

/** A collection's name or filter changed. */
export interface ProductCollectionUpdated {
  type: 'ProductCollectionUpdated';
  data: {
    /** `pc_…` */
    collection_id: string;
    name: string;
    filter: Metadata | null;
    updated_at: Instant;
  };
}

/** A collection was deleted. */
export interface ProductCollectionDeleted {
  type: 'ProductCollectionDeleted';
  data: {
    /** `pc_…` */
    collection_id: string;
  };
}
