/** A product, SKU or collection as definitions and rules name it: by id, else by source id. */
export interface ItemReference {
  readonly object: 'product' | 'sku' | 'products_collection';
  readonly id?: string;
  readonly source_id?: string;
}
