import type { ProductSnapshot, SkuSnapshot } from '@scrip/contracts/catalog';
import { renderSku, type SkuResponse } from '../sku/sku.wire';

/** A product as callers see it. Source: reference 07 §6. */
export const renderProduct = (product: ProductSnapshot) => ({ ...product, object: 'product' as const });

/** What `renderProduct` makes. */
export type ProductResponse = ReturnType<typeof renderProduct>;

/** A product with its SKUs. */
export interface ProductInFullResponse extends ProductResponse {
  /** The oldest 500; absent where the caller hides them. */
  skus?: {
    object: 'list';
    data_ref: 'data';
    data: SkuResponse[];
    /** All SKUs of the product, up to 10,000. */
    total: number;
  };
}

/** A product with its SKUs, as callers see it. `total`: how many SKUs there are. */
export const renderProductInFull = ({
  product,
  skus,
  total,
}: {
  product: ProductSnapshot;
  skus: readonly SkuSnapshot[];
  total: number;
}): ProductInFullResponse => ({
  ...renderProduct(product),
  skus: { object: 'list', data_ref: 'data', data: skus.map(renderSku), total },
});
