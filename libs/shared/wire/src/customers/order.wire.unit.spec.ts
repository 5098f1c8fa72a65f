import type { OrderSnapshot } from '@scrip/contracts/customers';
import { renderOrder, simpleOrder } from './order.wire';

const order: OrderSnapshot = {
  id: 'ord_1',
  source_id: null,
  status: 'PAID',
  customer_id: 'cust_1',
  referrer_id: null,
  amount: 1000,
  initial_amount: 1000,
  discount_amount: 100,
  total_discount_amount: 100,
  total_amount: 900,
  applied_discount_amount: 100,
  total_applied_discount_amount: 100,
  items: [
    {
      object: 'order_item',
      product_id: 'prod_1',
      quantity: 2,
      initial_quantity: 2,
      price: 500,
      amount: 1000,
      initial_amount: 1000,
      subtotal_amount: 1000,
      product: { id: 'prod_1', name: 'Mug' },
    },
  ],
  metadata: { channel: 'web' },
  redemptions: {
    r_1: {
      date: '2026-03-31T10:00:00.000Z',
      related_object_type: 'voucher',
      related_object_id: 'v_1',
      related_object_parent_id: null,
      difference: { discount_amount: 100 },
    },
  },
  created_at: '2026-03-31T10:00:00.000Z',
  updated_at: null,
};

describe('renderOrder', () => {
  test('shows everything, the customer as a reference, what nobody knows not at all', () => {
    expect(renderOrder(order)).toEqual({
      id: 'ord_1',
      source_id: null,
      status: 'PAID',
      customer_id: 'cust_1',
      customer: { id: 'cust_1', object: 'customer' },
      referrer_id: null,
      amount: 1000,
      initial_amount: 1000,
      discount_amount: 100,
      total_discount_amount: 100,
      total_amount: 900,
      applied_discount_amount: 100,
      total_applied_discount_amount: 100,
      items: order.items,
      metadata: { channel: 'web' },
      redemptions: {
        r_1: { date: '2026-03-31T10:00:00.000Z', related_object_type: 'voucher', related_object_id: 'v_1' },
      },
      created_at: '2026-03-31T10:00:00.000Z',
      updated_at: null,
      object: 'order',
    });
  });

  test('a validation’s order has no id, status, dates or redemptions', () => {
    const shown = {
      amount: 1000,
      total_amount: 1000,
      items: [],
      metadata: {},
      customer_id: null,
      referrer_id: 'cust_2',
    };
    expect(renderOrder(shown)).toEqual({
      ...shown,
      referrer: { id: 'cust_2', object: 'customer' },
      object: 'order',
    });
  });

  test('names the campaign of a redemption where there is one', () => {
    const { difference: _, ...kept } = order.redemptions.r_1!;
    const entry = { ...kept, related_object_parent_id: 'camp_1' };
    expect(renderOrder({ ...order, redemptions: { r_1: entry } })).toMatchObject({
      redemptions: { r_1: entry },
    });
  });
});

test('simpleOrder shows the short form with short items', () => {
  expect(simpleOrder({ ...order, source_id: 'order-1' })).toEqual({
    id: 'ord_1',
    source_id: 'order-1',
    status: 'PAID',
    customer_id: 'cust_1',
    referrer_id: null,
    amount: 1000,
    discount_amount: 100,
    applied_discount_amount: 100,
    total_discount_amount: 100,
    total_applied_discount_amount: 100,
    total_amount: 900,
    items: [
      {
        object: 'order_item',
        product_id: 'prod_1',
        quantity: 2,
        amount: 1000,
        price: 500,
        subtotal_amount: 1000,
      },
    ],
    metadata: { channel: 'web' },
    object: 'order',
  });
  expect(simpleOrder(order)).not.toHaveProperty('source_id');
});
