import type { ItemReference } from './item-reference';

/** What a line sells, by every name that rules and scopes may use. Unknown names are absent. */
export interface LineIdentity {
  readonly productId: string | undefined;
  readonly productSourceId: string | undefined;
  readonly skuId: string | undefined;
  readonly skuSourceId: string | undefined;
  /** Ids of the collections that hold its product or SKU. */
  readonly collections: readonly string[];
}

/** The built-in collection of every product. Source: reference 01 §6. */
export const allProductsCollection = 'pc_a11pr0dUc75';

const named = (reference: ItemReference, id: string | undefined, sourceId: string | undefined): boolean =>
  (reference.id !== undefined && reference.id === id) ||
  (reference.source_id !== undefined && reference.source_id === sourceId);

/** Whether a line sells what `reference` names: its SKU, its product (which covers all its SKUs, unless `strict`), or
 *  something of the collection; by id, also by source id. Source: reference 01 §6, reference 02 §3.2. */
export const lineMatches = (
  { productId, productSourceId, skuId, skuSourceId, collections }: LineIdentity,
  reference: ItemReference & { readonly strict?: boolean },
): boolean => {
  switch (reference.object) {
    case 'sku':
      return named(reference, skuId, skuSourceId);
    case 'product':
      if (reference.strict && (skuId ?? skuSourceId) !== undefined) return false;
      return named(reference, productId, productSourceId);
    case 'products_collection':
      return (
        reference.id === allProductsCollection ||
        (reference.id !== undefined && collections.includes(reference.id))
      );
  }
};
