import type { RequestContext } from '@scrip/kernel';
import { Catalogue, type LineReferences } from '@scrip/order-calculation';
import type {
  CatalogItem,
  CatalogItemNames,
  CatalogName,
  CatalogPort,
  CatalogProduct,
  CatalogSku,
} from './catalog.port';

const nameOf = (name: CatalogName): CatalogName | null => (name.id || name.source_id ? name : null);

/** What a line of an order names. Source: reference 07 §5 step 1. */
const namesOf = (line: LineReferences): CatalogItemNames => {
  const sourceIdAs = (kind: 'product' | 'sku') => (line.related_object === kind ? line.source_id : undefined);
  return {
    sku: nameOf({
      id: line.sku_id ?? line.sku?.id ?? null,
      source_id: sourceIdAs('sku') ?? line.sku?.source_id ?? null,
    }),
    product: nameOf({
      id: line.product_id ?? line.product?.id ?? null,
      source_id: sourceIdAs('product') ?? line.product?.source_id ?? null,
    }),
  };
};

/** A record as calculations read it: what it does not have is absent. */
const record = <Found extends CatalogProduct | CatalogSku>({ source_id, metadata, ...found }: Found) => ({
  ...found,
  ...(source_id === null ? {} : { source_id }),
  ...(Object.keys(metadata).length === 0 ? {} : { metadata }),
});

const productOf = (product: CatalogProduct) => {
  const { name, ...rest } = record(product);
  return name === null ? rest : { ...rest, name };
};

const skuOf = (found: CatalogSku, product: CatalogProduct) => {
  const { product_id: _, sku, ...rest } = record(found);
  return { ...rest, ...(sku === null ? {} : { sku }), product: productOf(product) };
};

const catalogueOf = (found: readonly CatalogItem[]): Catalogue =>
  new Catalogue({
    products: found.flatMap(({ product }) => (product ? [productOf(product)] : [])),
    skus: found.flatMap(({ product, sku }) => (product && sku ? [skuOf(sku, product)] : [])),
  });

/** Returns the live records that the lines of an order name, by one call; without one where no line names any.
 *  Source: reference 07 §5 steps 1 and 2. */
export const namedCatalogue = async (
  catalog: CatalogPort,
  context: RequestContext,
  lines: readonly LineReferences[],
): Promise<Catalogue> => {
  const items = lines.map(namesOf).filter(({ product, sku }) => product !== null || sku !== null);
  return catalogueOf(items.length === 0 ? [] : await catalog.resolveItems(context, { items }));
};
