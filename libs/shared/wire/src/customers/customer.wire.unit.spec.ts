import type { CustomerSnapshot } from '@scrip/contracts/customers';
import { renderCustomer, simpleCustomer } from './customer.wire';

const customer: CustomerSnapshot = {
  id: 'cust_1',
  source_id: 'shop-1',
  name: 'Ada',
  description: null,
  email: 'ada@example.com',
  phone: null,
  birthdate: '1815-12-10',
  birthday: null,
  address: { city: 'London' },
  metadata: { vip: true },
  created_at: '2026-03-31T10:00:00.000Z',
  updated_at: null,
};

test('simpleCustomer shows who it is, without what nobody said', () => {
  expect(simpleCustomer({ ...customer, email: null })).toEqual({
    id: 'cust_1',
    source_id: 'shop-1',
    name: 'Ada',
    metadata: { vip: true },
    object: 'customer',
  });
});

test('renderCustomer shows a new customer with zeroed blocks and without updated_at', () => {
  expect(renderCustomer(customer)).toEqual({
    id: 'cust_1',
    source_id: 'shop-1',
    name: 'Ada',
    email: 'ada@example.com',
    birthdate: '1815-12-10',
    address: { city: 'London' },
    summary: {
      redemptions: {
        total_redeemed: 0,
        total_failed: 0,
        total_succeeded: 0,
        total_rolled_back: 0,
        total_rollback_failed: 0,
        total_rollback_succeeded: 0,
        gift: { redeemed_amount: 0, amount_to_go: 0 },
        loyalty_card: { redeemed_points: 0, points_to_go: 0 },
      },
      orders: { total_amount: 0, total_count: 0, average_amount: 0, last_order_amount: 0 },
    },
    loyalty: { points: 0, referred_customers: 0, campaigns: {} },
    referrals: { total: 0, campaigns: [] },
    metadata: { vip: true },
    created_at: '2026-03-31T10:00:00.000Z',
    object: 'customer',
  });
});

test('renderCustomer tells of the last change', () => {
  expect(renderCustomer({ ...customer, updated_at: '2026-04-01T10:00:00.000Z' })).toHaveProperty(
    'updated_at',
    '2026-04-01T10:00:00.000Z',
  );
});
