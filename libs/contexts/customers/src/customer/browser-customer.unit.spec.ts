import type { CustomerSnapshot } from '@scrip/contracts/customers';
import { shownToBrowser } from './browser-customer.http';
import { emptyProfile } from './customer-profile';

const stored: CustomerSnapshot = {
  ...emptyProfile,
  id: 'cust_1',
  source_id: 'ada',
  name: 'Ada',
  email: 'ada@example.com',
  metadata: { vip: true, visits: 2 },
  created_at: '2026-03-31T10:00:00.000Z',
  updated_at: null,
};

describe('a browser is shown of a customer', () => {
  it('what it sent, and nothing that was stored before', () => {
    expect(shownToBrowser({ source_id: 'ada', metadata: { visits: 2 } }, stored)).toEqual({
      ...emptyProfile,
      id: 'cust_1',
      source_id: 'ada',
      metadata: { visits: 2 },
      created_at: '2026-03-31T10:00:00.000Z',
      updated_at: null,
    });
  });

  it('no source id where it named the customer by its id', () => {
    for (const sent of [{ id: 'cust_1' }, { id: 'cust_1', source_id: 'other' }])
      expect(shownToBrowser(sent, stored)).toMatchObject({ id: 'cust_1', source_id: null, name: null });
  });
});
