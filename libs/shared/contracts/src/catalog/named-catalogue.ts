import { isFromBrowser, isRefused, type RequestContext } from '@scrip/kernel';
import { Catalogue, type LineReferences, type OrderItemInput } from '@scrip/order-calculation';
import { answersInParts } from '../answers-in-parts';
import type {
  CatalogItem,
  CatalogItemNames,
  CatalogItemOverride,
  CatalogName,
  CatalogPort,
  CatalogProduct,
  CatalogSku,
  ItemCollections,
} from './catalog.port';

/** Lines of the largest order, and bytes of lines that fit one call between services. */
const callOf = { lines: 500, bytes: 900_000 };

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

/** Ids of the collections of records, by the records' ids. */
export type RecordCollections = ReadonlyMap<string, readonly string[]>;

/** A record as calculations read it: what it does not have is absent. */
const record = <Found extends CatalogProduct | CatalogSku>(
  { source_id, metadata, ...found }: Found,
  collections: readonly string[] = [],
) => ({
  ...found,
  ...(source_id === null ? {} : { source_id }),
  ...(Object.keys(metadata).length === 0 ? {} : { metadata }),
  ...(collections.length === 0 ? {} : { collections }),
});

const productOf = (product: CatalogProduct, collections: RecordCollections) => {
  const { name, ...rest } = record(product, collections.get(product.id));
  return name === null ? rest : { ...rest, name };
};

const skuOf = (found: CatalogSku, product: CatalogProduct, collections: RecordCollections) => {
  const { product_id: _, sku, ...rest } = record(found, collections.get(found.id));
  return { ...rest, ...(sku === null ? {} : { sku }), product: productOf(product, collections) };
};

/** The records of items as a calculation looks them up, each with its collections where they are known. */
export const catalogueOf = (
  found: readonly CatalogItem[],
  collections: RecordCollections = new Map(),
): Catalogue =>
  new Catalogue({
    products: found.flatMap(({ product }) => (product ? [productOf(product, collections)] : [])),
    skus: found.flatMap(({ product, sku }) => (product && sku ? [skuOf(sku, product, collections)] : [])),
  });

const namesSomething = ({ product, sku }: CatalogItemNames): boolean => Boolean(product ?? sku);

/** What all items name. `found`: what the first ones do, where it is there already. */
const resolvedFrom = (
  catalog: CatalogPort,
  context: RequestContext,
  items: readonly CatalogItemNames[],
  found: readonly CatalogItem[] = [],
): Promise<CatalogItem[]> =>
  answersInParts(items, (part) => catalog.resolveItems(context, { items: [...part] }), found);

/** Each once: answers have the records of each item, metadata and all. */
const distinct = (items: readonly CatalogItemNames[]): CatalogItemNames[] => [
  ...new Map(items.map((names) => [JSON.stringify(names), names])).values(),
];

/** Returns the live records that the lines of an order name, in any order, by one call, or several where they are large; without one
 *  where no line names any. Source: reference 07 §5 steps 1 and 2. */
export const namedItems = (
  catalog: CatalogPort,
  context: RequestContext,
  lines: readonly LineReferences[],
): Promise<CatalogItem[]> =>
  resolvedFrom(catalog, context, distinct(lines.map(namesOf).filter(namesSomething)));

/** As `namedItems`, as a calculation looks them up. */
export const namedCatalogue = async (
  catalog: CatalogPort,
  context: RequestContext,
  lines: readonly LineReferences[],
): Promise<Catalogue> => catalogueOf(await namedItems(catalog, context, lines));

/** Collections that one call of `matchCollections` takes. */
const collectionsPerCall = 100;

/** Returns to which of these collections what each line names belongs, in the order of the lines: those of its product, and of its
 *  SKU. A line that names nothing, or something unknown, is in "All Products". By one call for 500 different lines and 100
 *  collections. Source: reference 07 §7. */
export const collectionsOfLines = async (
  catalog: CatalogPort,
  context: RequestContext,
  lines: readonly LineReferences[],
  collectionIds: readonly string[],
): Promise<ItemCollections[]> => {
  const named = lines.map(namesOf);
  const items = distinct(named);
  const calls: Promise<readonly (readonly [string, ItemCollections])[]>[] = [];
  for (let first = 0; first < items.length; first += callOf.lines) {
    const asked = items.slice(first, first + callOf.lines);
    for (let from = 0; from < collectionIds.length; from += collectionsPerCall) {
      const collection_ids = collectionIds.slice(from, from + collectionsPerCall);
      calls.push(
        catalog
          .matchCollections(context, { items: asked, collection_ids })
          .then((answers) => answers.map((answer, index) => [JSON.stringify(asked[index]), answer] as const)),
      );
    }
  }
  const found = new Map<string, ItemCollections>();
  for (const [key, { product, sku }] of (await Promise.all(calls)).flat()) {
    const before = found.get(key);
    found.set(key, {
      product: [...(before?.product ?? []), ...product],
      sku: [...(before?.sku ?? []), ...sku],
    });
  }
  return named.map((names) => found.get(JSON.stringify(names)) ?? { product: [], sku: [] });
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
  items: readonly CatalogItemOverride[],
): Promise<CatalogItem[]> => {
  const stored = await catalog.overrideItems(context, { items });
  if (isRefused(stored)) throw new Error(`the catalogue refused overrides: ${stored.refused}`);
  return resolvedFrom(catalog, context, items.map(withoutOverride), stored);
};

const withoutOverride = ({ product, sku }: CatalogItemOverride): CatalogItemNames => ({
  product: product && { id: product.id ?? null, source_id: product.source_id ?? null },
  sku: sku && { id: sku.id ?? null, source_id: sku.source_id ?? null },
});

/** The lines, cut into those of one call each. */
function* callsOf(lines: readonly OrderItemInput[]): Iterable<OrderItemInput[]> {
  let call: OrderItemInput[] = [];
  let bytes = 0;
  for (const line of lines) {
    const own = Buffer.byteLength(JSON.stringify(overrideOf(line)));
    if (call.length > 0 && (call.length === callOf.lines || bytes + own > callOf.bytes)) {
      yield call;
      [call, bytes] = [[], 0];
    }
    call.push(line);
    bytes += own;
  }
  if (call.length > 0) yield call;
}

/** What lines name, after what they say with `override` is stored. */
const foundOf = async (
  catalog: CatalogPort,
  context: RequestContext,
  named: readonly OrderItemInput[],
): Promise<CatalogItem[]> => {
  const found: CatalogItem[] = [];
  for (const lines of callsOf(named)) {
    const page = hasOverrides(lines)
      ? await storedItems(catalog, context, lines.map(overrideOf))
      : await resolvedFrom(catalog, context, lines.map(namesOf));
    found.push(...page);
  }
  return found;
};

/** As `namedItems`, for calls that store an order: what lines say with `override` is stored first. A browser stores
 *  nothing. Source: reference 07 §5 steps 1 to 3. */
export const storedItemsOf = async (
  catalog: CatalogPort,
  context: RequestContext,
  lines: readonly OrderItemInput[],
): Promise<CatalogItem[]> => {
  if (!hasOverrides(lines) || isFromBrowser(context)) return namedItems(catalog, context, lines);
  return foundOf(
    catalog,
    context,
    lines.filter((line) => namesSomething(namesOf(line))),
  );
};

/** As `storedItemsOf`, as a calculation looks them up. */
export const storedCatalogue = async (
  catalog: CatalogPort,
  context: RequestContext,
  lines: readonly OrderItemInput[],
): Promise<Catalogue> => catalogueOf(await storedItemsOf(catalog, context, lines));

/** As `storedCatalogue`, for many orders: a catalogue for each, by a call for each 500 lines, or fewer where they are large. */
export const storedCatalogues = async (
  catalog: CatalogPort,
  context: RequestContext,
  orders: readonly (readonly OrderItemInput[])[],
): Promise<Catalogue[]> => {
  const named = orders.map((lines) => lines.filter((line) => namesSomething(namesOf(line))));
  const found = await foundOf(catalog, context, named.flat());
  let next = 0;
  return named.map((lines) => catalogueOf(found.slice(next, (next += lines.length))));
};
