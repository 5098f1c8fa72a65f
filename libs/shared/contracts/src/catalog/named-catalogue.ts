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

/** Lines of the largest order. */
const linesPerCall = 500;

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
  const named = lines.map(namesOf).filter(namesSomething);
  // Each once: the answer has the records of each item, metadata and all.
  const items = [...new Map(named.map((names) => [JSON.stringify(names), names])).values()];
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

const hasOverride = ({ product, sku }: OrderItemInput): boolean => !!(product?.override || sku?.override);

/** Whether lines say something that is to be stored. */
export const hasOverrides = (lines: readonly OrderItemInput[]): boolean => lines.some(hasOverride);

const storedItems = async (
  catalog: CatalogPort,
  context: RequestContext,
  lines: readonly OrderItemInput[],
): Promise<CatalogItem[]> => {
  const stored = await catalog.overrideItems(context, { items: lines.map(overrideOf) });
  if (isRefused(stored)) throw new Error(`the catalogue refused overrides: ${stored.refused}`);
  return stored;
};

/** As `namedCatalogue`, for calls that store an order: what lines say with `override` is stored first. A browser stores
 *  nothing. Source: reference 07 §5 steps 1 to 3. */
export const storedCatalogue = async (
  catalog: CatalogPort,
  context: RequestContext,
  lines: readonly OrderItemInput[],
): Promise<Catalogue> => {
  if (!hasOverrides(lines) || context.channel === 'CLIENT_API')
    return namedCatalogue(catalog, context, lines);
  const named = lines.filter((line) => namesSomething(namesOf(line)));
  return catalogueOf(named.length === 0 ? [] : await storedItems(catalog, context, named));
};

/** As `storedCatalogue`, for many orders: a catalogue for each, by a call for each 500 lines. */
export const storedCatalogues = async (
  catalog: CatalogPort,
  context: RequestContext,
  orders: readonly (readonly OrderItemInput[])[],
): Promise<Catalogue[]> => {
  const named = orders.map((lines) => lines.filter((line) => namesSomething(namesOf(line))));
  const all = named.flat();
  const found: CatalogItem[] = [];
  for (let from = 0; from < all.length; from += linesPerCall) {
    const lines = all.slice(from, from + linesPerCall);
    const page = hasOverrides(lines)
      ? await storedItems(catalog, context, lines)
      : await catalog.resolveItems(context, { items: lines.map(namesOf) });
    found.push(...page);
  }
  let next = 0;
  return named.map((lines) => catalogueOf(found.slice(next, (next += lines.length))));
};
