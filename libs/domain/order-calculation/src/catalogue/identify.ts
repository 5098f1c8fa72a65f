import type { Catalogue, CatalogueEntry } from './catalogue';
import type { LineIdentity } from './line-identity';

/** The references of a line, sent or stored. Source: reference 01 §3. */
export interface LineReferences {
  readonly product_id?: string;
  readonly sku_id?: string;
  readonly source_id?: string;
  readonly related_object?: 'product' | 'sku';
  readonly product?: { readonly id?: string; readonly source_id?: string };
  readonly sku?: { readonly id?: string; readonly source_id?: string };
}

/** The record that a line means: by SKU id, product id, source id with its kind, else by what is embedded.
 *  Undefined: nothing stored is meant. Source: reference 01 §3. */
export const recordOf = (line: LineReferences, catalogue: Catalogue): CatalogueEntry | undefined =>
  catalogue.sku(line.sku_id) ??
  catalogue.product(line.product_id) ??
  (line.related_object === 'sku'
    ? catalogue.skuBySource(line.source_id)
    : line.related_object === 'product'
      ? catalogue.productBySource(line.source_id)
      : undefined) ??
  catalogue.sku(line.sku?.id) ??
  catalogue.skuBySource(line.sku?.source_id) ??
  catalogue.product(line.product?.id) ??
  catalogue.productBySource(line.product?.source_id);

const nowhere: readonly string[] = [];

const collectionsOf = (entry: CatalogueEntry | undefined): readonly string[] => {
  const ofProduct = entry?.product.collections ?? nowhere;
  const ofSku = entry?.sku?.collections ?? nowhere;
  return ofSku.length === 0 ? ofProduct : [...new Set([...ofProduct, ...ofSku])];
};

/** Everything that a line is known by: names of the record it means, else what the line itself says.
 *  `collections`: those of the line where the caller knows better than the record. */
export const identityOf = (
  line: LineReferences,
  entry: CatalogueEntry | undefined,
  collections?: readonly string[],
): LineIdentity => {
  const sourceIdAs = (kind: 'product' | 'sku') => (line.related_object === kind ? line.source_id : undefined);
  return {
    productId: entry?.product.id ?? line.product_id ?? line.product?.id,
    productSourceId: entry?.product.source_id ?? line.product?.source_id ?? sourceIdAs('product'),
    skuId: entry?.sku?.id ?? line.sku_id ?? line.sku?.id,
    skuSourceId: entry?.sku?.source_id ?? line.sku?.source_id ?? sourceIdAs('sku'),
    collections: collections ?? collectionsOf(entry),
  };
};
