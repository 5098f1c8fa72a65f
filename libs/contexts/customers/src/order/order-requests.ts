import {
  type Reader,
  clearable,
  customerRequest,
  described,
  identifier,
  integerFrom,
  jsonObject,
  listOf,
  namedShape,
  nullable,
  oneOf,
  orderItemRequest,
  orderItemsMax,
  text,
} from '@scrip/wire/requests';

const fields = {
  source_id: described(
    clearable(identifier),
    'Your own id of the order; no two orders of a project have the same. Case-sensitive.',
  ),
  status: nullable(oneOf('CREATED', 'PAID', 'CANCELED', 'FULFILLED')),
  amount: described(
    nullable(integerFrom(0)),
    'Minor units. Absent where items are sent: the sum of their amounts.',
  ),
  items: described(
    nullable(listOf(orderItemRequest, { most: orderItemsMax })),
    'Replaces all items, and what earlier redemptions took off them.',
  ),
  metadata: nullable(jsonObject),
  customer: described(
    nullable(customerRequest),
    'Whose order it is; found by id or source id, created or updated.',
  ),
  referrer: described(nullable(customerRequest), 'Who referred the customer; stored alike.'),
  referrer_id: described(
    clearable(text),
    'A stored customer, where `referrer` is not sent; null: none any more.',
  ),
};

/** Body of PUT /v1/orders/{orderId}. Source: reference 07 §5. */
export const updateOrderRequest = namedShape('UpdateOrderRequest', fields);

/** Body of POST /v1/orders. Source: reference 07 §5. */
export const createOrderRequest = namedShape('CreateOrderRequest', {
  id: nullable(
    described(text, 'Names a stored order to change. Absent: `source_id` does, where it is stored.'),
  ),
  ...fields,
});

export type UpdateOrderRequest = typeof updateOrderRequest extends Reader<infer T> ? T : never;
export type CreateOrderRequest = typeof createOrderRequest extends Reader<infer T> ? T : never;
