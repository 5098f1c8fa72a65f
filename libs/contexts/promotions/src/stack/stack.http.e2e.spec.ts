import { type ScripProject, sharedScrip, waitUntil } from '@scrip/testing';

type Json = Record<string, any>;

let scrip: ScripProject;
let count = 0;

beforeAll(async () => {
  scrip = await sharedScrip();
}, 240_000);

const call = async (method: string, path: string, body?: unknown): Promise<{ status: number; body: Json }> =>
  scrip.call(method as 'GET', path, body) as Promise<{ status: number; body: Json }>;

interface Promotion {
  id: string;
  name: string;
  tiers: string[];
  path: string;
}

/** A promotion campaign of its own for each test, with tiers. */
const promotion = async (tiers = 3): Promise<Promotion> => {
  count += 1;
  const { status, body } = await call('POST', '/v1/campaigns', {
    name: `Stacked ${count}`,
    promotion: { tiers: Array.from({ length: tiers }, (_, index) => ({ name: `Tier ${index + 1}` })) },
  });
  expect([status, body]).toEqual([200, body]);
  const ids = (body.promotion.tiers as Json[]).map(({ id }) => id as string);
  return { id: body.id, name: body.name, tiers: ids, path: `/v1/promotions/${body.id}/stacks` };
};
const stackOf = async (campaign: Promotion, fields: Json = {}): Promise<Json> => {
  const { status, body } = await call('POST', campaign.path, {
    name: 'One',
    tiers: { ids: campaign.tiers },
    ...fields,
  });
  expect([status, body]).toEqual([200, body]);
  return body;
};
const unknownStack = (id: string) => ({
  status: 404,
  body: {
    key: 'not_found',
    message: 'Resource not found',
    details: `Cannot find promotion_stack with id ${id}`,
    resource_id: id,
    resource_type: 'promotion_stack',
  },
});

describe('a promotion stack', () => {
  it('has its tiers in the order that was sent', async () => {
    const campaign = await promotion();
    const [first, second, third] = campaign.tiers;
    const ids = [third, first, second];
    const stack = await stackOf(campaign, {
      name: 'Breakfast',
      tiers: { ids, hierarchy_mode: 'MANUAL' },
      category: 'Of stacks',
    });
    expect(stack).toEqual({
      id: expect.stringMatching(/^stack_/),
      name: 'Breakfast',
      tiers: { ids, hierarchy_mode: 'MANUAL' },
      campaign_id: campaign.id,
      category: 'Of stacks',
      category_id: expect.stringMatching(/^cat_/),
      categories: [expect.objectContaining({ name: 'Of stacks', hierarchy: 1 })],
      created_at: expect.any(String),
      updated_at: null,
      object: 'promotion_stack',
    });
    expect((await call('GET', `${campaign.path}/${stack.id}`)).body).toEqual(stack);
    const byName = `/v1/promotions/${encodeURIComponent(campaign.name)}/stacks`;
    expect((await call('GET', `${byName}/${stack.id}`)).body).toEqual(stack);
    expect((await call('GET', byName)).body).toEqual({
      object: 'list',
      data_ref: 'data',
      data: [stack],
      total: 1,
    });
  });

  it('is changed in what is sent, and null clears the category', async () => {
    const campaign = await promotion();
    const { id, created_at, category_id } = await stackOf(campaign, { category: 'Of stacks' });
    const path = `${campaign.path}/${id}`;
    const ids = [campaign.tiers[1]];
    const { body } = await call('PUT', path, { name: 'Two', tiers: { ids } });
    expect(body).toMatchObject({ id, created_at, category_id, name: 'Two', tiers: { ids } });
    expect(body.updated_at).not.toBeNull();
    const { body: cleared } = await call('PUT', path, {
      tiers: { hierarchy_mode: 'MANUAL' },
      category_id: null,
    });
    const uncategorised = { category: null, category_id: null, categories: [] };
    expect(cleared).toMatchObject({ name: 'Two', tiers: { ids }, ...uncategorised });
    expect((await call('GET', path)).body).toEqual(cleared);
  });

  it('shows its category as it is now', async () => {
    const campaign = await promotion();
    const { id, category_id } = await stackOf(campaign, { category: 'Before stacks' });
    const renamed = { name: 'After stacks', hierarchy: 7 };
    expect((await call('PUT', `/v1/categories/${category_id}`, renamed)).status).toBe(200);
    const shown = { category: 'After stacks', category_id, categories: [renamed] };
    expect((await call('GET', `${campaign.path}/${id}`)).body).toMatchObject(shown);
    expect((await call('GET', campaign.path)).body).toMatchObject({ data: [shown] });
    expect((await call('DELETE', `/v1/categories/${category_id}`)).status).toBe(204);
    const { body } = await call('GET', `${campaign.path}/${id}`);
    expect(body).toMatchObject({ category: null, category_id: null, categories: [] });
  });

  it('loses a tier that is deleted, and goes with its last one', async () => {
    const campaign = await promotion(2);
    const [first, second] = campaign.tiers as [string, string];
    const { id } = await stackOf(campaign, { tiers: { ids: [second, first] } });
    expect((await call('DELETE', `/v1/promotions/tiers/${second}`)).status).toBe(204);
    const { body } = await call('GET', `${campaign.path}/${id}`);
    expect(body).toMatchObject({ tiers: { ids: [first] } });
    expect(body.updated_at).not.toBeNull();
    expect((await call('DELETE', `/v1/promotions/tiers/${first}`)).status).toBe(204);
    expect(await call('GET', `${campaign.path}/${id}`)).toMatchObject(unknownStack(id));
    expect((await call('GET', campaign.path)).body).toMatchObject({ data: [], total: 0 });
  });

  it('is gone once it is deleted, and its tiers stay', async () => {
    const campaign = await promotion();
    const { id } = await stackOf(campaign);
    const path = `${campaign.path}/${id}`;
    expect((await call('DELETE', path)).status).toBe(204);
    for (const [method, body] of [['GET'], ['PUT', { name: 'Two' }], ['DELETE']] as const)
      expect(await call(method, path, body)).toMatchObject(unknownStack(id));
    const { body } = await call('GET', `/v1/promotions/${campaign.id}/tiers`);
    expect(body).toMatchObject({ total: 3 });
  });

  it('is unknown in another campaign', async () => {
    const { id } = await stackOf(await promotion());
    const { path } = await promotion();
    for (const [method, body] of [['GET'], ['PUT', { name: 'Two' }], ['DELETE']] as const)
      expect(await call(method, `${path}/${id}`, body)).toMatchObject(unknownStack(id));
  });

  it.each([
    ['GET', ''],
    ['POST', ''],
    ['GET', '/stack_1'],
    ['PUT', '/stack_1'],
    ['DELETE', '/stack_1'],
  ])('is unknown in an unknown campaign, and none is of another kind: %s %s', async (method, rest) => {
    count += 1;
    const { body: coupons } = await call('POST', '/v1/campaigns', {
      name: `Unstacked ${count}`,
      voucher: { type: 'DISCOUNT_VOUCHER', discount: { type: 'PERCENT', percent_off: 10 } },
    });
    const bodies: Json = { POST: { name: 'One', tiers: { ids: ['promo_1'] } }, PUT: { name: 'Two' } };
    const body = bodies[method] as unknown;
    expect(await call(method, `/v1/promotions/camp_none/stacks${rest}`, body)).toMatchObject({
      status: 404,
      body: { key: 'not_found', resource_type: 'campaign', resource_id: 'camp_none' },
    });
    expect(await call(method, `/v1/promotions/${coupons.id}/stacks${rest}`, body)).toMatchObject({
      status: 400,
      body: {
        key: 'invalid_campaign',
        details: `Campaign ${coupons.id} is not a promotion campaign.`,
      },
    });
  });

  it('takes tiers of its campaign only, and names the first that is none', async () => {
    const campaign = await promotion();
    const { tiers } = await promotion(1);
    const { id } = await stackOf(campaign);
    for (const unknown of [tiers[0]!, 'promo_none']) {
      const body = { name: 'One', tiers: { ids: [campaign.tiers[0], unknown, 'promo_other'] } };
      const refusal = {
        status: 404,
        body: { key: 'not_found', resource_type: 'promotion_tier', resource_id: unknown },
      };
      expect(await call('POST', campaign.path, body)).toMatchObject(refusal);
      expect(await call('PUT', `${campaign.path}/${id}`, body)).toMatchObject(refusal);
    }
    const { body: stored } = await call('GET', `${campaign.path}/${id}`);
    expect(stored).toMatchObject({ tiers: { ids: campaign.tiers } });
  });

  const ids = (length: number) => Array.from({ length }, (_, index) => `promo_${index}`);
  it.each<[string, Json, string]>([
    ['POST', { tiers: { ids: ids(1) } }, "Payload should have required property 'name'"],
    ['POST', { name: 'One' }, "Payload should have required property 'tiers'"],
    ['POST', { name: 'One', tiers: {} }, "Property .tiers should have required property 'ids'"],
    ['POST', { name: 'One', tiers: { ids: [] } }, 'Property .tiers.ids should NOT have fewer than 1 items'],
    ['PUT', { tiers: { ids: [] } }, 'Property .tiers.ids should NOT have fewer than 1 items'],
    [
      'POST',
      { name: 'One', tiers: { ids: ids(31) } },
      'Property .tiers.ids should NOT have more than 30 items',
    ],
    ['PUT', { tiers: { ids: ids(31) } }, 'Property .tiers.ids should NOT have more than 30 items'],
    [
      'POST',
      { name: 'One', tiers: { ids: ['a', 'b', 'a'] } },
      'Property .tiers.ids should NOT have duplicate items',
    ],
    ['PUT', { tiers: { ids: ['a', 'b', 'a'] } }, 'Property .tiers.ids should NOT have duplicate items'],
    ['PUT', { tiers: { ids: null } }, 'Property .tiers.ids should be array'],
    ['PUT', { tiers: null }, 'Property .tiers should be object'],
    ['PUT', { name: null }, 'Property .name should be string'],
    [
      'PUT',
      { tiers: { hierarchy_mode: 'AUTO' } },
      'Property .tiers.hierarchy_mode should be equal to one of the allowed values [ MANUAL ]',
    ],
    ['PUT', { category: 'A', category_id: 'B' }, 'Only one of .category and .category_id can be given'],
  ])('is refused: %s %j', async (method, body, details) => {
    const campaign = await promotion(1);
    const path = method === 'PUT' ? `${campaign.path}/${(await stackOf(campaign)).id}` : campaign.path;
    const refused = await call(method, path, body);
    expect(refused).toMatchObject({ status: 400, body: { key: 'invalid_payload', details } });
  });

  it('takes 30 tiers', async () => {
    const campaign = await promotion(30);
    const { tiers } = await stackOf(campaign);
    expect(tiers).toEqual({ ids: campaign.tiers, hierarchy_mode: 'MANUAL' });
  });

  it('is refused with an unknown category', async () => {
    const campaign = await promotion(1);
    const refusal = { status: 404, body: { resource_type: 'category', resource_id: 'cat_none' } };
    const { id } = await stackOf(campaign);
    const body = { name: 'Two', tiers: { ids: campaign.tiers }, category_id: 'cat_none' };
    expect(await call('POST', campaign.path, body)).toMatchObject(refusal);
    expect(await call('PUT', `${campaign.path}/${id}`, body)).toMatchObject(refusal);
  });
});

describe('the list of stacks', () => {
  it('is of all campaigns, by pages, newest first', async () => {
    scrip = await sharedScrip();
    const [one, other] = [await promotion(), await promotion()];
    await stackOf(one, { name: 'B' });
    const changed = await stackOf(other, { name: 'A' });
    await stackOf(one, { name: 'C' });
    await call('PUT', `${other.path}/${changed.id}`, { tiers: { ids: [other.tiers[0]] } });
    const names = async (query: string, path = '/v1/promotions/stacks'): Promise<string[]> => {
      const { status, body } = await call('GET', `${path}${query}`);
      expect([status, body]).toEqual([200, body]);
      return (body.data as Json[]).map(({ name }) => name as string);
    };
    expect(await names('')).toEqual(['C', 'A', 'B']);
    expect(await names('?order=created_at')).toEqual(['B', 'A', 'C']);
    expect(await names('?order=name')).toEqual(['A', 'B', 'C']);
    expect(await names('?order=-name')).toEqual(['C', 'B', 'A']);
    expect((await names('?order=-updated_at'))[0]).toBe('A');
    expect((await names('?order=updated_at'))[2]).toBe('A');
    expect(await names('?limit=1&page=2&order=name')).toEqual(['B']);
    expect(await names(`?created_at[after]=${changed.created_at as string}`)).toEqual(['C']);
    expect(await names(`?created_at[before]=${changed.created_at as string}`)).toEqual(['B']);
    expect(await names('?updated_at[after]=2020-01-01')).toEqual(['A']);
    expect(await names('', one.path)).toEqual(['C', 'B']);
    expect(await names('?order=name&limit=1&page=2', one.path)).toEqual(['C']);
    expect((await call('GET', '/v1/promotions/stacks?limit=1')).body).toMatchObject({ total: 3 });
  });

  it.each(['?limit=101', '?page=101', '?order=hierarchy', '?created_at[after]=yesterday'])(
    'refuses %s',
    async (query) => {
      const { status, body } = await call('GET', `/v1/promotions/stacks${query}`);
      expect([status, ['invalid_query_params', 'page_over_limit'].includes(body.key as string)]).toEqual([
        400,
        true,
      ]);
    },
  );
});

describe('a promotion campaign that is deleted', () => {
  it.each(['', '?force=true'])('takes its tiers and stacks along: %s', async (query) => {
    const campaign = await promotion();
    const { id } = await stackOf(campaign);
    expect((await call('DELETE', `/v1/campaigns/${campaign.id}${query}`)).status).toBe(202);
    expect((await call('GET', `/v1/campaigns/${campaign.id}`)).status).toBe(404);
    const tiers = `/v1/promotions/${campaign.id}/tiers`;
    await waitUntil(async () => (await call('GET', tiers)).status === 404, {
      what: 'the deletion to reach the tiers',
    });
    for (const path of [tiers, campaign.path, `${campaign.path}/${id}`])
      expect([path, await call('GET', path)]).toMatchObject([
        path,
        { status: 404, body: { resource_type: 'campaign', resource_id: campaign.id } },
      ]);
    for (const tier of campaign.tiers)
      expect(await call('GET', `/v1/promotions/tiers/${tier}`)).toMatchObject({
        status: 404,
        body: { resource_type: 'promotion_tier' },
      });
    const { body } = await call('GET', '/v1/promotions/stacks?limit=100');
    expect((body.data as Json[]).filter(({ campaign_id }) => campaign_id === campaign.id)).toEqual([]);
    const { body: bin } = await call('GET', '/v1/trash-bin?limit=100');
    const [entry] = (bin.data as Json[]).filter(({ resource_id }) => resource_id === campaign.id);
    expect(entry === undefined).toBe(query !== '');
    if (entry) expect((await call('DELETE', `/v1/trash-bin/${entry.id}`)).status).toBe(204);
    const name = { name: campaign.name, promotion: { tiers: [{ name: 'Anew' }] } };
    expect((await call('POST', '/v1/campaigns', name)).status).toBe(200);
  });
});
