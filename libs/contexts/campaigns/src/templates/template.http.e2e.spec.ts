import {
  type Answer,
  bootCampaigns,
  type CampaignsFixture,
  coupons,
  foldingProject,
} from '../campaigns.fixture';

const templates = '/v1/templates/campaigns';

describe('templates over HTTP', () => {
  let fixture: CampaignsFixture;
  let campaign: any;
  let promotion: any;

  const call = (method: string, path: string, body?: unknown, headers = {}): Promise<Answer> =>
    fixture.call(method, path, body, headers);
  const make = (name: string, fields: object = { campaign_id: 'source' }, headers = {}): Promise<Answer> =>
    call('POST', templates, { name, ...fields }, headers);
  const idOf = async (name: string, fields?: object): Promise<string> => (await make(name, fields)).body.id;
  const setUp = (id: string, kind: 'campaign' | 'tier', body: object): Promise<Answer> =>
    call('POST', `${templates}/${id}/${kind}-setup`, body);

  beforeAll(async () => {
    fixture = await bootCampaigns();
    const fields = { start_date: '2026-03-01', metadata: { season: 'spring' }, category: 'Spring' };
    const voucher = { redemption: { quantity: 2 }, code_config: { pattern: 'SP-######' } };
    ({ body: campaign } = await call('POST', '/v1/campaigns', coupons('source', fields, voucher)));
    const discount = { type: 'AMOUNT', amount_off: 500 };
    const tiers = [{ name: 'Tier', banner: 'Look', action: { discount } }, { name: 'Bare' }];
    ({ body: promotion } = await call('POST', '/v1/campaigns', { name: 'tiers', promotion: { tiers } }));
  }, 60_000);
  afterAll(() => fixture?.running.close());

  describe('creation', () => {
    it('keeps a campaign, which may change and go', async () => {
      await call('POST', '/v1/campaigns', coupons('leaving'));
      const { status, body } = await make('kept', { campaign_id: 'leaving', description: 'Each spring' });
      expect(status).toBe(200);
      expect(body).toEqual({
        id: expect.stringMatching(/^camp_tpl_[0-9a-f]{32}$/),
        name: 'kept',
        description: 'Each spring',
        campaign_type: 'DISCOUNT_COUPONS',
        created_at: expect.any(String),
        object: 'campaign_template',
      });
      await call('PUT', '/v1/campaigns/leaving', { discount: { type: 'PERCENT', percent_off: 50 } });
      await call('DELETE', '/v1/campaigns/leaving?force=true');
      const made = await setUp(body.id, 'campaign', { name: 'made of what is gone' });
      expect(made.body.campaign.voucher.discount).toEqual({ type: 'PERCENT', percent_off: 10 });
    });

    it('names a campaign by its id too, and takes null for absent', async () => {
      const fields = { campaign_id: campaign.id, promotion_tier_id: null, description: null };
      expect((await make('by id', fields)).status).toBe(200);
    });

    it('makes coupons of a tier', async () => {
      const tier = promotion.promotion.tiers[0].id;
      const { body } = await make('of a tier', { promotion_tier_id: tier });
      expect(body).toMatchObject({ campaign_type: 'DISCOUNT_COUPONS' });
      const { body: made } = await setUp(body.id, 'campaign', { name: 'made of a tier', vouchers_count: 1 });
      expect(made.campaign).toMatchObject({
        campaign_type: 'DISCOUNT_COUPONS',
        vouchers_count: 1,
        voucher: { discount: { type: 'AMOUNT', amount_off: 500 }, redemption: { quantity: null } },
      });
    });

    it.each([
      ['no source', {}, 400, 'invalid_payload', /^Exactly one of .campaign_id and .promotion_tier_id must/],
      [
        'two sources',
        { campaign_id: 'source', promotion_tier_id: 'promo_1' },
        400,
        'invalid_payload',
        /^Exactly one of/,
      ],
      [
        'an unknown campaign',
        { campaign_id: 'none' },
        404,
        'not_found',
        /^Cannot find campaign with id none$/,
      ],
      [
        'an unknown tier',
        { promotion_tier_id: 'promo_0' },
        404,
        'not_found',
        /^Cannot find promotion_tier with id promo_0$/,
      ],
      [
        'a promotion',
        { campaign_id: 'tiers' },
        400,
        'campaign_type_is_not_supported_by_campaign_template',
        /is of type PROMOTION/,
      ],
    ])('is refused with %s', async (_, fields, status, key, details) => {
      expect(await make('never', fields)).toMatchObject({
        status,
        body: { code: status, key, details: expect.stringMatching(details) },
      });
    });

    it('is refused without a name, in the words of the reference', async () => {
      expect(await call('POST', templates, { campaign_id: 'source' })).toMatchObject({
        status: 400,
        body: { key: 'invalid_payload', details: "Payload must have required property 'name'" },
      });
    });

    it('is refused for a tier that grants nothing', async () => {
      const bare = promotion.promotion.tiers[1].id;
      expect(await make('bare', { promotion_tier_id: bare })).toMatchObject({
        status: 400,
        body: { details: `Property .promotion_tier_id must name a tier with a discount: ${bare}` },
      });
    });
  });

  describe('of what has validation rules', () => {
    const definition = {
      name: 'In shops',
      rules: { 1: { name: 'redemption.metadata', property: 'place', conditions: { $is: ['shop'] } } },
      error: null,
      applicable_to: { excluded: [], included: [], included_all: false },
      bundle_rules: null,
      type: 'expression',
      context_type: 'global',
    };
    /** A rule of the source, for a template that is made meanwhile. */
    const ruled = async (source: 'campaign' | 'promotion_tier', name: string, rules = definition) => {
      const id = source === 'campaign' ? campaign.id : promotion.promotion.tiers[0].id;
      const { outcomes } = fixture;
      outcomes.definitions.set('val_source', rules as never);
      outcomes.assigned.set('asgm_source', {
        ...{ id: 'asgm_source', rule_id: 'val_source', campaign_id: null },
        ...{ related_object_type: source, related_object_id: id },
      });
      const made = await make(name, { [`${source}_id`]: id });
      outcomes.assigned.delete('asgm_source');
      return made;
    };

    it.each(['campaign', 'promotion_tier'] as const)(
      'keeps those of a %s, and clones them',
      async (source) => {
        const { body: template } = await ruled(source, `ruled ${source}`);
        const { body: shown } = await call('GET', `${templates}/${template.id}?expand=json_template`);
        expect(shown.json_template.validation_rules).toEqual([definition]);
        const { body } = await setUp(template.id, 'campaign', { name: `ruled by ${source}` });
        const [{ id: cloned }] = body.created_resources;
        expect(body.created_resources).toEqual([
          { id: expect.stringMatching(/^val_/), object: 'validation_rules' },
        ]);
        expect(fixture.outcomes.definitions.get(cloned)).toEqual(definition);
        expect(body.campaign.validation_rules_assignments).toMatchObject({
          total: 1,
          data: [{ rule_id: cloned, related_object_id: body.campaign.id, related_object_type: 'campaign' }],
        });
        const { body: again } = await setUp(template.id, 'campaign', { name: `ruled again by ${source}` });
        expect(again.created_resources[0].id).not.toBe(cloned);
      },
    );

    it('leaves none of them where nothing is made', async () => {
      const { body: template } = await ruled('campaign', 'ruled for nothing');
      const before = [...fixture.outcomes.definitions.keys()];
      expect(await setUp(template.id, 'campaign', { name: 'source' })).toMatchObject({ status: 409 });
      expect([...fixture.outcomes.definitions.keys()]).toEqual(before);
    });

    it.each(['redemption.api_key', 'redemption.user.login', 'customer.loyalty_tier'])(
      'refuses %s, wherever it stands',
      async (name) => {
        const below = { 1: { name, conditions: { $is: ['x'] } } };
        const rules = { 1: { name: 'order.items.any', rules: below, conditions: {} } };
        expect(await ruled('campaign', name, { ...definition, rules } as never)).toMatchObject({
          status: 400,
          body: {
            key: 'invalid_payload',
            details: `Property .campaign_id must name a source without rules '${name}'`,
          },
        });
      },
    );

    it('refuses more than a template holds', async () => {
      const large = { ...definition, name: 'x'.repeat(640_000) };
      expect(await ruled('campaign', 'large', large)).toMatchObject({
        status: 400,
        body: { key: 'invalid_payload', details: 'A template has at most 640000 bytes' },
      });
    });
  });

  describe('names', () => {
    const taken = (name: string) => ({
      status: 409,
      body: {
        key: 'duplicate_found',
        message: 'Duplicated resource found',
        details: `Duplicated campaign_template exists with name ${name}`,
        resource_id: name,
        resource_type: 'campaign_template',
      },
    });

    it('are unique in a project, on creation and on update', async () => {
      await make('taken');
      const other = await idOf('other');
      expect(await make('taken')).toMatchObject(taken('taken'));
      expect(await call('PUT', `${templates}/${other}`, { name: 'taken' })).toMatchObject(taken('taken'));
      expect((await call('GET', `${templates}/${other}`)).body.name).toBe('other');
      const elsewhere = { 'x-app-token': foldingProject.id };
      await call('POST', '/v1/campaigns', coupons('source'), elsewhere);
      expect((await make('taken', { campaign_id: 'source' }, elsewhere)).status).toBe(200);
    });

    it('are free once their template is deleted', async () => {
      const id = await idOf('freed');
      expect((await call('DELETE', `${templates}/${id}`)).status).toBe(204);
      expect((await make('freed')).status).toBe(200);
    });

    it('are given once to fifty callers', async () => {
      const answers = await Promise.all(Array.from({ length: 50 }, () => make('wanted by fifty')));
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
      expect(answers.filter(({ status }) => status === 409)).toHaveLength(49);
      const filters = `?filters[name][conditions][$is]=${encodeURIComponent('wanted by fifty')}`;
      expect((await call('GET', `${templates}${filters}`)).body.data).toHaveLength(1);
    });

    it('are taken once by fifty templates that change', async () => {
      const ids = await Promise.all(Array.from({ length: 50 }, (_, index) => idOf(`changing ${index}`)));
      const answers = await Promise.all(
        ids.map((id) => call('PUT', `${templates}/${id}`, { name: 'changed by fifty' })),
      );
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
      expect(answers.filter(({ status }) => status === 409)).toHaveLength(49);
    });
  });

  describe('one template', () => {
    it('shows what it has, laid out as the body of a campaign', async () => {
      const id = await idOf('expanded');
      const { body } = await call('GET', `${templates}/${id}?expand=json_template`);
      expect(body.json_template).toEqual({
        campaign_type: 'DISCOUNT_COUPONS',
        type: 'STATIC',
        description: null,
        join_once: false,
        use_voucher_metadata_schema: true,
        activity_duration_after_publishing: null,
        start_date: '2026-03-01T00:00:00.000Z',
        expiration_date: null,
        validity_timeframe: null,
        validity_day_of_week: null,
        validity_hours: null,
        metadata: { season: 'spring' },
        voucher: {
          type: 'DISCOUNT_VOUCHER',
          discount: { type: 'PERCENT', percent_off: 10 },
          redemption: { quantity: 2 },
          code_config: expect.objectContaining({ pattern: 'SP-######', length: 6 }),
        },
      });
      expect((await call('GET', `${templates}/${id}`)).body).not.toHaveProperty('json_template');
      expect(await call('GET', `${templates}/${id}?expand=all`)).toMatchObject({
        status: 400,
        body: { key: 'invalid_query_params' },
      });
    });

    it('changes its name and description, null clears, and the rest stays', async () => {
      const id = await idOf('changes');
      const path = `${templates}/${id}`;
      const { body } = await call('PUT', path, { name: 'changed', description: 'Said' });
      expect(body).toMatchObject({
        id,
        name: 'changed',
        description: 'Said',
        updated_at: expect.any(String),
      });
      const { body: same } = await call('PUT', path, { name: 'changed' });
      expect(same).toEqual(body);
      const { body: cleared } = await call('PUT', path, { description: null });
      expect(cleared).not.toHaveProperty('description');
      expect(cleared.name).toBe('changed');
      expect(await call('PUT', path, { name: null })).toMatchObject({
        status: 400,
        body: { details: 'Property .name must be string' },
      });
    });

    it('is gone for good, and unknown to other projects', async () => {
      const id = await idOf('goes');
      const path = `${templates}/${id}`;
      const elsewhere = { 'x-app-token': foldingProject.id };
      const unknown = (resource_id = id) => ({
        status: 404,
        body: { key: 'not_found', resource_id, resource_type: 'campaign_template' },
      });
      for (const method of ['GET', 'DELETE']) {
        expect(await call(method, path, undefined, elsewhere)).toMatchObject(unknown());
      }
      expect((await call('DELETE', path)).status).toBe(204);
      for (const method of ['GET', 'DELETE']) expect(await call(method, path)).toMatchObject(unknown());
      expect(await call('PUT', path, { name: 'back' })).toMatchObject(unknown());
      expect(await setUp(id, 'campaign', { name: 'back' })).toMatchObject(unknown());
      expect(await setUp(id, 'tier', { name: 'back', campaign_id: 'tiers' })).toMatchObject(unknown());
    });
  });

  describe('the list', () => {
    const elsewhere = { 'x-app-token': foldingProject.id };
    const list = async (query: string) =>
      (await call('GET', `${templates}${query}`, undefined, elsewhere)).body;
    const ids: string[] = [];

    beforeAll(async () => {
      const gift = { campaign_type: 'GIFT_VOUCHERS', voucher: { gift: { amount: 1_000 } } };
      await call('POST', '/v1/campaigns', coupons('listed'), elsewhere);
      await call('POST', '/v1/campaigns', { name: 'listed gifts', ...gift }, elsewhere);
      for (const source of ['listed', 'listed', 'listed gifts', 'listed']) {
        const made = await make(`listed ${ids.length}`, { campaign_id: source }, elsewhere);
        ids.push(made.body.id);
      }
      await call('DELETE', `${templates}/${ids.pop()!}`, undefined, elsewhere);
    });

    it('goes from the oldest on by cursor, and counts all where it is asked', async () => {
      const { total } = await list('?include_total=true&limit=1');
      const first = await list('?limit=100');
      expect(first).toMatchObject({ object: 'list', data_ref: 'data', has_more: false });
      expect(first).not.toHaveProperty('total');
      expect(first).not.toHaveProperty('more_starting_after');
      expect(first.data).toHaveLength(total);
      expect(first.data.slice(-3).map(({ id }: { id: string }) => id)).toEqual(ids);
      const page = await list(`?limit=1&starting_after_id=${ids[0]}`);
      expect(page).toMatchObject({ has_more: true, more_starting_after: ids[1], data: [{ id: ids[1] }] });
      const last = await list(`?limit=1&starting_after_id=${page.more_starting_after}`);
      expect(last).toMatchObject({ has_more: false, data: [{ id: ids[2] }] });
    });

    it('goes back from the newest', async () => {
      expect(await list('?order=-id&limit=2')).toMatchObject({ data: [{ id: ids[2] }, { id: ids[1] }] });
      expect(await list(`?order=-id&limit=1&starting_after_id=${ids[1]}`)).toMatchObject({
        data: [{ id: ids[0] }],
      });
    });

    it.each([
      ['filters[campaign_type][conditions][$is]=GIFT_VOUCHERS', () => [ids[2]]],
      ['filters[name][conditions][$is]=listed 1', () => [ids[1]]],
      ['filters[name][conditions][$starts_with]=listed', () => ids],
      ['filters[id][conditions][$in][0]=ID', () => [ids[0]]],
    ])('filters by %s, and the total is that of all', async (filter, expected) => {
      const query = filter.replace('ID', ids[0]!);
      const { data, total } = await list(`?include_total=true&${query}`);
      expect(data.map(({ id }: { id: string }) => id)).toEqual(expected());
      expect(total).toBe((await list('?limit=100')).data.length);
    });

    it.each(['?order=name', '?limit=101', '?filters[metadata][conditions][$is]=1', '?include_total=1'])(
      'refuses %s',
      async (query) => {
        expect(await call('GET', `${templates}${query}`)).toMatchObject({
          status: 400,
          body: { key: 'invalid_query_params' },
        });
      },
    );
  });

  describe('campaign-setup', () => {
    it('makes a campaign that has what the template has', async () => {
      const id = await idOf('for a campaign');
      const { status, body } = await setUp(id, 'campaign', { name: 'made', vouchers_count: 1 });
      expect(status).toBe(200);
      expect(body).toMatchObject({
        object: 'campaign_setup',
        created_resources: [],
        campaign: {
          id: expect.stringMatching(/^camp_[0-9a-f]{32}$/),
          name: 'made',
          type: 'STATIC',
          start_date: '2026-03-01T00:00:00.000Z',
          metadata: { season: 'spring' },
          category: null,
          vouchers_count: 1,
          creation_status: 'DONE',
          voucher: { redemption: { quantity: 2 }, code_config: { pattern: 'SP-######' } },
        },
      });
      expect((await call('GET', '/v1/campaigns/made')).body).toEqual(body.campaign);
    });

    it('has what is sent in place of it, a category among it', async () => {
      const id = await idOf('replaced');
      const { body } = await setUp(id, 'campaign', {
        name: 'made otherwise',
        type: 'AUTO_UPDATE',
        start_date: null,
        category: 'Autumn',
        metadata: { season: 'autumn' },
        voucher: { redemption: { quantity: 9 }, code_config: { pattern: 'AU-###' } },
      });
      expect(body.campaign).toMatchObject({
        type: 'AUTO_UPDATE',
        start_date: null,
        category: 'Autumn',
        metadata: { season: 'autumn' },
        voucher: { redemption: { quantity: 9 }, code_config: { pattern: 'AU-###', length: 3 } },
      });
    });

    it('orders codes, and makes the public one of a generic campaign', async () => {
      const id = await idOf('with codes');
      const { body } = await setUp(id, 'campaign', { name: 'made with codes', vouchers_count: 5 });
      expect(body.campaign).toMatchObject({ vouchers_count: 0, creation_status: 'IN_PROGRESS' });
      const generic = await setUp(id, 'campaign', { name: 'made generic', type: 'STANDALONE' });
      expect(generic.body.campaign).toMatchObject({ type: 'STANDALONE', vouchers_count: 1 });
      const { body: list } = await call('GET', '/v1/vouchers?campaign=made generic');
      expect(list.vouchers).toMatchObject([{ code: expect.stringMatching(/^SP-.{6}$/) }]);
    });

    it('keeps the metadata of a gift card campaign and its amount', async () => {
      const gift = { name: 'gifts', campaign_type: 'GIFT_VOUCHERS', voucher: { gift: { amount: 700 } } };
      await call('POST', '/v1/campaigns', gift);
      const id = await idOf('of gifts', { campaign_id: 'gifts' });
      const { body } = await setUp(id, 'campaign', { name: 'made gifts', vouchers_count: 1 });
      expect(body.campaign).toMatchObject({
        campaign_type: 'GIFT_VOUCHERS',
        gift: { amount: 700, balance: 700 },
      });
    });

    it.each([
      [{}, 400, 'invalid_payload', "Payload must have required property 'name'"],
      [{ name: 'source' }, 409, 'duplicate_found', 'Duplicated campaign exists with name source'],
      [{ name: 'x', category_id: 'cat_0' }, 404, 'not_found', 'Cannot find category with id cat_0'],
      [
        { name: 'x', vouchers_count: 2, voucher: { code_config: { pattern: 'ONE' } } },
        400,
        'invalid_code_config',
        'The code configuration allows 1 different codes, fewer than the 2 requested.',
      ],
      [{ name: 'x', type: 'BULK' }, 400, 'invalid_payload', expect.stringContaining('.type')],
      [{ name: 'x', access_settings: {} }, 402, 'missing_required_feature', expect.any(String)],
    ])('refuses %j and leaves no campaign', async (sent, status, key, details) => {
      const id = await idOf(`refuses ${JSON.stringify(sent)}`);
      expect(await setUp(id, 'campaign', sent)).toMatchObject({ status, body: { key, details } });
      expect((await call('GET', '/v1/campaigns/x')).status).toBe(404);
    });

    it('gives a name once to fifty callers', async () => {
      const id = await idOf('set up by fifty');
      const answers = await Promise.all(
        Array.from({ length: 50 }, () => setUp(id, 'campaign', { name: 'made by fifty', vouchers_count: 1 })),
      );
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
      expect(answers.filter(({ status }) => status === 409)).toHaveLength(49);
      expect((await call('GET', '/v1/vouchers?campaign=made by fifty')).body.total).toBe(1);
    });
  });

  describe('tier-setup', () => {
    it('makes a tier that has what the template has, and what is sent', async () => {
      const id = await idOf('for a tier');
      const sent = {
        campaign_id: 'tiers',
        name: 'made tier',
        banner: 'New',
        category: 'Tiers',
        hierarchy: 7,
      };
      const { status, body } = await setUp(id, 'tier', sent);
      expect(status).toBe(200);
      expect(body).toMatchObject({
        object: 'promotion_tier_setup',
        created_resources: [],
        campaign: { id: promotion.id, object: 'campaign' },
        promotion_tier: {
          id: expect.stringMatching(/^promo_/),
          name: 'made tier',
          banner: 'New',
          hierarchy: 7,
          category: 'Tiers',
          campaign_id: promotion.id,
          start_date: '2026-03-01T00:00:00.000Z',
          metadata: { season: 'spring' },
          action: { discount: { type: 'PERCENT', percent_off: 10 } },
        },
      });
    });

    it.each([
      [{ name: 'x' }, 400, 'invalid_payload', "Payload must have required property 'campaign_id'"],
      [{ campaign_id: 'tiers' }, 400, 'invalid_payload', "Payload must have required property 'name'"],
      [{ campaign_id: 'none', name: 'x' }, 404, 'not_found', 'Cannot find campaign with id none'],
    ])('refuses %j', async (sent, status, key, details) => {
      const id = await idOf(`refuses a tier ${JSON.stringify(sent)}`);
      expect(await setUp(id, 'tier', sent)).toMatchObject({ status, body: { key, details } });
    });

    it('refuses gift cards: campaign_type_is_not_supported_by_campaign_template', async () => {
      const gift = { name: 'tier gifts', campaign_type: 'GIFT_VOUCHERS', voucher: { gift: { amount: 700 } } };
      await call('POST', '/v1/campaigns', gift);
      const id = await idOf('tier of gifts', { campaign_id: 'tier gifts' });
      expect(await setUp(id, 'tier', { campaign_id: 'tiers', name: 'x' })).toMatchObject({
        status: 400,
        body: {
          key: 'campaign_type_is_not_supported_by_campaign_template',
          message: 'Campaign type is not supported by campaign template',
        },
      });
    });
  });

  it('answers a repeated call under its Idempotency-Key with the first result', async () => {
    const key = (value: string) => ({ 'idempotency-key': value });
    const first = await make('repeated', { campaign_id: 'source' }, key('template'));
    expect((await make('repeated', { campaign_id: 'source' }, key('template'))).body).toEqual(first.body);
    const path = `${templates}/${first.body.id}/campaign-setup`;
    const made = await call('POST', path, { name: 'made repeatedly' }, key('setup'));
    expect((await call('POST', path, { name: 'made repeatedly' }, key('setup'))).body).toEqual(made.body);
  });
});
