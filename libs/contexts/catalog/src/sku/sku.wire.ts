import type { SkuSnapshot } from '@scrip/contracts/catalog';

/** A SKU as callers see it. Source: reference 07 §6. */
export const renderSku = (sku: SkuSnapshot) => ({ ...sku, object: 'sku' as const });

/** What `renderSku` makes. */
export type SkuResponse = ReturnType<typeof renderSku>;
