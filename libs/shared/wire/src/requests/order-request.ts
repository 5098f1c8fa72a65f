import {
  described,
  type Reader,
  flag,
  identifier,
  integerFrom,
  jsonObject,
  listOf,
  namedShape,
  notLowerThan,
  nullable,
  oneOf,
  text,
} from './payload-reader';

/** More lines than this are refused. Source: reference 03 §3.1. */
export const orderItemsMax = 500;

const price = nullable(integerFrom(0));

const product = namedShape('OrderProductRequest', {
  id: nullable(text),
  source_id: nullable(text),
  override: nullable(flag),
  name: nullable(text),
  metadata: nullable(jsonObject),
  price,
});

const sku = namedShape('OrderSkuRequest', {
  id: nullable(text),
  source_id: nullable(text),
  override: nullable(flag),
  sku: nullable(text),
  metadata: nullable(jsonObject),
  price,
});

/** A line of an order as a request describes it. */
export const orderItemRequest = namedShape('OrderItemRequest', {
  sku_id: nullable(text),
  product_id: nullable(text),
  related_object: nullable(oneOf('product', 'sku')),
  source_id: nullable(text),
  quantity: nullable(integerFrom(0, 1e6)),
  initial_quantity: nullable(notLowerThan(1)),
  price,
  amount: nullable(integerFrom(0)),
  product: nullable(product),
  sku: nullable(sku),
  metadata: nullable(jsonObject),
});

/** An order as a request names or describes it; absent and null are alike. Discount fields sent along are dropped.
 *  Amounts: minor units. Source: reference 03 §3.3, reference 01 §3. */
export const orderRequest = namedShape('OrderRequest', {
  id: nullable(text),
  source_id: described(
    nullable(identifier),
    'Your own id of the order. Where an order with it is stored, that order is used as it stands: amounts, items and metadata sent beside it are ignored, and the answer shows the stored ones with their `updated_at`; the header `X-Scrip-Stored-Order` names it. Case-sensitive. Send `id` to change a stored order.',
  ),
  status: nullable(oneOf('CREATED', 'PAID', 'CANCELED', 'FULFILLED')),
  amount: nullable(integerFrom(0)),
  items: nullable(listOf(orderItemRequest, { most: orderItemsMax })),
  metadata: nullable(jsonObject),
});

export type OrderRequest = typeof orderRequest extends Reader<infer T> ? T : never;
