import { type ScripAnswer, type SharedScrip, sharedScrip } from '@scrip/testing';

describe('orders listed over HTTP (reference 07 §1.4)', () => {
  let listed: SharedScrip;
  const shown: string[] = [];
  const list = async (query: string): Promise<ScripAnswer> => listed.call('GET', `/v1/orders${query}`);
  const named = async (query: string): Promise<string[]> =>
    (await list(query)).body.orders.map(({ source_id }: { source_id: string }) => source_id);

  beforeAll(async () => {
    listed = await sharedScrip();
    for (const source_id of ['1', '2', '3', '4', '5']) {
      const { body } = await listed.call('POST', '/v1/orders', { source_id, amount: 10 });
      shown.push(body.id);
    }
    await listed.call('PUT', '/v1/orders/2', { status: 'PAID' });
  });

  it('shows orders as they are shown one by one, and how many there are', async () => {
    const { status, body } = await list('?limit=2');
    expect([status, body]).toEqual([
      200,
      {
        object: 'list',
        data_ref: 'orders',
        orders: [
          (await listed.call('GET', '/v1/orders/1')).body,
          (await listed.call('GET', '/v1/orders/2')).body,
        ],
        total: 5,
      },
    ]);
  });

  it.each([
    ['', ['1', '2', '3', '4', '5']],
    ['?order=created_at&limit=2&page=2', ['3', '4']],
    ['?order=-created_at&limit=2', ['5', '4']],
    ['?order=updated_at', ['1', '3', '4', '5', '2']],
    ['?order=-updated_at&limit=2', ['2', '5']],
    ['?page=100', []],
  ])('%s: %j', async (query, expected) => {
    expect(await named(query)).toEqual(expected);
  });

  it('goes on behind an order, in both directions, pages counted from there', async () => {
    expect(await named(`?starting_after_id=${shown[1]}&limit=2`)).toEqual(['3', '4']);
    expect(await named(`?starting_after_id=${shown[1]}&limit=2&page=2`)).toEqual(['5']);
    expect(await named(`?starting_after_id=${shown[1]}&order=-created_at`)).toEqual(['1']);
    const { body } = await list(`?starting_after_id=${shown[4]}`);
    expect([body.orders, body.total]).toEqual([[], 5]);
  });

  it('shows the orders of its project only', async () => {
    expect((await list('')).body.total).toBe(5);
    const id = (await (await sharedScrip()).call('POST', '/v1/orders', {})).body.id;
    expect((await list(`?starting_after_id=${id}`)).status).toBe(400);
  });

  it.each([
    ['?limit=101', 'invalid_query_params', 'Property .limit must be <= 100'],
    ['?page=101', 'page_over_limit', 'Property .page cannot be higher than 100'],
    [
      '?order=amount',
      'invalid_query_params',
      'Property .order should be equal to one of the allowed values [ created_at, -created_at, updated_at, -updated_at ]',
    ],
    [
      '?starting_after_id=ord_none',
      'invalid_query_params',
      'Property .starting_after_id names no order of the list: ord_none',
    ],
    [
      '?starting_after_id=ord_none&order=updated_at',
      'invalid_query_params',
      'Property .starting_after_id cannot be combined with an order other than created_at or -created_at',
    ],
  ])('refuses %s', async (query, key, details) => {
    expect((await list(query)).body).toMatchObject({ code: 400, key, details });
  });
});
