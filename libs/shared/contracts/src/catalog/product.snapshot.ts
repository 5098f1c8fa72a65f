import type { Instant, Metadata } from '../snapshot';

/** A product of the catalog. Source: reference 07 §6. */
export interface ProductSnapshot {
  /** `prod_…`, or what its creator chose. */
  id: string;
  /** The caller's own id; unique in a project. */
  source_id: string | null;
  name: string | null;
  /** Minor units. */
  price: number | null;
  /** Keys that the attributes of its SKUs may have. */
  attributes: string[];
  metadata: Metadata;
  /** HTTPS. */
  image_url: string | null;
  created_at: Instant;
  /** Null until the first change. */
  updated_at: Instant | null;
}

/** A variant of a product: a stock keeping unit. Source: reference 07 §6. */
export interface SkuSnapshot {
  /** `sku_…`, or what its creator chose. */
  id: string;
  /** The caller's own id; unique in a project, whatever the product. */
  source_id: string | null;
  /** The product it belongs to. */
  product_id: string;
  /** Its name; unique in its product. */
  sku: string | null;
  /** Minor units. */
  price: number | null;
  currency: string | null;
  /** By keys that its product declares. */
  attributes: Metadata;
  /** Its own only, without those of its product. */
  metadata: Metadata;
  /** HTTPS. */
  image_url: string | null;
  created_at: Instant;
  /** Null until the first change. */
  updated_at: Instant | null;
}
