import { customersNamedIn, erasedCustomers, erasedIn } from './erased-customer';

test('of an erased customer only its id and figures stay, wherever it stands; other customers stay as they are', () => {
  const ada = {
    id: 'cust_1',
    source_id: 'ada',
    name: 'Ada',
    email: 'a',
    metadata: { a: 1 },
    object: 'customer',
  };
  const full = { ...ada, address: { city: 'London' }, summary: { orders: {} }, created_at: 'now' };
  const bob = { ...ada, id: 'cust_2' };
  expect(
    erasedIn({ customer: full, list: [{ holder: ada }, bob, null, 1], customer_id: 'cust_1' }, 'cust_1'),
  ).toEqual({
    customer: {
      id: 'cust_1',
      metadata: {},
      object: 'customer',
      address: null,
      summary: { orders: {} },
      created_at: 'now',
    },
    list: [{ holder: { id: 'cust_1', metadata: {}, object: 'customer' } }, bob, null, 1],
    customer_id: 'cust_1',
  });
});

test('the tracking ids of what concerns an erased customer go with it, and no others', () => {
  const ada = { id: 'cust_1', object: 'customer', metadata: {} };
  const published = (customer_id: string, fields: object) => ({
    object: 'publication',
    customer_id,
    ...fields,
  });
  const redeemed = (customer_id: string | null, tracking_id: string | null) => ({
    object: 'redemption',
    customer_id,
    tracking_id,
    related_object_type: 'voucher',
  });
  const order = { customer_id: 'cust_1', amount: 1 };
  expect(
    erasedIn(
      {
        publication: published('cust_1', { tracking_id: 'ada', customer: ada }),
        other: published('cust_2', { tracking_id: 'bob' }),
        shown: { tracking_id: 'ada', customer: ada },
        redemptions: [
          redeemed('cust_1', 'track_1'),
          redeemed('cust_2', 'track_2'),
          redeemed(null, 'track_1'),
        ],
        short: { object: 'redemption', customer_id: 'cust_1', tracking_id: 'track_1', order },
        validation: { tracking_id: 'track_1', order: { customer: ada } },
        validations: { tracking_id: 'track_1', order, promotions: [{ order, tracking_id: 'track_1' }] },
        anonymous: { tracking_id: 'track_3', order: { customer_id: null, customer: null }, customer: null },
      },
      'cust_1',
    ),
  ).toEqual({
    publication: published('cust_1', { customer: ada }),
    other: published('cust_2', { tracking_id: 'bob' }),
    shown: { customer: ada },
    redemptions: [redeemed('cust_1', null), redeemed('cust_2', 'track_2'), redeemed(null, 'track_1')],
    short: { object: 'redemption', customer_id: 'cust_1', order },
    validation: { order: { customer: ada } },
    validations: { order, promotions: [{ order }] },
    anonymous: { tracking_id: 'track_3', order: { customer_id: null, customer: null }, customer: null },
  });
});

test('events tell who was deleted permanently', () => {
  const events = ['CustomerErased', 'CustomerDeleted'].map((type) => ({
    type,
    projectId: 'proj_1',
    data: { customer_id: `of ${type}` },
  }));
  expect(erasedCustomers(events)).toEqual([{ projectId: 'proj_1', customerId: 'of CustomerErased' }]);
});

test('ids of customers are found in a text once each, whatever they stand in', () => {
  const answer = {
    customer: { id: 'cust_1' },
    list: [{ customer_id: 'cust_2' }, { id: 'cust_1' }],
    code: 'xcust_3',
  };
  expect(customersNamedIn(JSON.stringify(answer))).toEqual(['cust_1', 'cust_2']);
  expect(customersNamedIn('{}')).toEqual([]);
});
