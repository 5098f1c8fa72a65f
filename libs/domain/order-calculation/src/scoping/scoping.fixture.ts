import { isRefused } from '@scrip/kernel';
import { Catalogue } from '../catalogue/catalogue';
import { normaliseOrder } from '../order/normalise-order';
import type { OrderInput } from '../order/order';
import type { OrderState } from '../order/order-state';
import type { Redeemable } from '../redeemable';
import { type CoverOptions, cover } from './cover';
import type { Coverage } from './coverage';
import { type ItemScope, type ScopedItem, wholeOrder } from './item-scope';

/** A shop: shirts come in two sizes; the medium ones are a collection of their own besides the merchandise. */
export const shop = new Catalogue({
  products: [
    { id: 'prod_mug', source_id: 'mug', price: 1000, collections: ['pc_kitchen'] },
    { id: 'prod_poster', source_id: 'poster', price: 1500, collections: ['pc_merch'] },
    { id: 'prod_socks', source_id: 'socks', price: 500, collections: ['pc_merch'] },
    { id: 'prod_bottle', source_id: 'bottle', price: 2500, collections: ['pc_kitchen'] },
  ],
  skus: ['s', 'm'].map((size) => ({
    id: `sku_shirt_${size}`,
    source_id: `shirt-${size}`,
    price: 2000,
    collections: size === 'm' ? ['pc_red'] : [],
    product: { id: 'prod_shirt', source_id: 'shirt', price: 2000, collections: ['pc_merch'] },
  })),
});

export const orderOf = (items: OrderInput['items'], catalogue: Catalogue = shop): OrderState => {
  const order = normaliseOrder({ items: items ?? [] }, null, '', { catalogue });
  if (isRefused(order)) throw new Error(order.details);
  return order;
};

/** One line per price, one unit each unless `quantity` says more; `undefined`: no price. */
export const pricedOrder = (prices: readonly (number | undefined)[], quantity = 1): OrderState =>
  orderOf(prices.map((price) => ({ quantity, ...(price !== undefined && { price }) })));

/** Mugs, posters, both sizes of shirts, and a bottle. */
export const cart = orderOf([
  { product_id: 'prod_mug', quantity: 2 },
  { product_id: 'prod_poster', quantity: 3 },
  { sku_id: 'sku_shirt_m', quantity: 4 },
  { sku_id: 'sku_shirt_s', quantity: 5 },
  { product_id: 'prod_bottle' },
]);

export const product = (id: string, more: Partial<ScopedItem> = {}): ScopedItem => ({
  object: 'product',
  id,
  ...more,
});
export const sku = (id: string, more: Partial<ScopedItem> = {}): ScopedItem => ({
  object: 'sku',
  id,
  ...more,
});
export const collection = (id: string, more: Partial<ScopedItem> = {}): ScopedItem => ({
  object: 'products_collection',
  id,
  ...more,
});

export const voucher: Redeemable = { object: 'voucher', id: 'SAVE', incentive: null, campaignId: 'camp_1' };

export const tier: Redeemable = {
  object: 'promotion_tier',
  id: 'promo_1',
  incentive: null,
  campaignId: 'camp_1',
};

export const covered = (
  order: OrderState,
  scope: Partial<ItemScope>,
  { redeemable = voucher, ...options }: Partial<CoverOptions> & { redeemable?: Redeemable } = {},
): Coverage =>
  cover(order, redeemable, {
    scope: { ...wholeOrder, ...scope },
    bundleQuantity: undefined,
    context: {},
    isClosed: () => false,
    spent: new Map(),
    ...options,
  });

/** Covered units per line, `index: units`, in processing order. */
export const unitsOf = ({ lines }: Coverage): [index: number, units: number][] =>
  lines.map(({ index, units }) => [index, units]);
