import type {
  CollectedRecord,
  ProductCollectionSnapshot,
  ProductSnapshot,
  SkuSnapshot,
} from '@scrip/contracts/catalog';
import type { Metadata } from '@scrip/contracts/snapshot';
import { type ProductResponse, renderProduct } from '../product/product.wire';
import type { SkuResponse } from '../sku/sku.wire';

/** A collection as callers see it. Source: reference 07 §7. */
export interface ProductCollectionResponse {
  id: string;
  name: string;
  type: ProductCollectionSnapshot['type'];
  /** Of an auto-update collection. */
  filter?: Metadata;
  /** Of a static collection: what it was created with. */
  products?: CollectedRecord[];
  created_at: string;
  /** Comes with the first change. */
  updated_at?: string;
  object: 'products_collection';
}

/** What callers see of a collection. */
export const renderCollection = ({
  id,
  name,
  type,
  filter,
  products,
  created_at,
  updated_at,
}: ProductCollectionSnapshot): ProductCollectionResponse => ({
  id,
  name,
  type,
  ...(filter && { filter }),
  ...(products && { products }),
  created_at,
  ...(updated_at !== null && { updated_at }),
  object: 'products_collection',
});

/** A SKU of a collection: its metadata are its product's overlaid by its own. */
export interface CollectedSkuResponse extends SkuResponse {
  product: Pick<
    ProductResponse,
    'id' | 'source_id' | 'name' | 'price' | 'attributes' | 'metadata' | 'object'
  >;
}

/** A product or SKU of a collection. */
export type CollectionItemResponse = ProductResponse | CollectedSkuResponse;

/** A record of a collection, a SKU with its product. */
export interface CollectedItem {
  product: ProductSnapshot;
  /** Null: the product itself belongs to the collection. */
  sku: SkuSnapshot | null;
}

/** What callers see of a record of a collection. Source: reference 07 §7. */
export const renderItem = ({ product, sku }: CollectedItem): CollectionItemResponse => {
  if (!sku) return renderProduct(product);
  const { id, source_id, name, price, attributes, metadata } = product;
  return {
    ...sku,
    metadata: { ...metadata, ...sku.metadata },
    object: 'sku',
    product: { id, source_id, name, price, attributes, metadata, object: 'product' },
  };
};
