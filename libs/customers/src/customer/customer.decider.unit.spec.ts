import type { CustomerInput } from '@scrip/contracts';
import { evolveCustomer, upsertCustomer, upsertEvents } from './customer.decider';
import { type CustomerProfile, emptyProfile } from './customer-profile';

const ada: CustomerProfile = {
  ...emptyProfile,
  source_id: 'shop-1',
  name: 'Ada',
  address: { city: 'London', country: 'UK' },
  metadata: { a: 1, nested: { b: 2 } },
};

describe('an upsert (spec 07 §3)', () => {
  test('of somebody unknown creates what was sent', () => {
    expect(upsertCustomer(undefined, { source_id: 'shop-1', name: 'Ada', metadata: { a: 1 } })).toEqual({
      change: 'created',
      profile: { ...emptyProfile, source_id: 'shop-1', name: 'Ada', metadata: { a: 1 } },
    });
  });

  test.each<[string, CustomerInput, Partial<CustomerProfile>]>([
    ['replaces a field', { name: 'Eve' }, { name: 'Eve' }],
    ['stores null', { name: null }, { name: null }],
    ['replaces an address whole', { address: { city: 'Paris' } }, { address: { city: 'Paris' } }],
    [
      'merges metadata by top-level key',
      { metadata: { c: 3 } },
      { metadata: { a: 1, nested: { b: 2 }, c: 3 } },
    ],
    [
      'replaces nested metadata',
      { metadata: { nested: { d: 4 } } },
      { metadata: { a: 1, nested: { d: 4 } } },
    ],
    ['stores null in metadata', { metadata: { a: null } }, { metadata: { a: null, nested: { b: 2 } } }],
    ['keeps birthday and birthdate apart', { birthday: '2000-01-01' }, { birthday: '2000-01-01' }],
  ])('%s', (_, sent, changed) => {
    expect(upsertCustomer(ada, sent)).toEqual({ change: 'updated', profile: { ...ada, ...changed } });
  });

  test.each<[string, CustomerInput]>([
    ['nothing sent', {}],
    ['the same values', { name: 'Ada', metadata: { nested: { b: 2 } } }],
    ['undefined fields', { name: undefined, metadata: undefined }],
    ['another source id, which never changes', { source_id: 'shop-2' }],
    ['keys in another order', { address: { country: 'UK', city: 'London' } }],
  ])('changes nothing: %s', (_, sent) => {
    expect(upsertCustomer(ada, sent)).toEqual({ change: 'none', profile: ada });
  });
});

describe('events', () => {
  const fact = { customer_id: 'cust_1', sealed: 'e1.x', at: '2026-03-31T10:00:00.000Z' };

  test('tell of a creation and of a change, and of nothing else', () => {
    expect(upsertEvents({ change: 'created', profile: ada }, fact)).toEqual([
      { type: 'CustomerCreated', data: { customer_id: 'cust_1', sealed: 'e1.x', created_at: fact.at } },
    ]);
    expect(upsertEvents({ change: 'updated', profile: ada }, fact)).toEqual([
      {
        type: 'CustomerUpdated',
        data: { customer_id: 'cust_1', sealed: 'e1.x', bulk: false, updated_at: fact.at },
      },
    ]);
    expect(upsertEvents({ change: 'none', profile: ada }, fact)).toEqual([]);
  });

  test('fold to the newest sealed profile and both dates', () => {
    const created = upsertEvents({ change: 'created', profile: ada }, fact);
    const later = { customer_id: 'cust_1', sealed: 'e1.y', at: '2026-04-01T10:00:00.000Z' };
    const updated = upsertEvents({ change: 'updated', profile: ada }, later);
    expect([...created, ...updated].reduce(evolveCustomer, undefined as never)).toEqual({
      id: 'cust_1',
      sealed: 'e1.y',
      created_at: fact.at,
      updated_at: later.at,
    });
  });
});
