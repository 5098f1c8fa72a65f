import type { Instant } from '../snapshot';
import type { ProductSnapshot, SkuSnapshot } from './product.snapshot';

/** Products and their SKUs: one stream per product, with the events of its SKUs. Source: reference 06 §9.2. */
export type ProductEvent =
  | ProductCreated
  | ProductUpdated
  | ProductAttributesDropped
  | ProductDeleted
  | ProductPurged
  | SkuCreated
  | SkuUpdated
  | SkuDeleted
  | SkuPurged;

/** A product was created, also once more under the id of one that was deleted permanently. */
export interface ProductCreated {
  type: 'ProductCreated';
  data: {
    product: ProductSnapshot;
    /** Whether other live products may have its name: an order's item with `override` gave it. */
    name_shared: boolean;
  };
}

/** A product's name, price, attributes, metadata or image changed. */
export interface ProductUpdated {
  type: 'ProductUpdated';
  data: {
    /** After the change. */
    product: ProductSnapshot;
    /** Whether other live products may have its name: an order's item with `override` gave it. */
    name_shared: boolean;
  };
}

/** A product ceased to declare attributes of which SKUs had values: these are gone from all of its SKUs. Follows
 *  `ProductUpdated`; the SKUs have no event of their own. */
export interface ProductAttributesDropped {
  type: 'ProductAttributesDropped';
  data: {
    product_id: string;
    /** Keys, those that no SKU had a value of among them. */
    attributes: string[];
    /** When the SKUs changed. */
    updated_at: Instant;
  };
}

/** A product was deleted, and its SKUs with it: they have no event of their own. */
export interface ProductDeleted {
  type: 'ProductDeleted';
  data: {
    /** As it was. */
    product: ProductSnapshot;
    /** False: it went to the bin, and its source id stays taken. */
    permanent: boolean;
    deleted_at: Instant;
  };
}

/** A product in the bin was deleted for good, with all of its SKUs: they have no event of their own. */
export interface ProductPurged {
  type: 'ProductPurged';
  data: {
    /** As it was. */
    product: ProductSnapshot;
    purged_at: Instant;
  };
}

/** A SKU was created in the product of the stream. */
export interface SkuCreated {
  type: 'SkuCreated';
  data: { sku: SkuSnapshot };
}

/** A SKU's name, price, currency, attributes, metadata or image changed. */
export interface SkuUpdated {
  type: 'SkuUpdated';
  data: {
    /** After the change. */
    sku: SkuSnapshot;
  };
}

/** A SKU was deleted by itself, not with its product. */
export interface SkuDeleted {
  type: 'SkuDeleted';
  data: {
    /** As it was. */
    sku: SkuSnapshot;
    /** False: it went to the bin, and its source id stays taken. */
    permanent: boolean;
    deleted_at: Instant;
  };
}

/** A SKU that had been deleted by itself was deleted for good; its product may be in the bin, too. */
export interface SkuPurged {
  type: 'SkuPurged';
  data: {
    /** As it was. */
    sku: SkuSnapshot;
    purged_at: Instant;
  };
}
