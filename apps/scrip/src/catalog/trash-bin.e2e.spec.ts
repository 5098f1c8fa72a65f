import { type SharedScrip, sharedScrip } from '@scrip/testing';

describe('the trash bin over HTTP', () => {
  let scrip: SharedScrip;

  beforeAll(async () => {
    scrip = await sharedScrip();
    for (const name of ['a', 'b', 'c']) await scrip.ask('POST', '/v1/products', { source_id: name, name });
  }, 240_000);

  const list = (query = ''): Promise<any> => scrip.ask('GET', `/v1/trash-bin${query}`);
  const ids = async (query = '') =>
    (await list(query)).data.map(({ resource_name }: { resource_name: string }) => resource_name);
  const remove = (path: string) => scrip.call('DELETE', path);

  it('lists what was deleted at once, in pages', async () => {
    expect(await list()).toEqual({
      object: 'list',
      data_ref: 'data',
      data: [],
      total: 0,
      has_more: false,
    });
    const sku = await scrip.ask<any>('POST', '/v1/products/c/skus', { source_id: 's', sku: 'small' });
    await remove('/v1/products/c/skus/s');
    for (const name of ['a', 'b']) await remove(`/v1/products/${name}`);
    const first = await list('?limit=1');
    expect(first).toEqual({
      object: 'list',
      data_ref: 'data',
      data: [
        {
          id: expect.stringMatching(/^tbe_/),
          created_at: expect.any(String),
          deleted_by_user_id: null,
          resource_id: sku.id,
          resource_type: 'sku',
          resource_name: 'small',
          resource_parent_id: sku.product_id,
          object: 'sku',
        },
      ],
      total: 1,
      has_more: true,
      more_starting_after: first.data[0].id,
    });
    expect(await ids(`?starting_after_id=${first.more_starting_after}`)).toEqual(['a', 'b']);
    expect(await ids('?order=-id&limit=2')).toEqual(['b', 'a']);
    expect(await ids('?filters[resource_type][conditions][$is]=product')).toEqual(['a', 'b']);
    expect(
      await ids(
        '?filters[junction]=or&filters[resource_name][conditions][$is]=a&filters[resource_id][conditions][$is]=' +
          sku.id,
      ),
    ).toEqual(['small', 'a']);
  });

  it.each([
    ['?order=created_at', 'Property .order should be equal to one of the allowed values [ id, -id ]'],
    [
      '?filters[name][conditions][$is]=a',
      "Property .filters has an unknown field 'name'. Fields should be equal to one of the allowed values " +
        '[ id, resource_type, resource_name, resource_id ]',
    ],
    [
      '?filters[resource_type][conditions][$is]=customer',
      'Property .filters.resource_type.conditions.$is should be equal to one of the allowed values ' +
        '[ campaign, product, sku, voucher ]',
    ],
  ])('refuses %s', async (query, details) => {
    expect(await scrip.call('GET', `/v1/trash-bin${query}`)).toMatchObject({
      status: 400,
      body: { key: 'invalid_query_params', details },
    });
  });

  it('purges what an entry stands for, once, and frees its source id', async () => {
    const taken = await scrip.call('POST', '/v1/products', { source_id: 'a' });
    expect(taken.status).toBe(409);
    const path = /: GET (\S+)$/.exec(taken.body.details as string)?.[1];
    expect(await scrip.ask<any>('GET', path!)).toMatchObject({ data: [{ resource_name: 'a' }] });
    const { data } = await list('?filters[resource_name][conditions][$is]=a');
    const { id } = data[0];
    expect(await remove(`/v1/trash-bin/${id}`)).toMatchObject({ status: 204 });
    expect(await ids()).toEqual(['small', 'b']);
    expect(await remove(`/v1/trash-bin/${id}`)).toMatchObject({
      status: 404,
      body: {
        key: 'not_found',
        details: `Cannot find bin_entry with id ${id}`,
        resource_id: id,
        resource_type: 'bin_entry',
      },
    });
    expect(await scrip.ask('POST', '/v1/products', { source_id: 'a' })).toMatchObject({ source_id: 'a' });
  });

  it('is named where it keeps a name or a code taken, with the entry that frees it', async () => {
    const campaign = { name: 'Binned', campaign_type: 'PROMOTION', promotion: { tiers: [] } };
    const voucher = { type: 'GIFT_VOUCHER', gift: { amount: 100 } };
    const create = {
      campaign: () => scrip.call('POST', '/v1/campaigns', campaign),
      voucher: () => scrip.call('POST', '/v1/vouchers/BINNED-1', voucher),
    };
    for (const [make, where] of [
      [create.campaign, '/v1/campaigns/Binned'],
      [create.voucher, '/v1/vouchers/BINNED-1'],
    ] as const) {
      expect((await make()).status).toBe(200);
      expect((await make()).body.details).toMatch(/^Duplicated \w+ exists with \w+ \S+$/);
      await remove(where);
      const { status, body } = await make();
      expect([status, body.key]).toEqual([409, 'duplicate_found']);
      const entry = /\. It lies in the trash bin: DELETE (\S+) frees it$/.exec(body.details as string)?.[1];
      expect(await remove(entry!)).toMatchObject({ status: 204 });
      expect((await make()).status).toBe(200);
    }
  });
});
