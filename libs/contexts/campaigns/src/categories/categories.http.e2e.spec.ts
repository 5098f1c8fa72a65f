import { newId } from '@scrip/kernel';
import { sharedScrip, type SharedScrip, waitUntil } from '@scrip/testing';

describe('categories', () => {
  let scrip: SharedScrip;
  let rules: string;

  beforeAll(async () => {
    scrip = await sharedScrip();
    rules = `/management/v1/projects/${scrip.credentials.project_id}/stacking-rules`;
  }, 240_000);

  const ask = (method: string, path = '', body?: unknown) =>
    scrip.call(method, `/v1/categories${path}`, body);
  const create = async (name: string, hierarchy = 1) => {
    const { status, body } = await ask('POST', '', { name, hierarchy });
    expect([status, body]).toEqual([200, expect.anything()]);
    return body as Record<string, any>;
  };

  it('are created, shown, changed, listed newest first and deleted', async () => {
    const first = await create('First', 0);
    expect(first).toEqual({
      id: expect.stringMatching(/^cat_[0-9a-f]{32}$/),
      object: 'category',
      name: 'First',
      hierarchy: 0,
      created_at: expect.any(String),
    });
    const second = await create('Second', 7);
    const changed = await ask('PUT', `/${first.id}`, { name: 'Best', hierarchy: 2 });
    expect(changed).toMatchObject({
      status: 200,
      body: { ...first, name: 'Best', hierarchy: 2, updated_at: expect.any(String) },
    });
    expect((await ask('GET', `/${first.id}`)).body).toEqual(changed.body);
    expect((await ask('GET')).body).toEqual({
      ...{ object: 'list', data_ref: 'data', total: 2 },
      data: [second, changed.body],
    });
    for (const { id } of [first, second]) expect((await ask('DELETE', `/${id}`)).status).toBe(204);
    expect((await ask('GET')).body).toMatchObject({ total: 0, data: [] });
  });

  it('show a new time of change after each PUT', async () => {
    const { id, name, hierarchy } = await create('Refreshed');
    const { body: one } = await ask('PUT', `/${id}`, { name, hierarchy });
    const later = async () => {
      const { body } = await ask('PUT', `/${id}`, { name, hierarchy });
      return Date.parse(body.updated_at as string) > Date.parse(one.updated_at as string);
    };
    await waitUntil(later, { what: 'a later time of change' });
  });

  it.each<[object, string]>([
    [{ hierarchy: 1 }, "Payload should have required property 'name'"],
    [{ name: 'A' }, "Payload should have required property 'hierarchy'"],
    [{ name: 'A', hierarchy: -1 }, 'Property .hierarchy must be >= 0'],
    [{ name: 'A', hierarchy: 1_000_001 }, 'Property .hierarchy must be <= 1000000'],
    [{ name: 'A', hierarchy: 1.5 }, 'Property .hierarchy should be integer'],
    [{ name: '', hierarchy: 1 }, 'Property .name should NOT be shorter than 1 characters'],
  ])('are refused as %j', async (body, details) => {
    const { id } = await create(`Refusing ${JSON.stringify(body)}`);
    const refused = { status: 400, body: { key: 'invalid_payload', details } };
    expect(await ask('POST', '', body)).toMatchObject(refused);
    expect(await ask('PUT', `/${id}`, body)).toMatchObject(refused);
  });

  it('have names of their own', async () => {
    await create('Taken');
    const other = await create('Other');
    const refused = {
      status: 409,
      body: {
        key: 'duplicate_found',
        details: 'Duplicated category exists with name Taken',
        resource_id: 'Taken',
        resource_type: 'category',
      },
    };
    expect(await ask('POST', '', { name: 'Taken', hierarchy: 1 })).toMatchObject(refused);
    expect(await ask('PUT', `/${other.id}`, { name: 'Taken', hierarchy: 1 })).toMatchObject(refused);
    expect((await ask('PUT', `/${other.id}`, { name: 'Other', hierarchy: 3 })).status).toBe(200);
  });

  it('are unknown once they are deleted', async () => {
    const { id } = await create('Gone');
    await ask('DELETE', `/${id}`);
    const unknown = {
      status: 404,
      body: {
        key: 'not_found',
        details: `Cannot find category with id ${id}`,
        resource_id: id,
        resource_type: 'category',
      },
    };
    expect(await ask('GET', `/${id}`)).toMatchObject(unknown);
    expect(await ask('PUT', `/${id}`, { name: 'Gone', hierarchy: 1 })).toMatchObject(unknown);
    expect(await ask('DELETE', `/${id}`)).toMatchObject(unknown);
  });

  it('are kept by stacking rules that name them, unless these are to let them go', async () => {
    const [kept, other] = [await create('Kept'), await create('Another')];
    const { body: made } = await scrip.callAsManager('POST', rules, {
      exclusive_categories: [kept.id, other.id],
      no_effect_skip_categories: [kept.id],
      applicable_redeemables_category_limits: { [kept.id]: 2, [other.id]: 3 },
    });
    expect(await ask('DELETE', `/${kept.id}`)).toMatchObject({
      status: 400,
      body: {
        key: 'resource_in_use',
        message: 'Resource in use',
        details: `Resource category with id ${kept.id} is in use by stacking_rules with ids [${made.id}]`,
        ...{ resource_id: kept.id, resource_type: 'category' },
        related_object_ids: [made.id],
        related_object_type: 'stacking_rules',
      },
    });
    expect((await ask('DELETE', `/${kept.id}?remove_from_stacking_rules=true`)).status).toBe(204);
    expect((await ask('GET', `/${kept.id}`)).status).toBe(404);
    const { body: left } = await scrip.callAsManager('GET', `${rules}/${made.id}`);
    expect(left).toEqual({
      ...made,
      exclusive_categories: [other.id],
      no_effect_skip_categories: [],
      applicable_redeemables_category_limits: { [other.id]: 3 },
      updated_at: expect.any(String),
    });
    await scrip.callAsManager('DELETE', `${rules}/${made.id}`);
    expect((await ask('DELETE', `/${other.id}`)).status).toBe(204);
  });

  describe('of campaigns and vouchers', () => {
    const discount = { type: 'DISCOUNT_VOUCHER', discount: { type: 'PERCENT', percent_off: 10 } };
    const held = (one: Record<string, any>) => ({
      category: one.category,
      category_id: one.category_id,
      categories: one.categories,
    });
    const shown = (category: Record<string, any>) => ({
      category: category.name,
      category_id: category.id,
      categories: [category],
    });
    const none = { category: null, category_id: null, categories: [] };

    let named: Record<string, any>;
    let campaign: Record<string, any>;
    /** A generated code, one that was added, and one with a category of its own. */
    let codes: [string, string, string];

    beforeEach(async () => {
      named = await create(newId('Name '));
      campaign = (
        await scrip.call('POST', '/v1/campaigns', {
          name: newId('Campaign '),
          campaign_type: 'DISCOUNT_COUPONS',
          vouchers_count: 2,
          voucher: discount,
          category_id: named.id,
        })
      ).body;
      const vouchers = `/v1/campaigns/${campaign.id}/vouchers`;
      const added = await scrip.call('POST', vouchers, {});
      const own = await scrip.call('POST', vouchers, { category: newId('Own ') });
      const generated = async () =>
        (await listed(`campaign_id=${campaign.id}`)).find(
          ({ code }) => code !== added.body.code && code !== own.body.code,
        );
      await waitUntil(async () => (await generated()) !== undefined, { what: 'a generated code' });
      codes = [(await generated())!.code, added.body.code, own.body.code];
    });

    const listed = async (query: string): Promise<Record<string, any>[]> =>
      (await scrip.call('GET', `/v1/vouchers?${query}`)).body.vouchers;
    const everywhere = async () => {
      const [{ body: one }, { body: all }, vouchers, ...alone] = await Promise.all([
        scrip.call('GET', `/v1/campaigns/${campaign.id}`),
        scrip.call(
          'GET',
          `/v1/campaigns?expand=category&filters[campaigns_id][conditions][$is]=${campaign.id}`,
        ),
        listed(`campaign_id=${campaign.id}`),
        ...codes.slice(0, 2).map((code) => scrip.call('GET', `/v1/vouchers/${code}`)),
      ]);
      const others = vouchers.filter(({ code }) => code !== codes[2]);
      expect(others).toHaveLength(3);
      return [one, ...all.campaigns, ...others, ...alone.map(({ body }) => body)].map(held);
    };
    const found = async (filter: string) => ({
      campaigns: (await scrip.call('GET', `/v1/campaigns?${filter}`)).body.campaigns.some(
        ({ id }: { id: string }) => id === campaign.id,
      ),
      codes: codes.map(async (code) =>
        (await listed(`${filter}&campaign_id=${campaign.id}`)).some((one) => one.code === code),
      ),
    });
    const findsBy = async (field: string, operator: string, value: string) => {
      const one = await found(
        `filters[${field}][conditions][${operator}]=${encodeURIComponent(value)}&limit=100`,
      );
      return [one.campaigns, ...(await Promise.all(one.codes))];
    };

    it('are shown and found by their new names', async () => {
      expect(await everywhere()).toEqual(Array(7).fill(shown(named)));
      const name = newId('Better ');
      const { body: renamed } = await ask('PUT', `/${named.id}`, { name, hierarchy: 9 });
      expect(await everywhere()).toEqual(Array(7).fill(shown(renamed)));
      expect(await findsBy('categories', '$is', name)).toEqual([true, true, true, false]);
      expect(await findsBy('categories', '$starts_with', name.slice(0, -3))).toEqual([
        true,
        true,
        true,
        false,
      ]);
      expect(await findsBy('categories', '$is', named.name)).toEqual([false, false, false, false]);
      expect(await findsBy('category_ids', '$is', named.id)).toEqual([true, true, true, false]);
      expect(await findsBy('category_ids', '$is_not', named.id)).toEqual([false, false, false, true]);
      expect(await listed(`category=${encodeURIComponent(name)}`)).toHaveLength(3);
    });

    it('are gone once the category is deleted, and do not come back with its name', async () => {
      await ask('DELETE', `/${named.id}`);
      await create(named.name);
      expect(await everywhere()).toEqual(Array(7).fill(none));
      expect(await findsBy('category_ids', '$is', named.id)).toEqual([false, false, false, false]);
      expect(await findsBy('categories', '$is', named.name)).toEqual([false, false, false, false]);
      expect(await findsBy('categories', '$is_unknown', 'true')).toEqual([true, true, true, false]);
      expect(await findsBy('category_ids', '$has_value', 'true')).toEqual([false, false, false, true]);
    });

    it('count with their new hierarchy in the order of stacked vouchers', async () => {
      const { body: made } = await scrip.callAsManager('POST', rules, {
        redeemables_sorting_rule: 'CATEGORY_HIERARCHY',
      });
      const [, first, second] = codes;
      const order = async () => {
        const { body } = await scrip.call('POST', '/v1/validations', {
          redeemables: [first, second].map((id) => ({ object: 'voucher', id })),
          order: { amount: 1_000 },
        });
        return body.redeemables.map(({ id }: { id: string }) => id);
      };
      await ask('PUT', `/${named.id}`, { name: named.name, hierarchy: 5 });
      expect(await order()).toEqual([second, first]);
      await ask('PUT', `/${named.id}`, { name: named.name, hierarchy: 0 });
      expect(await order()).toEqual([first, second]);
      await scrip.callAsManager('DELETE', `${rules}/${made.id}`);
    });
  });
});
