import { type Refusal, isRefused } from '@scrip/kernel/pure';
import type { OrderRefusalKey } from '../calculation-refusals';
import type { Catalogue, CatalogueEntry } from '../catalogue/catalogue';
import { identityOf, recordOf } from '../catalogue/identify';
import { type LinePrices, lineEcho } from './line-echo';
import type { OrderItemInput } from './order';
import type { LineState } from './order-state';
import { invalidProperty, readInteger } from './sent-number';

interface LineFigures extends LinePrices {
  readonly quantity: number;
  readonly amount: number | undefined;
}

const figuresOf = (
  item: OrderItemInput,
  stored: CatalogueEntry | undefined,
  path: string,
): LineFigures | Refusal<OrderRefusalKey> => {
  const initialQuantity = readInteger(item.initial_quantity, `${path}.initial_quantity`, 1);
  if (isRefused(initialQuantity)) return initialQuantity;
  const quantity = readInteger(item.quantity, `${path}.quantity`, 1);
  if (isRefused(quantity)) return quantity;
  const price = readInteger(item.price, `${path}.price`, 0);
  if (isRefused(price)) return price;
  const amount = readInteger(item.amount, `${path}.amount`, 0);
  if (isRefused(amount)) return amount;
  const sentSkuPrice = readInteger(item.sku?.price, `${path}.sku.price`, 0);
  if (isRefused(sentSkuPrice)) return sentSkuPrice;
  const sentProductPrice = readInteger(item.product?.price, `${path}.product.price`, 0);
  if (isRefused(sentProductPrice)) return sentProductPrice;
  // A record may say that it has no price.
  const skuPrice = sentSkuPrice ?? stored?.sku?.price ?? undefined;
  const productPrice = sentProductPrice ?? stored?.product.price ?? undefined;
  return {
    quantity: quantity ?? 1,
    price: price ?? skuPrice ?? productPrice,
    amount,
    skuPrice,
    productPrice,
  };
};

/** What is known of a request's items before it is calculated. */
export interface LineKnowledge {
  readonly catalogue: Catalogue;
  /** Collections of the line, where the caller knows them (dynamic collections); else those of its record. */
  readonly collections?: readonly string[] | undefined;
}

/** The line that a caller's item means, before any discount. `path` names it in refusals. Refuses `invalid_payload`
 *  for figures that are no integers, too low, or beyond 2^53 − 1 (price × quantity included). Discount fields sent
 *  along are ignored. Source: reference 01 §3. */
export const normaliseLine = (
  item: OrderItemInput,
  path: string,
  { catalogue, collections }: LineKnowledge,
): LineState | Refusal<OrderRefusalKey> => {
  const stored = recordOf(item, catalogue);
  const figures = figuresOf(item, stored, path);
  if (isRefused(figures)) return figures;
  const { quantity, price } = figures;
  const amount = price === undefined ? figures.amount : price * quantity;
  if (amount !== undefined && !Number.isSafeInteger(amount)) {
    return invalidProperty(`${path}.amount`, `must be <= ${Number.MAX_SAFE_INTEGER}`);
  }
  return {
    echo: lineEcho(item, stored, figures),
    identity: identityOf(item, stored, collections),
    quantity,
    amount,
    initialQuantity: quantity,
    initialAmount: amount,
    discountAmount: 0,
    discountQuantity: 0,
    freeQuantity: 0,
    replacements: [],
  };
};
