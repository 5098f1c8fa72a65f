import type { LineState } from './order-state';

/** The effective metadata of what a line sells: the product's, overlaid key by key by the SKU's. Undefined where neither
 *  has any. Source: reference 07 §6. */
export const itemMetadata = ({
  product,
  sku,
}: LineState['echo']): Readonly<Record<string, unknown>> | undefined =>
  product?.metadata && sku?.metadata
    ? { ...product.metadata, ...sku.metadata }
    : (sku?.metadata ?? product?.metadata);
