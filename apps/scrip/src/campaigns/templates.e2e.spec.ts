import { type SharedScrip, sharedScrip } from '@scrip/testing';

const templates = '/v1/templates/campaigns';

describe('templates, with the owners of campaigns and tiers', () => {
  let scrip: SharedScrip;
  const send = (path: string, body: object): Promise<any> => scrip.ask('POST', path, body);

  beforeAll(async () => {
    scrip = await sharedScrip();
    const discount = { type: 'PERCENT', percent_off: 10 };
    const voucher = { discount, code_config: { pattern: 'TPL-########' } };
    await send('/v1/campaigns', { name: 'coupons', campaign_type: 'DISCOUNT_COUPONS', voucher });
    const tiers = [
      { name: 'Tier', banner: 'Look', action: { discount: { type: 'AMOUNT', amount_off: 700 } } },
    ];
    await send('/v1/campaigns', { name: 'promotion', promotion: { tiers } });
  }, 240_000);

  it('make campaigns whose codes can be redeemed', async () => {
    const { id } = await send(templates, { name: 'of coupons', campaign_id: 'coupons' });
    const { campaign } = await send(`${templates}/${id}/campaign-setup`, { name: 'made', vouchers_count: 1 });
    const { vouchers } = await scrip.ask<any>('GET', `/v1/vouchers?campaign_id=${campaign.id}`);
    expect(vouchers).toMatchObject([{ code: expect.stringMatching(/^TPL-.{8}$/) }]);
    const redeemed = await send('/v1/redemptions', {
      redeemables: [{ object: 'voucher', id: vouchers[0].code }],
      order: { amount: 10_000 },
    });
    expect(redeemed.order.total_discount_amount).toBe(1_000);
  });

  it('make tiers, which their owner shows and numbers', async () => {
    const { id } = await send(templates, { name: 'for tiers', campaign_id: 'coupons' });
    const path = `${templates}/${id}/tier-setup`;
    const sent = {
      campaign_id: 'promotion',
      name: 'Second',
      category: 'Made',
      metadata: { from: 'template' },
    };
    const { promotion_tier: made } = await send(path, sent);
    expect(made).toMatchObject({
      name: 'Second',
      hierarchy: 2,
      category: 'Made',
      action: { discount: { type: 'PERCENT', percent_off: 10 } },
    });
    expect(await scrip.ask('GET', `/v1/promotions/tiers/${made.id}`)).toEqual(made);
    const early = { ...sent, start_date: '2026-02-01', expiration_date: '2026-01-01' };
    expect(await scrip.call('POST', path, early)).toMatchObject({
      status: 400,
      body: { key: 'invalid_payload', details: expect.stringContaining('.expiration_date') },
    });
    expect(await scrip.call('POST', path, { ...sent, campaign_id: 'coupons' })).toMatchObject({
      status: 400,
      body: { key: 'invalid_campaign' },
    });
  });

  it('are made of tiers, which their owner may delete', async () => {
    const { tiers } = await scrip.ask<any>('GET', '/v1/promotions/promotion/tiers');
    const { id } = await send(templates, { name: 'of a tier', promotion_tier_id: tiers[0].id });
    await scrip.call('DELETE', `/v1/promotions/tiers/${tiers[0].id}`);
    const again = { name: 'of a tier that is gone', promotion_tier_id: tiers[0].id };
    expect(await scrip.call('POST', templates, again)).toMatchObject({
      status: 404,
      body: { resource_type: 'promotion_tier' },
    });
    const { promotion_tier } = await send(`${templates}/${id}/tier-setup`, {
      campaign_id: 'promotion',
      name: 'Again',
    });
    expect(promotion_tier).toMatchObject({
      banner: 'Look',
      action: { discount: { type: 'AMOUNT', amount_off: 700 } },
    });
  });

  it('are listed and copied by managers, into projects where the name is free and nothing refers back', async () => {
    const body = { name: 'Shop', case_sensitive_codes: true, timezone: 'UTC', currency: 'EUR' };
    const { body: other } = await scrip.callAsManager('POST', '/management/v1/projects', body);
    const managed = (project: string) => `/management/v1/projects/${project}${templates.slice(3)}`;
    const own = managed(scrip.credentials.project_id);
    const { id } = await send(templates, { name: 'to copy', description: 'Ours', campaign_id: 'coupons' });
    const filters = 'filters[name][conditions][$is]=to copy';
    const { body: listed } = await scrip.callAsManager('GET', `${own}?include_total=true&limit=1&${filters}`);
    expect(listed).toEqual(await scrip.ask('GET', `${templates}?include_total=true&limit=1&${filters}`));
    expect(listed.data).toMatchObject([{ id }]);

    const copy = { name: 'copied', destination_project_id: other.id };
    const { status, body: copied } = await scrip.callAsManager('POST', `${own}/${id}/copy`, copy);
    expect(status).toBe(200);
    expect(copied).toEqual({
      ...{ id: expect.stringMatching(/^camp_tpl_/), name: 'copied', campaign_type: 'DISCOUNT_COUPONS' },
      ...{ created_at: expect.any(String), object: 'campaign_template' },
    });
    await scrip.call('DELETE', `${templates}/${id}`);
    const { app_id, app_token } = other.server_side_key;
    const keys = { 'x-app-id': app_id, 'x-app-token': app_token, 'content-type': 'application/json' };
    const made = await fetch(`${scrip.origin}${templates}/${copied.id}/campaign-setup`, {
      ...{ method: 'POST', headers: keys, body: JSON.stringify({ name: 'made there', vouchers_count: 1 }) },
    });
    expect([made.status, await made.json()]).toMatchObject([
      200,
      { campaign: { name: 'made there', voucher: { code_config: { pattern: 'TPL-########' } } } },
    ]);
    const { body: there } = await scrip.callAsManager('GET', managed(other.id));
    expect(there).toMatchObject({ data: [{ id: copied.id }], has_more: false });

    const again = await scrip.callAsManager('POST', `${managed(other.id)}/${copied.id}/copy`, copy);
    expect(again).toMatchObject({
      status: 409,
      body: {
        key: 'duplicate_found',
        details: 'Duplicated campaign_template exists with name copied',
      },
    });
    for (const [path, sent, resource] of [
      [`${own}/${id}/copy`, copy, 'campaign_template'],
      [`${managed('proj_none')}/${copied.id}/copy`, copy, 'project'],
      [`${own}/${copied.id}/copy`, copy, 'campaign_template'],
      [`${managed(other.id)}/${copied.id}/copy`, { ...copy, destination_project_id: 'proj_none' }, 'project'],
    ] as const)
      expect(await scrip.callAsManager('POST', path, sent)).toMatchObject({
        status: 404,
        body: { key: 'not_found', resource_type: resource, request_id: expect.any(String) },
      });
  });

  it('keep the rules of their source, which hold for what is made from them', async () => {
    const voucher = { discount: { type: 'PERCENT', percent_off: 10 } };
    const inShops = { name: 'redemption.metadata', property: 'place', conditions: { $is: ['shop'] } };
    const rule = await send('/v1/validation-rules', { name: 'In shops', rules: { 1: inShops } });
    const ruled = { name: 'ruled', campaign_type: 'DISCOUNT_COUPONS', voucher, validation_rules: [rule.id] };
    await send('/v1/campaigns', ruled);
    const { id } = await send(templates, { name: 'of what is ruled', campaign_id: 'ruled' });
    await scrip.ask('PUT', `/v1/validation-rules/${rule.id}`, { rules: {} });

    const made = await send(`${templates}/${id}/campaign-setup`, { name: 'made ruled', vouchers_count: 1 });
    const [clone] = made.created_resources;
    expect(made.created_resources).toEqual([{ id: clone.id, object: 'validation_rules' }]);
    expect(await scrip.ask('GET', `/v1/validation-rules/${clone.id}`)).toMatchObject({
      name: 'In shops',
      rules: { 1: inShops },
      assignments_count: 1,
    });
    const { vouchers } = await scrip.ask<any>('GET', `/v1/vouchers?campaign_id=${made.campaign.id}`);
    const redeem = (metadata: object) =>
      scrip.call('POST', '/v1/redemptions', {
        redeemables: [{ object: 'voucher', id: vouchers[0].code }],
        order: { amount: 10_000 },
        metadata,
      });
    expect((await redeem({ place: 'web' })).status).toBe(400);
    expect((await redeem({ place: 'shop' })).status).toBe(200);

    const { promotion_tier: tier, created_resources } = await send(`${templates}/${id}/tier-setup`, {
      ...{ campaign_id: 'promotion', name: 'Ruled' },
    });
    expect(tier.validation_rule_assignments.data).toMatchObject([
      { rule_id: created_resources[0].id, related_object_id: tier.id },
    ]);
    expect(created_resources[0].id).not.toBe(clone.id);
    const early = { start_date: '2026-02-01', expiration_date: '2026-01-01' };
    const { total } = await scrip.ask<any>('GET', '/v1/validation-rules');
    for (const [kind, sent] of [
      ['campaign', { name: 'made ruled' }],
      ['tier', { campaign_id: 'promotion', name: 'Early', ...early }],
    ] as const)
      expect((await scrip.call('POST', `${templates}/${id}/${kind}-setup`, sent)).status).toBeGreaterThan(
        399,
      );
    expect(await scrip.ask<any>('GET', '/v1/validation-rules')).toMatchObject({ total });
  });

  describe('whose rules and discount name records', () => {
    const circle = (radius: string) => ({
      ...{ type: 'circle', format: 'distance' },
      distance: { center: 'geo:52.23,21.01', radius },
    });
    const inPlace = (location: string) => ({
      junction: 'and',
      'metadata.home': { conditions: { $in_location: [location] } },
    });
    const managed = (path: string) => `/management/v1/projects/${scrip.credentials.project_id}${path}`;
    const names: Record<string, any> = {};
    let template: string;

    beforeAll(async () => {
      const { body: location } = await scrip.callAsManager('POST', managed('/locations'), {
        ...{ name: 'Town', shape: circle('3 km') },
      });
      const gift = await send('/v1/products', { name: 'Gift', source_id: 'gift', price: 500 });
      const segment = await send('/v1/segments', { name: 'Near', filter: inPlace(location.id) });
      const collection = await send('/v1/product-collections', {
        ...{ name: 'Gifts', type: 'AUTO_UPDATE' },
        filter: { junction: 'and', id: { conditions: { $is: [gift.id] } } },
      });
      const rule = await send('/v1/validation-rules', {
        name: 'Near, and never with gifts',
        rules: {
          1: { name: 'customer.segment', conditions: { $is: [segment.id] } },
          2: {
            name: 'order.items.none',
            conditions: { $is: [{ object: 'products_collection', id: collection.id }] },
          },
        },
      });
      await send('/v1/campaigns', {
        ...{ name: 'gifts', campaign_type: 'DISCOUNT_COUPONS', validation_rules: [rule.id] },
        voucher: { discount: { type: 'UNIT', effect: 'ADD_NEW_ITEMS', unit_off: 1, unit_type: gift.id } },
      });
      ({ id: template } = await send(templates, { name: 'of gifts', campaign_id: 'gifts' }));
      Object.assign(names, {
        gift: gift.id,
        segment: segment.id,
        collection: collection.id,
        location: location.id,
      });
    }, 60_000);

    /** Calls of a new project that has a copy of a template; paths without a version are below the copy. */
    const branch = async (id: string, prepare = async (_project: string): Promise<void> => undefined) => {
      const body = { name: 'Branch', case_sensitive_codes: true, timezone: 'UTC', currency: 'EUR' };
      const { body: other } = await scrip.callAsManager('POST', '/management/v1/projects', body);
      await prepare(other.id);
      const copy = { name: 'copied', destination_project_id: other.id };
      const path = managed(`/templates/campaigns/${id}/copy`);
      const { body: copied } = await scrip.callAsManager('POST', path, copy);
      const { app_id, app_token } = other.server_side_key;
      const headers = { 'x-app-id': app_id, 'x-app-token': app_token, 'content-type': 'application/json' };
      return async (method: string, to: string, sent?: object): Promise<any> => {
        const url = `${scrip.origin}${to.startsWith('/v1') ? '' : `${templates}/${copied.id}`}${to}`;
        return (await fetch(url, { method, headers, body: JSON.stringify(sent) })).json();
      };
    };

    const setUp = (name: string, fields = {}) =>
      send(`${templates}/${template}/campaign-setup`, { name, vouchers_count: 1, ...fields });
    const objectsOf = (made: any) => made.created_resources.map(({ object }: any) => object as string);

    it('use them while they are unchanged, and recreate those that change, once', async () => {
      expect(objectsOf(await setUp('gifts again'))).toEqual(['validation_rules']);
      await scrip.callAsManager('PUT', managed(`/locations/${names.location}`), { shape: circle('4 km') });
      const made = await setUp('gifts in town');
      expect(objectsOf(made)).toEqual(['location', 'segments', 'validation_rules']);
      const [location, segment, rule] = made.created_resources;
      expect(await scrip.ask('GET', `/v1/locations/${location.id}`)).toMatchObject({
        name: 'Town',
        shape: circle('3 km'),
      });
      expect(await scrip.ask('GET', `/v1/segments/${segment.id}`)).toMatchObject({
        ...{ name: 'Near', filter: inPlace(location.id) },
      });
      expect(await scrip.ask('GET', `/v1/validation-rules/${rule.id}`)).toMatchObject({
        rules: { 1: { conditions: { $is: [segment.id] } } },
      });
      expect(objectsOf(await setUp('gifts in town again'))).toEqual(['validation_rules']);
    });

    it('refuse a name that is taken before they recreate anything', async () => {
      await scrip.callAsManager('PUT', managed(`/locations/${names.location}`), { shape: circle('5 km') });
      const total = async () => (await scrip.ask<any>('GET', '/v1/segments')).total as number;
      const before = await total();
      const sent = { name: 'gifts in town' };
      expect(await scrip.call('POST', `${templates}/${template}/campaign-setup`, sent)).toMatchObject({
        status: 409,
      });
      expect(await total()).toBe(before);
    });

    it('bring all of them to another project, where what is made can be redeemed', async () => {
      const there = await branch(template);
      const made = await there('POST', '/campaign-setup', {
        ...{ name: 'gifts', vouchers_count: 1 },
      });
      expect(objectsOf(made)).toEqual([
        'location',
        'product',
        'products_collection',
        'segments',
        'validation_rules',
      ]);
      const { vouchers } = await there('GET', `/v1/vouchers?campaign_id=${made.campaign.id}`);
      const validate = (home: string) =>
        there('POST', '/v1/validations', {
          redeemables: [{ object: 'voucher', id: vouchers[0].code }],
          customer: { source_id: 'someone', metadata: { home } },
          order: { items: [{ source_id: 'else', quantity: 1, price: 100 }] },
        });
      expect(await validate('50.06,19.94')).toMatchObject({ valid: false });
      expect(await validate('52.23,21.01')).toMatchObject({
        valid: true,
        order: { items: [{}, { product: { source_id: 'gift', name: 'Gift' } }] },
      });
    });

    it('refuse metadata of another type, and not a definition that is missing', async () => {
      const schema = (type: string) => ({
        ...{ related_object: 'redemption', allow_defined_only: false },
        properties: { place: { type } },
      });
      const { body: stored } = await scrip.callAsManager(
        'POST',
        managed('/metadata-schemas'),
        schema('string'),
      );
      const rule = await send('/v1/validation-rules', {
        name: 'In shops',
        rules: { 1: { name: 'redemption.metadata', property: 'place', conditions: { $is: ['shop'] } } },
      });
      const voucher = { discount: { type: 'PERCENT', percent_off: 10 } };
      const shops = {
        name: 'shops',
        campaign_type: 'DISCOUNT_COUPONS',
        voucher,
        validation_rules: [rule.id],
      };
      await send('/v1/campaigns', shops);
      const { id } = await send(templates, { name: 'of shops', campaign_id: 'shops' });
      const make = (name: string) => scrip.call('POST', `${templates}/${id}/campaign-setup`, { name });
      expect((await make('shops again')).status).toBe(200);
      const properties = { place: { type: 'string', deleted: true } };
      await scrip.callAsManager('PUT', managed(`/metadata-schemas/${stored.id}`), { properties });
      expect((await make('shops without a definition')).status).toBe(200);

      const there = await branch(id, async (project) => {
        await scrip.callAsManager(
          'POST',
          `/management/v1/projects/${project}/metadata-schemas`,
          schema('number'),
        );
      });
      expect(await there('POST', '/campaign-setup', { name: 'shops' })).toMatchObject({
        code: 400,
        key: 'metadata_validation_failed',
        details: 'Property redemption.metadata.place is number, and string in the template',
      });
    });

    it('refuse a product in the bin and a static segment', async () => {
      await scrip.call('DELETE', `/v1/products/${names.gift}`);
      expect(
        await scrip.call('POST', `${templates}/${template}/campaign-setup`, { name: 'no gifts' }),
      ).toMatchObject({
        status: 400,
        body: {
          key: 'resource_in_use',
          details: `Resource product with id ${names.gift} is in the trash bin`,
        },
      });
      const { id: customer } = await send('/v1/customers', { source_id: 'of a list' });
      const list = await send('/v1/segments', { name: 'List', type: 'static', customers: [customer] });
      const rule = await send('/v1/validation-rules', {
        name: 'Listed',
        rules: { 1: { name: 'customer.segment', conditions: { $is: [list.id] } } },
      });
      const voucher = { discount: { type: 'PERCENT', percent_off: 10 } };
      const listed = {
        name: 'listed',
        campaign_type: 'DISCOUNT_COUPONS',
        voucher,
        validation_rules: [rule.id],
      };
      await send('/v1/campaigns', listed);
      expect(await scrip.call('POST', templates, { name: 'listed', campaign_id: 'listed' })).toMatchObject({
        status: 400,
        body: { key: 'invalid_payload', details: `A template cannot keep the static segment ${list.id}` },
      });
    });
  });

  it('make a tier at a place of its own for each of fifty callers', async () => {
    const { id } = await send(templates, { name: 'for fifty', campaign_id: 'coupons' });
    await send('/v1/campaigns', { name: 'fifty', promotion: { tiers: [] } });
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        scrip.call('POST', `${templates}/${id}/tier-setup`, { campaign_id: 'fifty', name: `Tier ${index}` }),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    const places = answers.map(({ body }: any) => body.promotion_tier.hierarchy as number);
    expect(places.sort((a, b) => a - b)).toEqual(answers.map((_, index) => index + 1));
  });
});
