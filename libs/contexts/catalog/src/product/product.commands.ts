import type { CheckMetadata } from '@scrip/metadata-schemas';
import type { ProductSnapshot } from '@scrip/contracts/catalog';

/** What callers say of a product; absent fields stay as they are. */
export type ProductFields = Partial<
  Pick<ProductSnapshot, 'name' | 'price' | 'attributes' | 'metadata' | 'image_url'>
>;

/** What can be asked of a product. `now`: when it is decided, ISO; `check`: the
 *  project's schema of products. */
export type ProductCommand = UpsertProduct | UpdateProduct | DeleteProduct | PurgeProduct;

/** Creates the product of the stream, or changes it. */
export interface UpsertProduct {
  type: 'UpsertProduct';
  id: string;
  /** Of a product that is created; one that exists keeps its own. */
  source_id: string | null;
  fields: ProductFields;
  /** Whether an order's item asks, with `override`: it replaces metadata, and may give a name that another product has. */
  override: boolean;
  /** Absent: metadata are stored as sent. */
  check?: CheckMetadata;
  now: string;
}

export interface UpdateProduct {
  type: 'UpdateProduct';
  id: string;
  fields: ProductFields;
  /** Absent: metadata are stored as sent. */
  check?: CheckMetadata;
  now: string;
}

export interface DeleteProduct {
  type: 'DeleteProduct';
  id: string;
  /** False: it goes to the bin. */
  permanent: boolean;
  now: string;
}

/** Deletes a product in the bin for good. */
export interface PurgeProduct {
  type: 'PurgeProduct';
  id: string;
  now: string;
}
