import type { ProductSnapshot } from '@scrip/contracts/catalog';

/** A product as callers see it. Source: reference 07 §6. */
export const renderProduct = (product: ProductSnapshot) => ({ ...product, object: 'product' as const });

/** What `renderProduct` makes. */
export type ProductResponse = ReturnType<typeof renderProduct>;
