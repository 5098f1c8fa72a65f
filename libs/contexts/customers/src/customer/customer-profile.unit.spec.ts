import type { CustomerInput } from '@scrip/contracts/customers';
import {
  type CustomerProfile,
  emptyProfile,
  mergeProfile,
  newProfile,
  sameProfile,
} from './customer-profile';

const ada: CustomerProfile = {
  ...emptyProfile,
  source_id: 'shop-1',
  name: 'Ada',
  address: { city: 'London', country: 'UK' },
  metadata: { a: 1, nested: { b: 2 } },
};

describe('an upsert (reference 07 §3)', () => {
  test('of somebody unknown makes what was sent', () => {
    expect(newProfile({ source_id: 'shop-1', name: 'Ada', metadata: { a: 1 } })).toEqual({
      ...emptyProfile,
      source_id: 'shop-1',
      name: 'Ada',
      metadata: { a: 1 },
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
    const merged = mergeProfile(ada, sent);
    expect(merged).toEqual({ ...ada, ...changed });
    expect(sameProfile(ada, merged)).toBe(false);
  });

  test.each<[string, CustomerInput]>([
    ['nothing sent', {}],
    ['the same values', { name: 'Ada', metadata: { nested: { b: 2 } } }],
    ['undefined fields', { name: undefined, metadata: undefined }],
    ['another source id, which never changes', { source_id: 'shop-2' }],
    ['keys in another order', { address: { country: 'UK', city: 'London' } }],
  ])('changes nothing: %s', (_, sent) => {
    expect(sameProfile(ada, mergeProfile(ada, sent))).toBe(true);
  });
});
