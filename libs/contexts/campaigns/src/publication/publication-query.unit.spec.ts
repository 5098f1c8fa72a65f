import { readPublicationQuery } from './publication-query';

describe('publications from a query (reference 04 §8.3)', () => {
  it('reads names and texts as the body of a publication', () => {
    const read = readPublicationQuery({
      campaign: { name: 'Club', count: '1' },
      customer: { source_id: 'ada', name: 'Ada' },
      source_id: 'welcome-ada',
      metadata: { desk: '4' },
      join_once: true,
    });
    expect(read).toEqual({
      source: { campaign: 'Club', count: 1 },
      customer: { source_id: 'ada', name: 'Ada' },
      source_id: 'welcome-ada',
      channel: 'API',
      metadata: { desk: '4' },
    });
  });

  it('takes a plain campaign and a plain customer', () => {
    expect(readPublicationQuery({ campaign: 'Club', customer: 'ada' })).toMatchObject({
      source: { campaign: 'Club', count: 1 },
      customer: { source_id: 'ada' },
    });
  });

  const customer = 'ada';
  it.each([
    [{ voucher: 'X' }, 'invalid_query_params', "Query should have required property 'customer'"],
    [
      { voucher: 'X', customer: {} },
      'invalid_query_params',
      "Property .customer should have required property 'source_id'",
    ],
    [
      { campaign: { name: 'Club', count: 'many' }, customer },
      'invalid_query_params',
      'Property .campaign.count must be integer',
    ],
    [
      { campaign: { name: 'Club', count: '51' }, customer },
      'invalid_query_params',
      'Property .campaign.count must be <= 50',
    ],
    [
      { campaign: { name: 'Club', count: '2' }, customer },
      'too_many_vouchers_requested',
      'Only up to 1 can be published',
    ],
    [{ customer }, 'missing_vouchers', 'Either Campaign or Voucher is required'],
  ])('refuses %j', (query, refused, details) => {
    expect(readPublicationQuery(query)).toEqual({ refused, details });
  });
});
