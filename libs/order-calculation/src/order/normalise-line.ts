import { type Refusal, isRefused } from '@scrip/kernel';
import type { CalculatedOrderItem, OrderItemInput } from './order';
import type { LineState } from './order-state';
import { invalidProperty, readInteger } from './sent-number';

interface LineFigures {
  quantity: number;
  price: number | undefined;
  amount: number | undefined;
  skuPrice: number | undefined;
  productPrice: number | undefined;
}

const figuresOf = (item: OrderItemInput, path: string): LineFigures | Refusal => {
  const initialQuantity = readInteger(item.initial_quantity, `${path}.initial_quantity`, 1);
  if (isRefused(initialQuantity)) return initialQuantity;
  const quantity = readInteger(item.quantity, `${path}.quantity`, 1);
  if (isRefused(quantity)) return quantity;
  const price = readInteger(item.price, `${path}.price`, 0);
  if (isRefused(price)) return price;
  const amount = readInteger(item.amount, `${path}.amount`, 0);
  if (isRefused(amount)) return amount;
  const skuPrice = readInteger(item.sku?.price, `${path}.sku.price`, 0);
  if (isRefused(skuPrice)) return skuPrice;
  const productPrice = readInteger(item.product?.price, `${path}.product.price`, 0);
  if (isRefused(productPrice)) return productPrice;
  return {
    quantity: quantity ?? 1,
    price: price ?? skuPrice ?? productPrice,
    amount,
    skuPrice,
    productPrice,
  };
};

const echoOf = (item: OrderItemInput, figures: LineFigures): LineState['echo'] => {
  const echo: LineState['echo'] & Partial<CalculatedOrderItem> = { object: 'order_item' };
  if (item.source_id !== undefined) echo.source_id = item.source_id;
  if (item.related_object !== undefined) echo.related_object = item.related_object;
  if (item.product_id !== undefined) echo.product_id = item.product_id;
  if (item.sku_id !== undefined) echo.sku_id = item.sku_id;
  if (figures.price !== undefined) echo.price = figures.price;
  if (item.product) {
    const { override: _, price: __, ...product } = item.product;
    echo.product = figures.productPrice === undefined ? product : { ...product, price: figures.productPrice };
  }
  if (item.sku) {
    const { override: _, price: __, ...sku } = item.sku;
    echo.sku = figures.skuPrice === undefined ? sku : { ...sku, price: figures.skuPrice };
  }
  if (item.metadata !== undefined) echo.metadata = item.metadata;
  return echo;
};

/** The line that a caller's item means, before any discount. `path` names it in refusals. Refuses `invalid_payload`
 *  for figures that are no integers, too low, or beyond 2^53 − 1 (price × quantity included). Discount fields sent
 *  along are ignored. Source: spec 01 §3. */
export const normaliseLine = (item: OrderItemInput, path: string): LineState | Refusal => {
  const figures = figuresOf(item, path);
  if (isRefused(figures)) return figures;
  const { quantity, price } = figures;
  const amount = price === undefined ? figures.amount : price * quantity;
  if (amount !== undefined && !Number.isSafeInteger(amount)) {
    return invalidProperty(`${path}.amount`, `must be <= ${Number.MAX_SAFE_INTEGER}`);
  }
  return {
    echo: echoOf(item, figures),
    quantity,
    amount,
    initialQuantity: quantity,
    initialAmount: amount,
    discountAmount: 0,
    discountQuantity: 0,
  };
};
