import type { OrderSnapshot } from '@scrip/contracts/customers';

/** A line of an order without a discount: two units of 500. */
export const twoUnits = {
  object: 'order_item',
  product_id: 'prod_1',
  quantity: 2,
  initial_quantity: 2,
  price: 500,
  amount: 1000,
  initial_amount: 1000,
  subtotal_amount: 1000,
} as const satisfies OrderSnapshot['items'][number];

/** An order of 1000 before any redemption. */
export const plainOrder: OrderSnapshot = {
  id: 'ord_1',
  source_id: null,
  status: 'PAID',
  customer_id: 'cust_1',
  referrer_id: null,
  amount: 1000,
  initial_amount: 1000,
  total_amount: 1000,
  items: [twoUnits],
  metadata: { channel: 'web' },
  redemptions: {},
  created_at: '2026-03-31T10:00:00.000Z',
  updated_at: null,
};
