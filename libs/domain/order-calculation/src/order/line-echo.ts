import type { CatalogueEntry } from '../catalogue/catalogue';
import type { CalculatedOrderItem, OrderItemInput } from './order';
import type { LineState } from './order-state';

type Metadata = Readonly<Record<string, unknown>>;

/** Prices of a line's item, in minor units per unit; undefined: unknown. */
export interface LinePrices {
  readonly price: number | undefined;
  readonly skuPrice: number | undefined;
  readonly productPrice: number | undefined;
}

/** Request metadata over catalogue metadata, key by key. */
const mergedMetadata = (stored: Metadata | undefined, sent: Metadata | undefined): Metadata | undefined =>
  stored && sent ? { ...stored, ...sent } : (sent ?? stored);

/** A record that says that it has no price is shown without one. */
const withoutNoPrice = <T extends { price?: number | null }>(
  record: T,
): Omit<T, 'price'> & { price?: number } => {
  const { price, ...rest } = record;
  return price === null || price === undefined ? rest : { ...record, price };
};

const productEcho = (
  stored: CatalogueEntry | undefined,
  sent: OrderItemInput['product'],
  price: number | undefined,
): CalculatedOrderItem['product'] => {
  if (!stored && !sent) return undefined;
  const { collections: _, ...known } = stored ? withoutNoPrice(stored.product) : { collections: undefined };
  const { override: __, price: ___, ...request } = sent ?? {};
  const metadata = mergedMetadata(stored?.product.metadata, sent?.metadata);
  return Object.assign({ ...known, ...request }, metadata && { metadata }, price !== undefined && { price });
};

const skuEcho = (
  stored: CatalogueEntry | undefined,
  sent: OrderItemInput['sku'],
  price: number | undefined,
): CalculatedOrderItem['sku'] => {
  if (!stored?.sku && !sent) return undefined;
  const {
    collections: _,
    product: __,
    ...known
  } = stored?.sku ? withoutNoPrice(stored.sku) : { collections: undefined, product: undefined };
  const { override: ___, price: ____, ...request } = sent ?? {};
  const metadata = mergedMetadata(stored?.sku?.metadata, sent?.metadata);
  return Object.assign({ ...known, ...request }, metadata && { metadata }, price !== undefined && { price });
};

/** What every view of a line shows besides its figures. Source: reference 01 §3, §4. */
export const lineEcho = (
  item: OrderItemInput,
  stored: CatalogueEntry | undefined,
  prices: LinePrices,
): LineState['echo'] => {
  const echo: LineState['echo'] = { object: 'order_item' };
  if (item.source_id !== undefined) echo.source_id = item.source_id;
  if (item.related_object !== undefined) echo.related_object = item.related_object;
  const productId = item.product_id ?? stored?.product.id;
  if (productId !== undefined) echo.product_id = productId;
  const skuId = item.sku_id ?? stored?.sku?.id;
  if (skuId !== undefined) echo.sku_id = skuId;
  if (prices.price !== undefined) echo.price = prices.price;
  const product = productEcho(stored, item.product, prices.productPrice);
  if (product) echo.product = product;
  const sku = skuEcho(stored, item.sku, prices.skuPrice);
  if (sku) echo.sku = sku;
  if (item.metadata !== undefined) echo.metadata = item.metadata;
  return echo;
};
