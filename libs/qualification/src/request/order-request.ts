import {
  type Reader,
  flag,
  identifier,
  integerFrom,
  jsonObject,
  listOf,
  notLowerThan,
  nullable,
  oneOf,
  shape,
  text,
} from './payload-reader';

/** More lines than this are refused. Source: spec 03 §3.1. */
export const orderItemsMax = 500;

const price = nullable(integerFrom(0));

const product = shape({
  id: nullable(text),
  source_id: nullable(text),
  override: nullable(flag),
  name: nullable(text),
  metadata: nullable(jsonObject),
  price,
});

const sku = shape({
  id: nullable(text),
  source_id: nullable(text),
  override: nullable(flag),
  sku: nullable(text),
  metadata: nullable(jsonObject),
  price,
});

const item = shape({
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
 *  Amounts: minor units. Source: spec 03 §3.3, spec 01 §3. */
export const orderRequest = shape({
  id: nullable(text),
  source_id: nullable(identifier),
  status: nullable(oneOf('CREATED', 'PAID', 'CANCELED', 'FULFILLED')),
  amount: nullable(integerFrom(0)),
  items: nullable(listOf(item, { most: orderItemsMax })),
  metadata: nullable(jsonObject),
});

export type OrderRequest = typeof orderRequest extends Reader<infer T> ? T : never;
