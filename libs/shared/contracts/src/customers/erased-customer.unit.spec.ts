import { customersNamedIn, erasedIn } from './erased-customer';

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

test('ids of customers are found in a text once each, whatever they stand in', () => {
  const answer = {
    customer: { id: 'cust_1' },
    list: [{ customer_id: 'cust_2' }, { id: 'cust_1' }],
    code: 'xcust_3',
  };
  expect(customersNamedIn(JSON.stringify(answer))).toEqual(['cust_1', 'cust_2']);
  expect(customersNamedIn('{}')).toEqual([]);
});
