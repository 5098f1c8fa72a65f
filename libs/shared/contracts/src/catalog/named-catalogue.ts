import { isRefused, type RequestContext } from '@scrip/kernel';
import { Catalogue, type LineReferences, type OrderItemInput } from '@scrip/order-calculation';
import type {
  CatalogItem,
  CatalogItemNames,
  CatalogItemOverride,
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

const namesSomething = ({ product, sku }: CatalogItemNames): boolean => Boolean(product ?? sku);

/** Returns the live records that the lines of an order name, by one call; without one where no line names any.
 *  Source: reference 07 §5 steps 1 and 2. */
export const namedCatalogue = async (
  catalog: CatalogPort,
  context: RequestContext,
  lines: readonly LineReferences[],
): Promise<Catalogue> => {
  const items = lines.map(namesOf).filter(namesSomething);
  return catalogueOf(items.length === 0 ? [] : await catalog.resolveItems(context, { items }));
};

const priceOf = (price: number | string | null | undefined) =>
  price === undefined || price === null ? {} : { price: Number(price) };

/** What a line says of its records with `override`. Source: reference 07 §5 step 3. */
const overrideOf = (line: OrderItemInput): CatalogItemOverride => {
  const names = namesOf(line);
  const { product, sku } = line;
  return {
    product: names.product && {
      ...names.product,
      override: product?.override ?? false,
      fields: {
        ...(product?.name !== undefined && { name: product.name }),
        ...priceOf(product?.price),
        ...(product?.metadata !== undefined && { metadata: product.metadata }),
      },
    },
    sku: names.sku && {
      ...names.sku,
      override: sku?.override ?? false,
      fields: {
        ...(sku?.sku !== undefined && { sku: sku.sku }),
        ...priceOf(sku?.price),
        ...(sku?.metadata !== undefined && { metadata: sku.metadata }),
      },
    },
  };
};

/** As `namedCatalogue`, for calls that store an order: what lines say with `override` is stored first. A browser stores
 *  nothing. Source: reference 07 §5 steps 1 to 3. */
export const storedCatalogue = async (
  catalog: CatalogPort,
  context: RequestContext,
  lines: readonly OrderItemInput[],
): Promise<Catalogue> => {
  const overrides = lines.some(({ product, sku }) => product?.override || sku?.override);
  if (!overrides || context.channel === 'CLIENT_API') return namedCatalogue(catalog, context, lines);
  const items = lines.map(overrideOf).filter(namesSomething);
  const stored = items.length === 0 ? [] : await catalog.overrideItems(context, { items });
  if (isRefused(stored)) throw new Error(`the catalogue refused overrides: ${stored.refused}`);
  return catalogueOf(stored);
};
