import {
  type Answer,
  bootCampaigns,
  type CampaignsFixture,
  coupons,
  foldingProject,
} from '../campaigns.fixture';

describe('campaigns over HTTP', () => {
  let fixture: CampaignsFixture;

  beforeAll(async () => {
    fixture = await bootCampaigns();
  });
  afterAll(() => fixture?.running.close());

  const create = (body: unknown, headers: Record<string, string> = {}): Promise<Answer> =>
    fixture.call('POST', '/v1/campaigns', body, headers);
  const get = (path: string): Promise<Answer> => fixture.call('GET', path);

  it('shows a created campaign with its defaults and mirrors', async () => {
    const { status, body } = await create(
      coupons(
        'Spring / 10 %',
        {
          vouchers_count: 1,
          start_date: '2026-03-01',
          metadata: { season: 'spring' },
          description: 'ten off',
          active: false,
        },
        { code_config: { pattern: 'SPRING-###' }, redemption: { quantity: 3 } },
      ),
    );
    expect(status).toBe(200);
    const code_config = {
      length: 3,
      charset: '0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ',
      pattern: 'SPRING-###',
      prefix: '',
      postfix: '',
    };
    expect(body).toEqual({
      id: expect.stringMatching(/^camp_[0-9a-f]{32}$/),
      name: 'Spring / 10 %',
      description: 'ten off',
      campaign_type: 'DISCOUNT_COUPONS',
      type: 'STATIC',
      voucher: {
        type: 'DISCOUNT_VOUCHER',
        discount: { type: 'PERCENT', percent_off: 10 },
        redemption: { quantity: 3 },
        code_config,
        is_referral_code: false,
        start_date: '2026-03-01T00:00:00.000Z',
      },
      voucher_type: 'DISCOUNT_VOUCHER',
      code_config,
      voucher_code_config: code_config,
      discount: { type: 'PERCENT', percent_off: 10 },
      gift: null,
      loyalty_card: null,
      default_voucher_redemption: { quantity: 3 },
      auto_join: false,
      join_once: false,
      use_voucher_metadata_schema: true,
      start_date: '2026-03-01T00:00:00.000Z',
      expiration_date: null,
      validity_timeframe: null,
      validity_day_of_week: null,
      validity_hours: null,
      activity_duration_after_publishing: null,
      vouchers_count: 1,
      vouchers_count_invalid: null,
      active: true,
      metadata: { season: 'spring' },
      category: null,
      category_id: null,
      categories: [],
      creation_status: 'DONE',
      vouchers_generation_status: 'DONE',
      protected: false,
      validation_rules_assignments: { object: 'list', data_ref: 'data', data: [], total: 0 },
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      updated_at: null,
      deleted: false,
      deleted_at: null,
      object: 'campaign',
    });
    expect((await get(`/v1/campaigns/${body.id}`)).body).toEqual(body);
    expect((await get(`/v1/campaigns/${encodeURIComponent('Spring / 10 %')}`)).body).toEqual(body);
    const [voucher] = (await get(`/v1/vouchers?campaign_id=${body.id}`)).body.vouchers;
    expect(voucher.code).toMatch(/^SPRING-[0-9a-zA-Z]{3}$/);
  });

  it('shows the cards and the referral program of the other kinds', async () => {
    const loyalty = await create({ name: 'Cards', voucher: { loyalty_card: { points: 5 } } });
    expect(loyalty.body).toMatchObject({
      campaign_type: 'LOYALTY_PROGRAM',
      join_once: true,
      voucher: { type: 'LOYALTY_CARD', loyalty_card: { points: 5, balance: 5 } },
    });
    const reward = { type: 'LOYALTY_CARD', amount: 10 };
    const referral = await create({
      name: 'Friends',
      campaign_type: 'REFERRAL_PROGRAM',
      vouchers_count: 1,
      referral_program: { referee_reward: { ...reward, related_object_parent: { id: loyalty.body.id } } },
      voucher: { discount: { type: 'PERCENT', percent_off: 10 } },
    });
    expect(referral.body).toMatchObject({
      voucher: { is_referral_code: true },
      referral_program: {
        conversion_event_type: 'redemption',
        referee_reward: {
          ...reward,
          related_object_parent: { id: loyalty.body.id, name: 'Cards', object: 'CAMPAIGN' },
        },
      },
    });
    expect((await get(`/v1/campaigns/${referral.body.id}`)).body).toEqual(referral.body);
    const [code] = (await get(`/v1/vouchers?campaign_id=${referral.body.id}`)).body.vouchers;
    expect(code.is_referral_code).toBe(true);
  });

  it.each([
    [
      'without a name',
      { campaign_type: 'DISCOUNT_COUPONS' },
      400,
      'invalid_payload',
      "Payload should have required property 'name'",
    ],
    [
      'without its discount',
      { name: 'n', campaign_type: 'DISCOUNT_COUPONS', voucher: { type: 'DISCOUNT_VOUCHER' } },
      400,
      'invalid_campaign',
      "Property 'discount' is required for DISCOUNT_COUPONS campaign",
    ],
    [
      'of gift cards without an amount',
      { name: 'n', campaign_type: 'GIFT_VOUCHERS' },
      400,
      'invalid_campaign',
      "Property 'gift.amount' is required for GIFT_VOUCHERS campaign",
    ],
    [
      'of gift cards without credits',
      { name: 'n', voucher: { gift: { amount: 0 } } },
      400,
      'invalid_payload',
      'Property .voucher.gift.amount must be >= 1',
    ],
    [
      'of loyalty cards without points',
      { name: 'n', voucher: { type: 'LOYALTY_CARD' } },
      400,
      'invalid_campaign',
      "Property 'loyalty_card.points' is required for LOYALTY_PROGRAM campaign",
    ],
    [
      'of referrals without a discount',
      { name: 'n', referral_program: {} },
      400,
      'invalid_campaign',
      "Property 'discount' is required for REFERRAL_PROGRAM campaign",
    ],
    [
      'of referrals rewarded by a campaign that does not exist',
      {
        name: 'n',
        referral_program: {
          referee_reward: { type: 'GIFT_VOUCHER', amount: 1, related_object_parent: { id: 'no such' } },
        },
        voucher: { discount: { type: 'PERCENT', percent_off: 10 } },
      },
      404,
      'not_found',
      'Cannot find campaign with id no such',
    ],
    [
      'generic without a code',
      coupons('n', { type: 'STANDALONE' }),
      400,
      'invalid_campaign',
      "Property 'code' is required for STANDALONE campaign",
    ],
    [
      'with too many codes',
      coupons('n', { vouchers_count: 100_001 }),
      400,
      'invalid_campaign',
      'A campaign holds at most 100000 codes.',
    ],
    [
      'with a discount of two minds',
      coupons('n', {}, { discount: { type: 'AMOUNT', percent_off: 10 } }),
      400,
      'invalid_payload',
      "Property .voucher.discount should have required property 'amount_off'",
    ],
    [
      'with a wrong quantity',
      coupons('n', {}, { redemption: { quantity: 'many' } }),
      400,
      'invalid_payload',
      'Property .voucher.redemption.quantity should be number,null',
    ],
    [
      'in an unknown category',
      coupons('n', { category_id: 'cat_x' }),
      404,
      'not_found',
      'Cannot find category with id cat_x',
    ],
    [
      'with an unknown rule',
      coupons('n', { validation_rules: ['val_x'] }),
      404,
      'not_found',
      'Cannot find validation_rules with id val_x',
    ],
    [
      'with two names of a category',
      coupons('n', { category: 'a', category_id: 'cat_x' }),
      400,
      'invalid_payload',
      'Only one of .category and .category_id can be given',
    ],
    [
      'with stores',
      coupons('n', { access_settings: { assign: {} } }),
      402,
      'missing_required_feature',
      'Your current plan does not include a feature required to perform this operation.',
    ],
    [
      'with a timeframe without a start',
      coupons('n', { validity_timeframe: { interval: 'P1D', duration: 'PT1H' } }),
      400,
      'invalid_payload',
      'Property .validity_timeframe requires .start_date',
    ],
    [
      'that ends before it begins',
      coupons('n', { start_date: '2026-02-01', expiration_date: '2026-01-01' }),
      400,
      'invalid_payload',
      'Property .expiration_date must not be before .start_date (2026-02-01T00:00:00.000Z)',
    ],
    [
      'with a code that cannot be',
      coupons('n', { vouchers_count: 2 }, { code_config: { pattern: 'X' } }),
      400,
      'invalid_code_config',
      'The code configuration allows 1 different codes, fewer than the 2 requested.',
    ],
  ])('refuses one %s', async (_, body, status, key, details) => {
    const answer = await create(body);
    expect({ status: answer.status, key: answer.body.key, details: answer.body.details }).toEqual({
      status,
      key,
      details,
    });
  });

  it('tells the first thing wrong: category, rule, capacity, name', async () => {
    await create(coupons('order'));
    const wrong = coupons(
      'order',
      { category_id: 'cat_x', validation_rules: ['val_x'], vouchers_count: 2 },
      { code_config: { pattern: 'X' } },
    );
    const keys: string[] = [];
    for (const next of [
      {},
      { category_id: null },
      { validation_rules: [] },
      { voucher: coupons('x').voucher },
    ]) {
      Object.assign(wrong, next);
      keys.push((await create(wrong)).body.key);
    }
    expect(keys).toEqual(['not_found', 'not_found', 'invalid_code_config', 'duplicate_found']);
  });

  it('gives a name once, also to callers at the same time', async () => {
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => create(coupons('once', { vouchers_count: 1 }))),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409]);
    expect(answers.find(({ status }) => status === 409)?.body).toMatchObject({
      key: 'duplicate_found',
      message: 'Duplicated resource found',
      details: 'Duplicated campaign exists with name once',
      resource_id: 'once',
      resource_type: 'campaign',
    });
    expect((await get('/v1/vouchers?campaign=once')).body.total).toBe(1);
  });

  it('keeps one generic code', async () => {
    const body = coupons(
      'generic',
      { type: 'STANDALONE', vouchers_count: 7, join_once: true },
      { code: 'BLACKFRIDAY' },
    );
    const created = await create(body);
    expect(created.body).toMatchObject({
      type: 'STANDALONE',
      vouchers_count: 1,
      join_once: false,
      creation_status: 'DONE',
    });
    expect((await get('/v1/vouchers/BLACKFRIDAY')).body.campaign_id).toBe(created.body.id);
    const again = await create({ ...body, name: 'generic 2' });
    expect(again.body).toMatchObject({ code: 409, details: 'Duplicated voucher exists with id BLACKFRIDAY' });
    expect((await get('/v1/campaigns/generic%202')).status).toBe(404);
    const add = await fixture.call('POST', '/v1/campaigns/generic/vouchers', {});
    expect(add.body).toMatchObject({
      key: 'invalid_campaign',
      message: 'Invalid Campaign',
      details: 'You can not generate vouchers for STANDALONE type campaign.',
    });
    expect((await fixture.call('POST', '/v1/campaigns/generic/vouchers/OTHER', {})).body.key).toBe(
      'invalid_campaign',
    );
  });

  it('takes the campaign of an id before one of that name', async () => {
    const first = await create(coupons('named'));
    await create(coupons(first.body.id));
    expect((await get(`/v1/campaigns/${first.body.id}`)).body.name).toBe('named');
  });

  it('creates a category that only has a name, once', async () => {
    const bodies = ['cat 1', 'cat 2'].map((name) =>
      coupons(name, { category: 'Seasonal', vouchers_count: 1 }),
    );
    const [one, two] = await Promise.all(bodies.map((body) => create(body)));
    expect(one?.body.categories).toEqual([
      {
        id: one?.body.category_id,
        name: 'Seasonal',
        hierarchy: 1,
        object: 'category',
        created_at: expect.any(String),
      },
    ]);
    expect(two?.body.category_id).toBe(one?.body.category_id);
    const byId = await create(coupons('cat 3', { category_id: one?.body.category_id }));
    expect(byId.body.category).toBe('Seasonal');
    const [voucher] = (await get(`/v1/vouchers?campaign=cat%201`)).body.vouchers;
    expect([voucher.category, voucher.category_id]).toEqual(['Seasonal', one?.body.category_id]);
  });

  it('creates one campaign for one Idempotency-Key', async () => {
    const key = { 'idempotency-key': 'campaign-1' };
    const [first, second] = [
      await create(coupons('keyed', { vouchers_count: 1 }), key),
      await create(coupons('keyed', { vouchers_count: 1 }), key),
    ];
    expect(first.status).toBe(200);
    expect(second.body).toEqual(first.body);
  });

  it.each(['before', 'after'])(
    'creates it once when the connection is lost %s the commit',
    async (moment) => {
      const lost = new Error('Connection terminated unexpectedly');
      const transaction = fixture.database.transaction.bind(fixture.database) as (
        work: unknown,
      ) => Promise<unknown>;
      jest.spyOn(fixture.database, 'transaction').mockImplementationOnce(async (...given: unknown[]) => {
        if (moment === 'after') await transaction(given[0]);
        throw lost;
      });
      const { status, body } = await create(coupons(`lost ${moment}`, { vouchers_count: 1 }));
      expect([status, body.name]).toEqual([200, `lost ${moment}`]);
      expect((await get(`/v1/vouchers?campaign_id=${body.id}`)).body.total).toBe(1);
    },
  );

  it('keeps projects apart', async () => {
    const mine = await create(coupons('mine'));
    const foreign = { 'x-app-token': foldingProject.id };
    const read = await fixture.call('GET', `/v1/campaigns/${mine.body.id}`, undefined, foreign);
    const absent = await fixture.call('GET', '/v1/campaigns/camp_absent', undefined, foreign);
    expect([read.status, absent.status]).toEqual([404, 404]);
    expect(read.body).toMatchObject({
      key: 'not_found',
      resource_type: 'campaign',
      resource_id: mine.body.id,
    });
    expect((await create(coupons('mine'), foreign)).status).toBe(200);
  });

  describe('listed', () => {
    const names = async (query: string): Promise<string[]> => {
      const { status, body } = await get(
        `/v1/campaigns?filters[campaigns][conditions][$starts_with]=list-&${query}`,
      );
      expect(status).toBe(200);
      return body.campaigns.map(({ name }: { name: string }) => name);
    };

    beforeAll(async () => {
      await create(
        coupons('list-a', {
          category: 'Listed',
          start_date: '2026-01-01',
          expiration_date: '2026-01-02',
          metadata: { season: 'spring' },
          validity_day_of_week: [1],
        }),
      );
      await create(coupons('list-b', { type: 'AUTO_UPDATE', metadata: { season: 'autumn' } }));
      await create(coupons('list-c', { type: 'STANDALONE' }, { code: 'LIST-C' }));
    });

    test.each([
      ['', ['list-c', 'list-b', 'list-a']],
      ['order=created_at', ['list-a', 'list-b', 'list-c']],
      ['limit=2', ['list-c', 'list-b']],
      ['limit=2&page=2', ['list-a']],
      ['page=100', []],
      [
        'campaign_type=DISCOUNT_COUPONS&campaign_status=DONE&is_referral_code=false',
        ['list-c', 'list-b', 'list-a'],
      ],
      ['campaign_type=PROMOTION', []],
      ['filters[type][conditions][$in][0]=BULK', ['list-b', 'list-a']],
      ['filters[campaigns_id][conditions][$is]=camp_none', []],
      ['filters[campaign_status][conditions][$in][0]=DONE', ['list-c', 'list-b', 'list-a']],
      ['filters[created_date][conditions][$before]=2020-01-01', []],
      ['filters[updated_at][conditions][$is_unknown]=true', ['list-c', 'list-b', 'list-a']],
      ['filters[expiration_date][conditions][$before]=2026-01-03', ['list-a']],
      ['filters[category_ids][conditions][$has_value]=true', ['list-a']],
      ['order=-updated_at&limit=1', ['list-c']],
      ['filters[categories][conditions][$is]=Listed', ['list-a']],
      ['filters[categories][conditions][$is_not]=Listed', ['list-c', 'list-b']],
      ['filters[start_date][conditions][$before]=2026-01-02', ['list-a']],
      ['filters[start_date][conditions][$after]=2026-01-01', []],
      ['filters[start_date][conditions][$is_unknown]=true', ['list-c', 'list-b']],
      ['filters[status][conditions][$active]=true', ['list-c', 'list-b', 'list-a']],
      ['filters[status][conditions][$failed]=true', []],
      ['filters[status][conditions][$in_progress]=true', []],
      ['filters[status][conditions][$expired]=true', ['list-a']],
      ['filters[status][conditions][before_start]=true', []],
      ['filters[active][conditions][$active]=true', ['list-c', 'list-b']],
      ['filters[active][$expired]=true', ['list-a']],
      ['filters[active][$enabled]=true', ['list-c', 'list-b', 'list-a']],
      ['filters[active][$disabled]=true', []],
      ['filters[is_referral_code][conditions][$is]=FALSE', ['list-c', 'list-b', 'list-a']],
      ['filters[metadata.season][conditions][$is]=spring', ['list-a']],
      ['filters[metadata.season][conditions][$not_in][0]=spring', ['list-c', 'list-b']],
      ['filters[validity_day_of_week][conditions][$is]=2', ['list-c', 'list-b']],
      ['filters[validity_day_of_week][conditions][$is][0]=1', ['list-c', 'list-b', 'list-a']],
      ['[filters][voucher_type][conditions][$not_in][0]=DISCOUNT_VOUCHER', []],
    ])('%s', async (query, expected) => {
      expect(await names(query)).toEqual(expected);
    });

    it('counts all matches', async () => {
      const { body } = await get('/v1/campaigns?filters[campaigns][conditions][$starts_with]=list-&limit=1');
      expect([body.object, body.data_ref, body.total]).toEqual(['list', 'campaigns', 3]);
    });

    it('shows categories only where they are asked for', async () => {
      const path = '/v1/campaigns?filters[campaigns][conditions][$is]=list-a';
      expect((await get(path)).body.campaigns[0].categories).toEqual([]);
      expect((await get(`${path}&expand=category`)).body.campaigns[0].categories).toMatchObject([
        { name: 'Listed' },
      ]);
    });

    test.each([
      ['limit=0', 'invalid_query_params'],
      ['limit=101', 'invalid_query_params'],
      ['page=101', 'page_over_limit'],
      ['order=name', 'invalid_query_params'],
      ['campaign_type=OTHER', 'invalid_query_params'],
      ['filters[unknown][conditions][$is]=x', 'invalid_query_params'],
      ['filters[active][conditions][$failed]=true', 'invalid_query_params'],
      ['filters[type][conditions][$is]=OTHER', 'invalid_query_params'],
      ['filters[voucher_type][conditions][$in][0]=GIFT', 'invalid_query_params'],
      ['filters[metadata][conditions][$is]=x', 'invalid_query_params'],
      ['filters[campaigns][conditions][$like]=x', 'invalid_query_params'],
      ['filters[campaigns][conditions][$after]=x', 'invalid_query_params'],
      ['filters[start_date][conditions][$after]=x', 'invalid_query_params'],
      ['filters[campaigns][conditions][$is][a][b]=x', 'invalid_query_params'],
    ])('refuses %s', async (query, key) => {
      const { status, body } = await get(`/v1/campaigns?${query}`);
      expect([status, body.key]).toEqual([400, key]);
    });
  });
});
