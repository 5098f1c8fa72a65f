import type { Catalogue } from '../catalogue/catalogue';
import type { OrderState } from '../order/order-state';
import { type ItemScope, type ScopedItem, wholeOrder } from './item-scope';
import type { ScopeList } from './scope-list';
import { scopeLists } from './scope-lists';
import { covered, orderOf, shop } from './scoping.fixture';

/** Mugs, posters on two lines, and a shirt between them. */
export const cart = orderOf([
  { product_id: 'prod_mug', quantity: 2 },
  { product_id: 'prod_poster', quantity: 3 },
  { sku_id: 'sku_shirt_m', quantity: 1 },
  { product_id: 'prod_poster', quantity: 1 },
]);

/** Both lists of a scope; of the cart in its shop, unless said otherwise. */
export const lists = (
  sent: Partial<ItemScope>,
  order: OrderState = cart,
  catalogue: Catalogue = shop,
): ReturnType<typeof scopeLists> => {
  const scope = { ...wholeOrder, ...sent };
  return scopeLists(order, scope, covered(order, scope), catalogue);
};

/** What is listed as included of the cart. */
export const included = (...definitions: ScopedItem[]): ScopeList =>
  lists({ included: definitions }).applicable_to;

/** Settings of a definition that sets none. */
export const defaults = { effect: 'APPLY_TO_EVERY', skip_initially: 0, repeat: 1, target: 'ITEM' };

/** Entries of the shop's items, with all their lines and units in the cart. */
export const posters = {
  object: 'product',
  id: 'prod_poster',
  source_id: 'poster',
  strict: true,
  ...defaults,
  order_item_indices: [1, 3],
  order_item_units: [
    { index: 1, units: [1, 2, 3] },
    { index: 3, units: [1] },
  ],
};
const shirt = {
  object: 'sku',
  product_id: 'prod_shirt',
  product_source_id: 'shirt',
  strict: true,
  ...defaults,
};
export const mediumShirt = {
  ...shirt,
  id: 'sku_shirt_m',
  source_id: 'shirt-m',
  order_item_indices: [2],
  order_item_units: [{ index: 2, units: [1] }],
};
export const merchandise = {
  object: 'products_collection',
  id: 'pc_merch',
  strict: false,
  ...defaults,
  order_item_indices: [1, 2, 3],
  order_item_units: [
    { index: 1, units: [1, 2, 3] },
    { index: 2, units: [1] },
    { index: 3, units: [1] },
  ],
};

/** The entry of a size that the cart does not hold. */
export const smallShirt = { ...shirt, id: 'sku_shirt_s', source_id: 'shirt-s' };
