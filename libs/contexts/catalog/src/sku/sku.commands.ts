import type { CheckMetadata } from '@scrip/metadata-schemas';
import type { SkuSnapshot } from '@scrip/contracts/catalog';

/** What callers say of a SKU; absent fields stay as they are. */
export type SkuFields = Partial<
  Pick<SkuSnapshot, 'sku' | 'price' | 'currency' | 'attributes' | 'metadata' | 'image_url'>
>;

/** What can be asked of a SKU of the product `product_id`. `now`: when it is decided, ISO; `check`:
 *  the project's schema of products, which SKUs use too. */
export type SkuCommand = UpsertSku | UpdateSku | DeleteSku | PurgeSku;

/** Creates the SKU `id`, or changes it. */
export interface UpsertSku {
  type: 'UpsertSku';
  product_id: string;
  id: string;
  /** Of a SKU that is created; one that exists keeps its own. */
  source_id: string | null;
  fields: SkuFields;
  /** Whether an order's item asks, with `override`: it replaces metadata. */
  override: boolean;
  /** Absent: metadata are stored as sent. */
  check?: CheckMetadata;
  now: string;
}

export interface UpdateSku {
  type: 'UpdateSku';
  product_id: string;
  id: string;
  fields: SkuFields;
  /** Absent: metadata are stored as sent. */
  check?: CheckMetadata;
  now: string;
}

export interface DeleteSku {
  type: 'DeleteSku';
  product_id: string;
  id: string;
  /** False: it goes to the bin. */
  permanent: boolean;
  now: string;
}

/** Deletes a SKU in the bin for good, whatever became of its product. */
export interface PurgeSku {
  type: 'PurgeSku';
  product_id: string;
  id: string;
  now: string;
}
