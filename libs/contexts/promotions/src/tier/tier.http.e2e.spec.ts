import { type ScripProject, sharedScrip } from '@scrip/testing';

type Json = Record<string, any>;

let scrip: ScripProject;
let count = 0;

beforeAll(async () => {
  scrip = await sharedScrip();
}, 240_000);

const call = async (method: string, path: string, body?: unknown): Promise<{ status: number; body: Json }> =>
  scrip.call(method as 'GET', path, body) as Promise<{ status: number; body: Json }>;

const tenPercent = { discount: { type: 'PERCENT', percent_off: 10 } };

/** A promotion campaign of its own for each test. */
const promotion = async (tiers: Json[] = [], fields: Json = {}): Promise<Json> => {
  count += 1;
  const { status, body } = await call('POST', '/v1/campaigns', {
    name: `Promotion ${count}`,
    campaign_type: 'PROMOTION',
    promotion: { tiers },
    ...fields,
  });
  expect([status, body]).toEqual([200, body]);
  return body;
};
const tierOf = async (fields: Json = {}, campaign?: Json): Promise<Json> => {
  const { id } = campaign ?? (await promotion());
  const { status, body } = await call('POST', `/v1/promotions/${id}/tiers`, { name: 'One', ...fields });
  expect([status, body]).toEqual([200, body]);
  return body;
};

describe('a promotion campaign', () => {
  it('is created with its tiers, numbered in their order', async () => {
    const created = await promotion(
      [
        { name: 'First', action: tenPercent, hierarchy: 7 },
        { name: 'Second', banner: 'Look', active: false },
      ],
      { type: 'AUTO_UPDATE', vouchers_count: 5, start_date: '2026-01-01' },
    );
    expect(created).toMatchObject({
      campaign_type: 'PROMOTION',
      type: 'STATIC',
      creation_status: 'DONE',
      vouchers_count: 0,
      promotion: { object: 'list', data_ref: 'tiers', total: 2, has_more: false },
    });
    expect(created.promotion.tiers).toMatchObject([
      { name: 'First', hierarchy: 1, action: tenPercent, active: true, promotion_id: created.id },
      { name: 'Second', hierarchy: 2, action: { discount: null }, banner: 'Look', active: false },
    ]);
    expect((await call('GET', `/v1/campaigns/${created.id}`)).body).toEqual(created);
    const { body } = await call('GET', '/v1/campaigns?campaign_type=PROMOTION&limit=100');
    expect((body.campaigns as Json[]).find(({ id }) => id === created.id)).toEqual(created);
    const { body: tiers } = await call('GET', `/v1/promotions/${created.id}/tiers`);
    expect(tiers).toEqual(created.promotion);
  });

  it('is one where it has tiers, and may have none', async () => {
    const { body } = await call('POST', '/v1/campaigns', { name: 'By its tiers', promotion: {} });
    expect(body).toMatchObject({ campaign_type: 'PROMOTION', promotion: { tiers: [], total: 0 } });
  });

  it.each<[string, Json, Json]>([
    [
      'a tier without a name',
      { promotion: { tiers: [{ banner: 'x' }] } },
      {
        status: 400,
        key: 'invalid_payload',
        details: "Property .promotion.tiers[0] should have required property 'name'",
      },
    ],
    [
      'a discount without its value',
      { promotion: { tiers: [{ name: 'a' }, { name: 'b', action: { discount: { type: 'AMOUNT' } } }] } },
      {
        status: 400,
        key: 'invalid_payload',
        details: "Property .promotion.tiers[1].action.discount should have required property 'amount_off'",
      },
    ],
    [
      'more than 100 tiers',
      { promotion: { tiers: Array.from({ length: 101 }, () => ({ name: 'a' })) } },
      {
        status: 400,
        key: 'invalid_payload',
        details: 'Property .promotion.tiers should NOT have more than 100 items',
      },
    ],
    [
      'tiers that are too large together',
      {
        promotion: {
          tiers: Array.from({ length: 12 }, () => ({ name: 'a', metadata: { text: 'x'.repeat(50_000) } })),
        },
      },
      {
        status: 400,
        key: 'invalid_payload',
        details: 'Property .promotion.tiers should NOT be larger than 524288 bytes',
      },
    ],
    [
      'an unknown category of a tier',
      { promotion: { tiers: [{ name: 'a', category_id: 'cat_none' }] } },
      { status: 404, key: 'not_found', resource_type: 'category', resource_id: 'cat_none' },
    ],
    [
      'a tier that ends before its campaign begins',
      { start_date: '2026-05-01', promotion: { tiers: [{ name: 'a', expiration_date: '2026-04-01' }] } },
      {
        status: 400,
        key: 'invalid_payload',
        details:
          'Property .promotion.tiers[0].expiration_date must not be before .start_date (2026-05-01T00:00:00.000Z)',
      },
    ],
    [
      'a tier whose category is named twice',
      { promotion: { tiers: [{ name: 'a' }, { name: 'b', category: 'A', category_id: 'B' }] } },
      {
        status: 400,
        key: 'invalid_payload',
        details: 'Only one of .promotion.tiers[1].category and .promotion.tiers[1].category_id can be given',
      },
    ],
  ])('is refused with %s, and nothing of it is stored', async (_, fields, { status, ...refusal }) => {
    count += 1;
    const name = `Refused ${count}`;
    const refused = await call('POST', '/v1/campaigns', { name, campaign_type: 'PROMOTION', ...fields });
    expect(refused).toMatchObject({ status, body: refusal });
    expect((await call('GET', `/v1/campaigns/${encodeURIComponent(name)}`)).status).toBe(404);
  });

  it('has a name of its own', async () => {
    const { name, id } = await promotion([{ name: 'One' }]);
    const again = await call('POST', '/v1/campaigns', { name, promotion: { tiers: [{ name: 'Two' }] } });
    expect(again).toMatchObject({
      status: 409,
      body: { key: 'duplicate_found', details: `Duplicated campaign exists with name ${name}` },
    });
    expect((await call('GET', `/v1/promotions/${id}/tiers`)).body).toMatchObject({ total: 1 });
  });

  it('is changed at once: no voucher has to follow', async () => {
    const { id } = await promotion([{ name: 'One' }]);
    const { body } = await call('PUT', `/v1/campaigns/${id}`, { expiration_date: '2099-01-01' });
    const done = { creation_status: 'DONE', vouchers_generation_status: 'DONE' };
    expect(body).toMatchObject({ expiration_date: '2099-01-01T00:00:00.000Z', ...done });
    expect(body.promotion).toMatchObject({ tiers: [{ name: 'One' }], total: 1 });
    expect((await call('GET', `/v1/campaigns/${id}`)).body).toEqual(body);
    const { body: tasks } = await call('GET', '/v1/async-actions?limit=100');
    expect((tasks.async_actions as Json[]).filter(({ type }) => type === 'CAMPAIGN.VOUCHERS_UPDATE')).toEqual(
      [],
    );
  });

  it('has no codes', async () => {
    const { id } = await promotion();
    const added = 'You can not generate vouchers for PROMOTION campaign.';
    for (const [path, body, details] of [
      [`/v1/campaigns/${id}/vouchers`, {}, added],
      [`/v1/campaigns/${id}/vouchers/ONE`, {}, added],
      [
        `/v1/campaigns/${id}/import`,
        [{ code: 'ONE' }],
        'You can not import vouchers to PROMOTION type campaign.',
      ],
      [
        '/v1/vouchers',
        { campaign_id: id, type: 'DISCOUNT_VOUCHER', ...tenPercent },
        'You can not generate vouchers for PROMOTION type campaign.',
      ],
    ] as const)
      expect(await call('POST', path, body)).toMatchObject({
        status: 400,
        body: { key: 'invalid_campaign', details },
      });
  });
});

describe('a promotion tier', () => {
  it('has everything that was sent', async () => {
    const campaign = await promotion([], { category: 'Of campaigns', expiration_date: '2027-01-01' });
    const sent = {
      name: 'Weekdays',
      banner: '10 % off',
      action: tenPercent,
      metadata: { colour: 'red' },
      start_date: '2026-01-01T00:00:00.000Z',
      expiration_date: '2026-06-01T00:00:00.000Z',
      validity_timeframe: { interval: 'P2D', duration: 'P1D' },
      validity_day_of_week: [1, 2, 3, 4, 5],
      category: 'Of tiers',
    };
    const tier = await tierOf(sent, campaign);
    expect(tier).toEqual({
      id: expect.stringMatching(/^promo_/),
      ...sent,
      hierarchy: 1,
      promotion_id: campaign.id,
      campaign_id: campaign.id,
      campaign: {
        id: campaign.id,
        start_date: null,
        expiration_date: '2027-01-01T00:00:00.000Z',
        validity_timeframe: null,
        validity_day_of_week: null,
        validity_hours: null,
        active: true,
        category_id: campaign.category_id,
        object: 'campaign',
      },
      active: true,
      validity_hours: null,
      summary: {
        redemptions: { total_redeemed: 0 },
        orders: { total_amount: 0, total_discount_amount: 0 },
      },
      validation_rule_assignments: { object: 'list', data_ref: 'data', data: [], total: 0 },
      category_id: expect.stringMatching(/^cat_/),
      categories: [expect.objectContaining({ name: 'Of tiers', hierarchy: 1 })],
      created_at: expect.any(String),
      updated_at: null,
      object: 'promotion_tier',
    });
    expect((await call('GET', `/v1/promotions/tiers/${tier.id}`)).body).toEqual(tier);
  });

  it('is created in a campaign named by its name, behind the others', async () => {
    const campaign = await promotion([{ name: 'First' }, { name: 'Second' }]);
    const path = `/v1/promotions/${encodeURIComponent(campaign.name as string)}/tiers`;
    const { body } = await call('POST', path, { name: 'Third' });
    expect(body).toMatchObject({ hierarchy: 3, campaign_id: campaign.id });
    expect((await call('GET', path)).body).toMatchObject({ total: 3 });
  });

  it('is inserted at its place, and the others shift down', async () => {
    const campaign = await promotion([{ name: 'First' }, { name: 'Second' }, { name: 'Third' }]);
    const order = async () =>
      ((await call('GET', `/v1/promotions/${campaign.id}/tiers`)).body.tiers as Json[]).map(
        ({ name, hierarchy }) => `${hierarchy} ${name}`,
      );
    const tier = await tierOf({ name: 'New', hierarchy: 2 }, campaign);
    expect(await order()).toEqual(['1 First', '2 New', '3 Second', '4 Third']);
    await call('PUT', `/v1/promotions/tiers/${tier.id}`, { hierarchy: 1 });
    expect(await order()).toEqual(['1 New', '2 First', '3 Second', '4 Third']);
    await call('PUT', `/v1/promotions/tiers/${tier.id}`, { hierarchy: 4 });
    expect(await order()).toEqual(['2 First', '3 Second', '4 New', '5 Third']);
    await call('DELETE', `/v1/promotions/tiers/${tier.id}`);
    expect(await order()).toEqual(['2 First', '3 Second', '5 Third']);
    expect(await tierOf({}, campaign)).toMatchObject({ hierarchy: 6 });
  });

  it('is changed in what is sent, and null clears', async () => {
    const { id } = await tierOf({
      action: tenPercent,
      banner: 'Look',
      category: 'Of tiers',
      metadata: { a: 1 },
    });
    const path = `/v1/promotions/tiers/${id}`;
    const { body } = await call('PUT', path, { name: 'Two', metadata: { b: 2 }, active: false });
    expect(body).toMatchObject({
      name: 'Two',
      banner: 'Look',
      action: tenPercent,
      metadata: { a: 1, b: 2 },
      active: true,
      category: 'Of tiers',
    });
    expect(body.updated_at).not.toBeNull();
    const { body: cleared } = await call('PUT', path, { banner: null, action: null, category: null });
    expect(cleared).toMatchObject({
      name: 'Two',
      action: { discount: null },
      category: null,
      categories: [],
    });
    expect(cleared).not.toHaveProperty('banner');
    expect((await call('GET', path)).body).toEqual(cleared);
  });

  it('shows its category as it is now', async () => {
    const tier = await tierOf(
      { category: 'Before' },
      await promotion([{ name: 'First', category: 'Before' }]),
    );
    const named = { name: 'After', hierarchy: 7 };
    expect((await call('PUT', `/v1/categories/${tier.category_id}`, named)).status).toBe(200);
    const shown = { category: 'After', category_id: tier.category_id, categories: [named] };
    expect((await call('GET', `/v1/promotions/tiers/${tier.id}`)).body).toMatchObject(shown);
    const tiers = [shown, shown];
    expect((await call('GET', `/v1/promotions/${tier.campaign_id}/tiers`)).body).toMatchObject({ tiers });
    expect((await call('GET', `/v1/campaigns/${tier.campaign_id}`)).body.promotion).toMatchObject({ tiers });
    expect((await call('DELETE', `/v1/categories/${tier.category_id}`)).status).toBe(204);
    expect((await call('GET', `/v1/promotions/tiers/${tier.id}`)).body).toMatchObject({
      category: null,
      category_id: null,
      categories: [],
    });
  });

  it('is enabled and disabled', async () => {
    const { id } = await tierOf();
    const path = `/v1/promotions/tiers/${id}`;
    expect(await call('POST', `${path}/disable`)).toMatchObject({ status: 200, body: { id, active: false } });
    expect(await call('POST', `${path}/disable`)).toMatchObject({ status: 200, body: { id, active: false } });
    expect(await call('POST', `${path}/enable`)).toMatchObject({ status: 200, body: { id, active: true } });
  });

  it('is gone once it is deleted', async () => {
    const tier = await tierOf();
    const path = `/v1/promotions/tiers/${tier.id}`;
    expect((await call('DELETE', path)).status).toBe(204);
    for (const [method, to] of [
      ['GET', path],
      ['PUT', path],
      ['DELETE', path],
      ['POST', `${path}/enable`],
      ['POST', `${path}/disable`],
    ] as const)
      expect(await call(method, to, method === 'PUT' ? {} : undefined)).toMatchObject({
        status: 404,
        body: {
          key: 'not_found',
          message: 'Resource not found',
          details: `Cannot find promotion_tier with id ${tier.id}`,
          resource_id: tier.id,
          resource_type: 'promotion_tier',
        },
      });
    expect((await call('GET', `/v1/promotions/${tier.campaign_id}/tiers`)).body).toMatchObject({ total: 0 });
  });

  it.each(['GET', 'POST'])('is unknown in an unknown campaign: %s', async (method) => {
    expect(
      await call(method, '/v1/promotions/camp_none/tiers', method === 'POST' ? { name: 'One' } : undefined),
    ).toMatchObject({
      status: 404,
      body: {
        key: 'not_found',
        details: 'Cannot find campaign with id camp_none',
        resource_type: 'campaign',
      },
    });
  });

  it.each(['GET', 'POST'])('cannot be of a campaign of another kind: %s', async (method) => {
    count += 1;
    const { body: coupons } = await call('POST', '/v1/campaigns', {
      name: `Coupons ${count}`,
      voucher: { type: 'DISCOUNT_VOUCHER', ...tenPercent },
    });
    const path = `/v1/promotions/${coupons.id}/tiers`;
    expect(await call(method, path, method === 'POST' ? { name: 'One' } : undefined)).toMatchObject({
      status: 400,
      body: {
        key: 'invalid_campaign',
        message: 'Invalid Campaign',
        details: `Campaign ${coupons.id} is not a promotion campaign.`,
      },
    });
  });

  it.each<[Json, string]>([
    [{}, "Payload should have required property 'name'"],
    [{ name: 'One', hierarchy: 0 }, 'Property .hierarchy must be >= 1'],
    [{ name: 'One', action: { discount: { type: 'OTHER' } } }, 'Property .action.discount.type'],
    [
      { name: 'One', action: { discount: { type: 'FIXED' } } },
      "Property .action.discount should have required property 'fixed_amount'",
    ],
    [{ name: 'One', category: 'A', category_id: 'B' }, 'Only one of .category and .category_id can be given'],
    [
      { name: 'One', validity_timeframe: { interval: 'P1D', duration: 'PT1H' } },
      'Property .validity_timeframe requires .start_date',
    ],
  ])('is refused as %j', async (body, details) => {
    const { id } = await promotion();
    const refused = await call('POST', `/v1/promotions/${id}/tiers`, body);
    expect(refused).toMatchObject({ status: 400, body: { key: 'invalid_payload' } });
    expect(refused.body.details).toContain(details);
  });

  it('is refused with an unknown category', async () => {
    const { id } = await promotion();
    const refusal = { status: 404, body: { resource_type: 'category', resource_id: 'cat_none' } };
    const body = { name: 'One', category_id: 'cat_none' };
    expect(await call('POST', `/v1/promotions/${id}/tiers`, body)).toMatchObject(refusal);
    const tier = await tierOf();
    expect(await call('PUT', `/v1/promotions/tiers/${tier.id}`, body)).toMatchObject(refusal);
  });

  it('has a name', async () => {
    const { id } = await tierOf();
    expect(await call('PUT', `/v1/promotions/tiers/${id}`, { name: null })).toMatchObject({
      status: 400,
      body: { details: 'Property .name should be string' },
    });
  });
});

describe('the list of tiers', () => {
  it('is of all campaigns, by pages, newest first', async () => {
    const mine = await sharedScrip();
    const ask = (path: string) => mine.call('GET', path) as Promise<{ body: Json }>;
    const create = (fields: Json) =>
      mine.call('POST', '/v1/campaigns', { campaign_type: 'PROMOTION', ...fields }) as Promise<{
        body: Json;
      }>;
    await create({ name: 'Gone', expiration_date: '2020-01-01', promotion: { tiers: [{ name: 'Gone' }] } });
    await create({
      name: 'Lasting',
      promotion: {
        tiers: [
          { name: 'Off', active: false },
          { name: 'Over', expiration_date: '2020-01-01' },
          { name: 'On' },
        ],
      },
    });
    const names = async (query: string) =>
      ((await ask(`/v1/promotions/tiers${query}`)).body.tiers as Json[]).map(({ name }) => name as string);
    expect((await names('')).sort()).toEqual(['Gone', 'Off', 'On', 'Over']);
    expect(await names('?is_available=true')).toEqual(['On']);
    const { body } = await ask('/v1/promotions/tiers?limit=1&page=2&order=created_at');
    expect(body).toMatchObject({ object: 'list', data_ref: 'tiers', total: 4, has_more: true });
    expect((await names('?order=created_at'))[0]).toBe('Gone');
  });

  it('is for browsers of those in force, without what the shop notes and counts', async () => {
    const origin = 'https://shop.example.com';
    const mine = await sharedScrip();
    const { client_app_id, client_token, project_id } = mine.credentials;
    const switches = { client_trusted_domains: [origin] };
    await mine.manage('PUT', `/management/v1/projects/${project_id}`, switches);
    const metadata = { margin: 40 };
    const campaign = (name: string, fields: Json, tiers: Json[]) =>
      mine.call('POST', '/v1/campaigns', { name, ...fields, promotion: { tiers } }) as Promise<{
        body: Json;
      }>;
    await campaign('Now', { start_date: '2020-01-01' }, [
      { name: 'On', metadata, action: tenPercent },
      { name: 'Off', active: false },
      { name: 'Over', expiration_date: '2020-02-01' },
      { name: 'To come', start_date: '2099-01-01' },
    ]);
    await campaign('Later', { start_date: '2099-01-01' }, [
      { name: 'Ahead', start_date: '2020-01-01' },
      { name: 'With its campaign' },
    ]);
    const { body: stopped } = await campaign('Stopped', {}, [{ name: 'Stopped' }]);
    await mine.call('POST', `/v1/campaigns/${stopped.id as string}/disable`);
    const headers = { 'x-client-application-id': client_app_id, 'x-client-token': client_token, origin };
    const list = async (query: string) =>
      (await mine.call('GET', `/client/v1/promotions/tiers${query}`, undefined, headers)) as {
        status: number;
        body: Json;
      };
    const named = ({ body }: { body: Json }): string[] =>
      (body.tiers as Json[]).map(({ name }) => name as string).sort();
    for (const query of ['', '?is_available=false', '?is_available=true'])
      expect(named(await list(query))).toEqual(['Ahead', 'On']);
    const { body } = await list('?order=created_at');
    expect(body).toMatchObject({ total: 2, has_more: false });
    expect((body.tiers as Json[]).find(({ name }) => name === 'On')).toMatchObject({
      action: tenPercent,
      metadata: {},
      summary: { redemptions: { total_redeemed: 0 } },
      campaign: { start_date: '2020-01-01T00:00:00.000Z' },
    });
    const { body: servers } = (await mine.call('GET', '/v1/promotions/tiers?limit=100')) as { body: Json };
    expect(servers).toMatchObject({ total: 7 });
    expect((servers.tiers as Json[]).find(({ name }) => name === 'On')).toMatchObject({ metadata });
  });

  it.each(['?limit=101', '?page=101', '?order=name', '?is_available=perhaps'])(
    'refuses %s',
    async (query) => {
      const { status, body } = await call('GET', `/v1/promotions/tiers${query}`);
      expect([status, ['invalid_query_params', 'page_over_limit'].includes(body.key as string)]).toEqual([
        400,
        true,
      ]);
    },
  );
});
