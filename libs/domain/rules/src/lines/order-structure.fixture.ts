import { rulesHold } from '../evaluation/evaluate-rules';
import { type CartLine, cart, contextOf, oneRule, orderPart } from '../rules.fixture';

export const product = (id: string) => ({ object: 'product', id });
export const sku = (id: string) => ({ object: 'sku', id });
export const collection = (id: string) => ({ object: 'products_collection', id });

/** Operands by operator. */
export type Conditions = Readonly<Record<string, readonly unknown[]>>;

/** Whether a rule about lines (`order.items.` may be left out) holds for an order of these. */
export const holds = (
  quantifier: string,
  conditions: Conditions,
  lines: readonly CartLine[],
  rules: Readonly<Record<string, unknown>> = {},
): boolean =>
  rulesHold(
    [oneRule(quantifier.includes('.') ? quantifier : `order.items.${quantifier}`, conditions, { rules })],
    contextOf({ order: orderPart(cart(lines)) }),
    'FULL',
  );

export const mug: CartLine = { product: 'prod_mug', price: 1000, collections: ['pc_cups'] };
export const cup: CartLine = { product: 'prod_cup', price: 500, collections: ['pc_cups'] };
export const shirt: CartLine = {
  product: 'prod_shirt',
  sku: 'sku_red',
  price: 2000,
  collections: ['pc_wear'],
};
