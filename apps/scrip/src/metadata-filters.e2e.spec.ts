import { type ScripAnswer, type SharedScrip, sharedScrip, waitUntil } from '@scrip/testing';

type Json = Record<string, unknown>;

const of = (type: string) => ({ type, array: false, optional: true });
const number = 'must be number, with at most 18 digits before and 18 after the point';

describe('filters of metadata that a schema gives types (reference 07 §1.5, §8)', () => {
  let scrip: SharedScrip;

  beforeAll(async () => {
    scrip = await sharedScrip();
    const schemas = `/management/v1/projects/${scrip.credentials.project_id}/metadata-schemas`;
    const define = (related_object: string, properties: Json) =>
      scrip.manage('POST', schemas, { related_object, properties });
    await define('voucher', { weight: of('number'), made: of('date') });
    await define('campaign', { budget: of('number') });
    for (const kind of ['order', 'redemption', 'customer', 'product'])
      await define(kind, { weight: of('number') });
  });

  const list = (path: string, key: string, operator: string, value: unknown): Promise<ScripAnswer> =>
    scrip.call('GET', `${path}?filters[metadata.${key}][conditions][${operator}]=${String(value)}`);

  it('are compared so in the lists of vouchers and campaigns', async () => {
    const made = async (weight: number, day: string): Promise<string> => {
      const campaign = await scrip.ask<{ id: string }>('POST', '/v1/campaigns', {
        name: `Weighs ${weight}`,
        campaign_type: 'DISCOUNT_COUPONS',
        voucher: { type: 'DISCOUNT_VOUCHER', discount: { type: 'AMOUNT', amount_off: 100 } },
        metadata: { weight, made: day },
      });
      const path = `/v1/campaigns/${campaign.id}/vouchers`;
      return (await scrip.ask<{ code: string }>('POST', path, {})).code;
    };
    const codes = [await made(9, '2026-01-31'), await made(10, '2026-02-28'), await made(100, '2026-03-31')];
    const found = async (...filter: [string, string, unknown]): Promise<string[]> => {
      const { body } = await list('/v1/vouchers', ...filter);
      return (body.vouchers as { code: string }[]).map(({ code }) => code).sort();
    };
    expect(await found('weight', '$more_than', 9)).toEqual([codes[1], codes[2]].sort());
    expect(await found('weight', '$is', '9.0')).toEqual([codes[0]]);
    expect(await found('made', '$before', '2026-03-01')).toEqual([codes[0], codes[1]].sort());
    expect(await found('made', '$is_month', 'march')).toEqual([codes[2]]);
    const { body } = await list('/v1/campaigns', 'weight', '$less_than', 50);
    expect(body.campaigns).toEqual([
      expect.objectContaining({ name: 'Weighs 10' }),
      expect.objectContaining({ name: 'Weighs 9' }),
    ]);
  });

  it.each([
    ['/v1/vouchers', 'weight', '$more_than', 'much', `weight.conditions.$more_than ${number}`],
    ['/v1/vouchers', 'made', '$is', 'once', 'made.conditions.$is cannot be recognized as a ISO-8601'],
    ['/v1/campaigns', 'budget', '$is', 'much', `budget.conditions.$is ${number}`],
    [
      '/v1/campaigns',
      'budget',
      '$contains',
      '1',
      'budget.conditions has an operator that its field does not have',
    ],
  ])('refuse what the type cannot have: %s %s %s %s', async (path, key, operator, value, problem) => {
    const { status, body } = await list(path, key, operator, value);
    expect([status, body]).toMatchObject([400, { key: 'invalid_query_params' }]);
    expect(body.details).toContain(`Property .filters.metadata.${problem}`);
  });

  const filter = (operator: string, value: unknown) => ({
    junction: 'and',
    'metadata.weight': { conditions: { [operator]: [value] } },
  });

  it('are compared so in exports', async () => {
    for (const weight of [9, 10, 100])
      await scrip.ask('POST', '/v1/orders', {
        source_id: `weighs-${weight}`,
        amount: 1,
        metadata: { weight },
      });
    const parameters = { fields: ['source_id'], order: 'created_at', filters: filter('$more_than', 9) };
    const { id } = await scrip.ask<{ id: string }>('POST', '/v1/exports', {
      exported_object: 'order',
      parameters,
    });
    let url = '';
    await waitUntil(
      async () => {
        const found = await scrip.ask<{ result: { url: string } | null }>('GET', `/v1/exports/${id}`);
        url = found.result?.url ?? '';
        return url !== '';
      },
      { what: 'the end of the export' },
    );
    expect(await (await fetch(url)).text()).toBe('Source ID\r\nweighs-10\r\nweighs-100\r\n');
  });

  it.each(['order', 'voucher', 'redemption', 'customer', 'product', 'sku'])(
    'refuse what the type cannot have in exports of the kind %s',
    async (exported_object) => {
      const parameters = { filters: filter('$is', 'much') };
      const { status, body } = await scrip.call('POST', '/v1/exports', { exported_object, parameters });
      expect([status, body]).toMatchObject([
        400,
        {
          key: 'invalid_payload',
          details: `Property .parameters.filters.metadata.weight.conditions.$is ${number}`,
        },
      ]);
    },
  );

  it('are compared so in segments', async () => {
    const ids: string[] = [];
    for (const weight of [9, 10])
      ids.push((await scrip.ask<{ id: string }>('POST', '/v1/customers', { metadata: { weight } })).id);
    const segment = await scrip.ask<{ id: string }>('POST', '/v1/segments', {
      name: 'Heavy',
      filter: filter('$is', '10.00'),
    });
    const segmentsOf = async (id?: string) =>
      (await scrip.ask<{ data: { id: string }[] }>('GET', `/v1/customers/${id}/segments`)).data;
    expect(await segmentsOf(ids[0])).toEqual([]);
    expect(await segmentsOf(ids[1])).toEqual([expect.objectContaining({ id: segment.id })]);
    const refused = await scrip.call('POST', '/v1/segments', { name: 'Odd', filter: filter('$is', 'much') });
    expect(refused.body).toMatchObject({
      key: 'invalid_payload',
      details: `Property .filter.metadata.weight.conditions.$is ${number}`,
    });
  });

  it('are compared so in collections, of SKUs by the metadata of their products, too', async () => {
    for (const weight of [9, 10]) {
      const source_id = `weighs-${weight}`;
      await scrip.ask('POST', '/v1/products', { source_id, name: source_id, metadata: { weight } });
      await scrip.ask('POST', `/v1/products/${source_id}/skus`, { source_id: `sku-${weight}`, sku: 'one' });
    }
    const collection = { type: 'AUTO_UPDATE', filter: filter('$is', '10.00') };
    const { id } = await scrip.ask<{ id: string }>('POST', '/v1/product-collections', {
      name: 'Heavy',
      ...collection,
    });
    const { data } = await scrip.ask<{ data: { source_id: string }[] }>(
      'GET',
      `/v1/product-collections/${id}/products`,
    );
    expect(data.map(({ source_id }) => source_id).sort()).toEqual(['sku-10', 'weighs-10']);
    const odd = { name: 'Odd', ...collection, filter: filter('$is', 'much') };
    expect((await scrip.call('POST', '/v1/product-collections', odd)).body).toMatchObject({
      key: 'invalid_payload',
      details: `Property .filter.metadata.weight.conditions.$is ${number}`,
    });
  });
  it('follow a change of the schema in kept members and items', async () => {
    const height = { junction: 'and', 'metadata.height': { conditions: { $is: ['10.00'] } } };
    const { id } = await scrip.ask<{ id: string }>('POST', '/v1/customers', { metadata: { height: 10 } });
    await scrip.ask('POST', '/v1/products', { source_id: 'tall', name: 'Tall', metadata: { height: 10 } });
    const segment = await scrip.ask<{ id: string }>('POST', '/v1/segments', {
      ...{ name: 'Tall', type: 'auto-update', filter: height },
    });
    const collection = await scrip.ask<{ id: string }>('POST', '/v1/product-collections', {
      ...{ name: 'Tall', type: 'AUTO_UPDATE', filter: height },
    });
    const kept = async () => {
      const members = await scrip.ask<{ customers: { id: string }[] }>(
        'GET',
        `/v1/customers?segment_id=${segment.id}`,
      );
      const path = `/v1/product-collections/${collection.id}/products`;
      const items = await scrip.ask<{ data: { source_id: string }[] }>('GET', path);
      return [...members.customers.map((one) => one.id), ...items.data.map((one) => one.source_id)];
    };
    expect(await kept()).toEqual([]);
    const schemas = `/management/v1/projects/${scrip.credentials.project_id}/metadata-schemas`;
    for (const kind of ['customer', 'product'])
      await scrip.manage('PUT', `${schemas}/${kind}`, { properties: { height: of('number') } });
    await waitUntil(async () => (await kept()).join() === [id, 'tall'].join(), {
      what: 'what is 10 as a number',
    });
  });
});
