import { waitUntil } from '@scrip/testing';
import {
  type Answer,
  bootCampaigns,
  type CampaignsFixture,
  coupons,
  foldingProject,
} from '../campaigns.fixture';

describe('vouchers over HTTP', () => {
  let fixture: CampaignsFixture;
  let campaignId: string;

  beforeAll(async () => {
    fixture = await bootCampaigns();
    const created = await fixture.call(
      'POST',
      '/v1/campaigns',
      coupons('shop', { expiration_date: '2030-01-01', metadata: { from: 'campaign' }, category: 'Shop' }),
    );
    campaignId = created.body.id;
  });
  afterAll(() => fixture?.running.close());

  const add = (path: string, body: unknown = {}, headers: Record<string, string> = {}): Promise<Answer> =>
    fixture.call('POST', `/v1/campaigns/shop/vouchers${path}`, body, headers);
  const get = (path: string): Promise<Answer> => fixture.call('GET', path);

  it('shows a voucher with what it inherits', async () => {
    const { status, body } = await add('/WELCOME%2F10%25');
    expect(status).toBe(200);
    expect(body).toEqual({
      id: expect.stringMatching(/^v_[0-9a-f]{32}$/),
      code: 'WELCOME/10%',
      campaign: 'shop',
      campaign_id: campaignId,
      category: 'Shop',
      category_id: expect.stringMatching(/^cat_/),
      categories: [expect.objectContaining({ name: 'Shop', object: 'category' })],
      type: 'DISCOUNT_VOUCHER',
      discount: { type: 'PERCENT', percent_off: 10 },
      gift: null,
      loyalty_card: null,
      start_date: null,
      expiration_date: '2030-01-01T00:00:00.000Z',
      validity_timeframe: null,
      validity_day_of_week: null,
      validity_hours: null,
      publish: {
        object: 'list',
        count: 0,
        url: '/v1/vouchers/WELCOME%2F10%25/publications?page=1&limit=10',
      },
      redemption: {
        quantity: null,
        redeemed_quantity: 0,
        object: 'list',
        url: '/v1/vouchers/WELCOME%2F10%25/redemptions?page=1&limit=10',
      },
      active: true,
      additional_info: null,
      metadata: { from: 'campaign' },
      assets: {
        qr: { id: body.assets.qr.id, url: `${fixture.running.url}/v1/assets/qr/${body.assets.qr.id}` },
        barcode: {
          id: body.assets.qr.id,
          url: `${fixture.running.url}/v1/assets/barcode/${body.assets.qr.id}`,
        },
      },
      is_referral_code: false,
      validation_rules_assignments: { object: 'list', data_ref: 'data', data: [], total: 0 },
      holder_id: null,
      referrer_id: null,
      created_at: expect.any(String),
      updated_at: null,
      object: 'voucher',
    });
    expect((await get('/v1/vouchers/WELCOME%2F10%25')).body).toEqual(body);
    expect((await get(`/v1/vouchers/${body.id}`)).body).toEqual(body);
  });

  it('takes overrides instead of what it would inherit', async () => {
    const { body } = await add('', {
      code: 'OVER',
      category: 'Special',
      metadata: { from: 'voucher' },
      redemption: { quantity: 5 },
      additional_info: 'by hand',
      start_date: '2026-05-01',
      expiration_date: '2026-06-01T12',
      active: false,
      discount: { type: 'AMOUNT', amount_off: 1 },
    });
    expect(body).toMatchObject({
      code: 'OVER',
      category: 'Special',
      metadata: { from: 'voucher' },
      redemption: { quantity: 5 },
      additional_info: 'by hand',
      start_date: '2026-05-01T00:00:00.000Z',
      expiration_date: '2026-06-01T12:00:00.000Z',
      active: true,
      discount: { type: 'PERCENT', percent_off: 10 },
    });
  });

  it('takes null for none, not for what it would inherit', async () => {
    await fixture.call(
      'POST',
      '/v1/campaigns',
      coupons(
        'limited',
        { start_date: '2026-01-01', expiration_date: '2030-01-01', category: 'Shop' },
        { redemption: { quantity: 3 } },
      ),
    );
    const none = { redemption: { quantity: null }, start_date: null, expiration_date: null, category: null };
    const { body } = await fixture.call('POST', '/v1/campaigns/limited/vouchers/NONE', none);
    expect(body).toMatchObject({
      redemption: { quantity: null },
      start_date: null,
      expiration_date: null,
      category: null,
      category_id: null,
      categories: [],
    });
    const inherited = await fixture.call('POST', '/v1/campaigns/limited/vouchers/SOME', {});
    expect(inherited.body).toMatchObject({
      redemption: { quantity: 3 },
      start_date: '2026-01-01T00:00:00.000Z',
      category: 'Shop',
    });
  });

  it('has no period that ends before it begins, whichever end is inherited', async () => {
    const period = { start_date: '2026-01-01', expiration_date: '2030-01-01' };
    await fixture.call('POST', '/v1/campaigns', coupons('period', period, {}));
    const at = (body: object) => fixture.call('POST', '/v1/campaigns/period/vouchers', body);
    for (const dates of [
      { expiration_date: '2025-12-31' },
      { start_date: '2030-01-01T00:00:00.001Z' },
      { start_date: '2027-01-02', expiration_date: '2027-01-01' },
    ]) {
      const { status, body } = await at(dates);
      const details = expect.stringContaining(
        'Property .expiration_date must not be before .start_date',
      ) as string;
      expect({ status, body }).toMatchObject({ status: 400, body: { key: 'invalid_payload', details } });
    }
    await fixture.call(
      'POST',
      '/v1/campaigns',
      coupons('windowed', { ...period, validity_timeframe: { interval: 'P1D', duration: 'PT1H' } }),
    );
    expect(
      (await fixture.call('POST', '/v1/campaigns/windowed/vouchers', { start_date: null })).body,
    ).toMatchObject({
      key: 'invalid_payload',
      details: 'Property .validity_timeframe requires .start_date',
    });
    expect((await at({ start_date: '2031-01-01', expiration_date: null })).status).toBe(200);
    expect((await at({ start_date: '2029-12-31T23:00:00-01:00' })).status).toBe(200);
  });

  it('makes a random code, by the campaign’s settings or by those of the call', async () => {
    expect((await add('')).body.code).toMatch(/^[0-9a-zA-Z]{8}$/);
    expect((await add('', { code_config: { pattern: 'P-##', charset: 'xy' } })).body.code).toMatch(
      /^P-[xy]{2}$/,
    );
  });

  it('counts a code added singly at once', async () => {
    const before = (await get('/v1/campaigns/shop')).body.vouchers_count;
    await add('/COUNTED');
    expect((await get('/v1/campaigns/shop')).body.vouchers_count).toBe(before + 1);
  });

  it('gives a code once in the project, whichever campaign asks', async () => {
    await fixture.call('POST', '/v1/campaigns', coupons('other'));
    const answers = await Promise.all(
      ['shop', 'other', 'shop', 'other'].map((name) =>
        fixture.call('POST', `/v1/campaigns/${name}/vouchers/TAKEN`, {}),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409]);
    expect(answers.find(({ status }) => status === 409)?.body).toMatchObject({
      key: 'duplicate_found',
      details: 'Duplicated voucher exists with id TAKEN',
      resource_id: 'TAKEN',
      resource_type: 'voucher',
    });
    expect((await add('/taken')).status).toBe(200);
  });

  it('compares codes without their case where the project does', async () => {
    const keys = { 'x-app-token': foldingProject.id };
    await fixture.call('POST', '/v1/campaigns', coupons('shop'), keys);
    expect((await add('/MixedCase', {}, keys)).status).toBe(200);
    expect((await add('/mixedCASE', {}, keys)).status).toBe(409);
    const found = await fixture.call('GET', '/v1/vouchers/MIXEDCASE', undefined, keys);
    expect(found.body.code).toBe('MixedCase');
  });

  it.each([
    ['POST', '/v1/campaigns/absent/vouchers', {}, 404, 'not_found', 'Cannot find campaign with id absent'],
    [
      'POST',
      '/v1/campaigns/absent/vouchers/CODE',
      {},
      404,
      'not_found',
      'Cannot find campaign with id absent',
    ],
    ['GET', '/v1/vouchers/absent', undefined, 404, 'not_found', 'Cannot find voucher with id absent'],
    ['POST', '/v1/campaigns/shop/vouchers?vouchers_count=0', {}, 400, 'invalid_query_params', undefined],
    [
      'POST',
      '/v1/campaigns/shop/vouchers?vouchers_count=2',
      { code: 'TWO' },
      400,
      'invalid_payload',
      undefined,
    ],
    ['POST', '/v1/campaigns/shop/vouchers?vouchers_count=100001', {}, 400, 'invalid_campaign', undefined],
    [
      'POST',
      '/v1/campaigns/shop/vouchers?vouchers_count=5',
      { code_config: { pattern: '#', charset: 'ab' } },
      400,
      'invalid_code_config',
      undefined,
    ],
    ['POST', `/v1/campaigns/shop/vouchers/${'x'.repeat(513)}`, {}, 400, 'invalid_payload', undefined],
  ])('%s %s with %j is %d %s', async (method, path, body, status, key, details) => {
    const answer = await fixture.call(method, path, body);
    expect([answer.status, answer.body.key]).toEqual([status, key]);
    if (details) expect(answer.body.details).toBe(details);
  });

  it('adds one voucher for one Idempotency-Key', async () => {
    const key = { 'idempotency-key': 'voucher-1' };
    const [first, second] = [await add('', {}, key), await add('', {}, key)];
    expect(second.body).toEqual(first.body);
  });

  it('tells of a code added to an existing campaign once', async () => {
    const created = await fixture.call('POST', '/v1/campaigns', coupons('told', { vouchers_count: 1 }));
    await fixture.call('POST', '/v1/campaigns/told/vouchers/TOLD', {});
    const added = async () =>
      (await fixture.events.readStream('campaign', 'proj_1', created.body.id)).filter(
        ({ type }) => type === 'CampaignVouchersAdded',
      );
    await waitUntil(async () => (await added()).length > 0, { what: 'the fact' });
    expect((await added()).map(({ data }) => data)).toMatchObject([
      { async_action_id: null, count: 1, campaign: { id: created.body.id, vouchers_count: 2 } },
    ]);
  });

  describe('listed', () => {
    beforeAll(async () => {
      await fixture.call('POST', '/v1/campaigns', coupons('list'));
      for (const code of ['L-2', 'L-1', 'L-3'])
        await fixture.call('POST', `/v1/campaigns/list/vouchers/${code}`, {});
    });

    test.each([
      ['', ['L-3', 'L-1', 'L-2']],
      ['&order=created_at', ['L-2', 'L-1', 'L-3']],
      ['&order=code', ['L-1', 'L-2', 'L-3']],
      ['&order=-code&limit=2', ['L-3', 'L-2']],
      ['&order=-code&limit=2&page=2', ['L-1']],
      ['&page=99', []],
      ['&code=L-1', ['L-1']],
      ['&created_at[before]=2020-01-01', []],
      ['&[created_at][after]=2020-01-01', ['L-3', 'L-1', 'L-2']],
      ['&customer=cust_1', []],
      ['&filters[code][conditions][$ends_with]=3', ['L-3']],
      ['&filters[code][conditions][$in][0]=L-1&filters[code][conditions][$in][1]=L-2', ['L-1', 'L-2']],
    ])('campaign=list%s', async (query, expected) => {
      const { status, body } = await get(`/v1/vouchers?campaign=list${query}`);
      expect(status).toBe(200);
      expect(body.vouchers.map(({ code }: { code: string }) => code)).toEqual(expected);
    });

    it('counts all matches and finds categories and ids', async () => {
      const { body } = await get('/v1/vouchers?campaign=list&limit=1');
      expect([body.object, body.data_ref, body.total]).toEqual(['list', 'vouchers', 3]);
      const byId = await get(`/v1/vouchers?ids[0]=${body.vouchers[0].id}`);
      expect(byId.body.total).toBe(1);
      expect((await get('/v1/vouchers?category=Special')).body.vouchers).toMatchObject([{ code: 'OVER' }]);
      expect((await get('/v1/vouchers?campaign=absent')).body).toMatchObject({ vouchers: [], total: 0 });
    });

    it('finds windows of campaigns and of vouchers, as they are after each change', async () => {
      const windows = { validity_timeframe: { interval: 'P1D', duration: 'PT1H' } };
      const fields = { vouchers_count: 2, start_date: '2026-01-01', ...windows };
      const config = { code_config: { pattern: 'WIN-#', charset: '12' } };
      const { body } = await fixture.call('POST', '/v1/campaigns', coupons('windows', fields, config));
      await waitUntil(async () => (await get(`/v1/campaigns/${body.id}`)).body.creation_status === 'DONE', {
        what: 'the codes',
      });
      const found = async (condition: string) => {
        const query = `campaign=windows&order=code&filters[validity_timeframe][conditions]${condition}`;
        const { body: list } = await get(`/v1/vouchers?${query}`);
        return list.vouchers.map(({ code }: { code: string }) => code);
      };
      const change = (code: string, changed: object) => fixture.call('PUT', `/v1/vouchers/${code}`, changed);
      expect(await found('[$before]=2026-01-02')).toEqual(['WIN-1', 'WIN-2']);
      expect(await found('[$after]=2026-01-02')).toEqual([]);
      await change('WIN-1', { validity_timeframe: null });
      expect(await found('[$has_value]=true')).toEqual(['WIN-2']);
      expect(await found('[$is_unknown]=true')).toEqual(['WIN-1']);
      await change('WIN-1', { ...windows, start_date: '2026-03-01' });
      expect(await found('[$after]=2026-01-02')).toEqual(['WIN-1']);
      expect(await found('[$is_unknown]=true')).toEqual([]);
      const ofCampaigns = async (condition: string) => {
        const query = `filters[campaigns][conditions][$is]=windows&filters[validity_timeframe][conditions]${condition}`;
        return (await get(`/v1/campaigns?${query}`)).body.total;
      };
      expect([await ofCampaigns('[$before]=2026-01-02'), await ofCampaigns('[$is_unknown]=true')]).toEqual([
        1, 0,
      ]);
    });

    describe('by what they hold', () => {
      beforeAll(async () => {
        // Two generated codes without a state of their own, one that a use gave its own, three added singly.
        const made = await fixture.call(
          'POST',
          '/v1/campaigns',
          coupons(
            'held',
            {
              vouchers_count: 3,
              category: 'Held',
              start_date: '2020-01-01',
              expiration_date: '2021-01-01',
              metadata: { tier: 'gold', tags: ['a', 'b'], address: { city: 'Oslo' }, size: 5 },
              validity_day_of_week: [1, 2],
            },
            { code_config: { pattern: 'GEN-#', charset: '123' }, redemption: { quantity: 3 } },
          ),
        );
        await waitUntil(
          async () => (await get(`/v1/campaigns/${made.body.id}`)).body.creation_status === 'DONE',
          { what: 'the codes' },
        );
        const add = (code: string, body: unknown) =>
          fixture.call('POST', `/v1/campaigns/held/vouchers/${code}`, body);
        const none = { category: null, start_date: null, expiration_date: null };
        await add('OWN-1', { ...none, metadata: { tier: 'silver' } });
        await add('OWN-2', { category: 'Else', start_date: '2999-01-01', expiration_date: null });
        // A state of its own that has less than its definition.
        await fixture.database.query(
          `UPDATE vouchers t SET filterable = o.voucher,
             state = jsonb_build_object('code_key', t.code_key, 'voucher', o.voucher)
           FROM vouchers v JOIN voucher_definitions d ON d.id = v.definition_id CROSS JOIN LATERAL (
             SELECT d.template || jsonb_build_object('id', v.id, 'code', v.code, 'created_at', '2026-01-01T00:00:00.000Z',
               'category', null, 'category_id', null, 'holder_id', 'cust_9', 'active', false, 'expiration_date', null,
               'redemption', '{"quantity": 3, "redeemed_quantity": 2}'::jsonb, 'metadata', '{}'::jsonb) AS voucher) o
           WHERE v.id = t.id AND t.code = 'GEN-3'`,
        );
      });
      // Its stream knows nothing of that state.
      afterAll(() =>
        fixture.database.query(`UPDATE vouchers SET state = NULL, filterable = NULL WHERE code = 'GEN-3'`),
      );

      test.each([
        ['filters[categories][conditions][$is]=Held', ['GEN-1', 'GEN-2']],
        ['category=Held', ['GEN-1', 'GEN-2']],
        ['filters[categories][conditions][$is_not]=Held', ['GEN-3', 'OWN-1', 'OWN-2']],
        ['filters[category_ids][conditions][$is_unknown]=true', ['GEN-3', 'OWN-1']],
        ['filters[holder_id][conditions][$is]=cust_9', ['GEN-3']],
        ['filters[is_referral_code][conditions][$is]=TRUE', []],
        ['filters[is_referral_code][conditions][$is]=false&limit=1', ['GEN-1']],
        ['filters[active][conditions][$disabled]=true', ['GEN-3']],
        ['filters[active][$disabled]=true', ['GEN-3']],
        ['filters[active][conditions][$enabled]=true', ['GEN-1', 'GEN-2', 'OWN-1', 'OWN-2']],
        ['filters[active][conditions][$expired]=true', ['GEN-1', 'GEN-2']],
        ['filters[active][conditions][$active]=true', ['GEN-3', 'OWN-1']],
        ['filters[metadata.tier][conditions][$is]=gold', ['GEN-1', 'GEN-2', 'OWN-2']],
        ['filters[metadata.tier][conditions][$is_not]=gold', ['GEN-3', 'OWN-1']],
        ['filters[metadata.tier][conditions][$has_value]=true&limit=2', ['GEN-1', 'GEN-2']],
        ['filters[metadata.tier][conditions][$is_unknown]=true', ['GEN-3']],
        ['filters[metadata.tags][conditions][$is]=b', ['GEN-1', 'GEN-2', 'OWN-2']],
        ['filters[metadata.tags][conditions][$is_not]=b', ['GEN-3', 'OWN-1']],
        ['filters[metadata.address.city][conditions][$starts_with]=Os', ['GEN-1', 'GEN-2', 'OWN-2']],
        ['filters[metadata.size][conditions][$is]=5', ['GEN-1', 'GEN-2', 'OWN-2']],
        ['filters[start_date][conditions][$after]=2900-01-01', ['OWN-2']],
        ['filters[expiration_date][conditions][$before]=2022-01-01', ['GEN-1', 'GEN-2']],
        ['filters[expiration_date][conditions][$is_unknown]=true', ['GEN-3', 'OWN-1', 'OWN-2']],
        ['filters[validity_day_of_week][conditions][$is]=3', []],
        ['filters[validity_day_of_week][conditions][$is]=2&limit=1', ['GEN-1']],
        ['filters[redemption.redeemed_quantity][conditions][$more_than]=1', ['GEN-3']],
        ['filters[redemption.quantity][conditions][$less_than]=3', []],
        [
          'filters[junction]=or&filters[holder_id][conditions][$is]=cust_9&filters[categories][conditions][$is]=Else',
          ['GEN-3', 'OWN-2'],
        ],
      ])('campaign=held&%s', async (query, expected) => {
        const { status, body } = await get(`/v1/vouchers?campaign=held&order=code&${query}`);
        expect([status, body.vouchers?.map(({ code }: { code: string }) => code)]).toEqual([200, expected]);
      });
    });

    test.each([
      ['filters[redemption.other][conditions][$is]=1', 'invalid_query_params'],
      ['filters[redemption.quantity][conditions][$is]=many', 'invalid_query_params'],
      ['filters[validity_day_of_week][conditions][$is]=7', 'invalid_query_params'],
      ['filters[is_referral_code][conditions][$is]=yes', 'invalid_query_params'],
      ['filters[active][conditions][$failed]=true', 'invalid_query_params'],
      ['filters[active][conditions][$is]=true', 'invalid_query_params'],
      ['filters[metadata.tier][conditions][$more_than]=1', 'invalid_query_params'],
      ['page=100', 'page_over_limit'],
      ['limit=101', 'invalid_query_params'],
      ['order=campaign', 'invalid_query_params'],
      ['filters[holder][conditions][$is]=x', 'invalid_query_params'],
      ['created_at[before]=soon', 'invalid_query_params'],
    ])('refuses %s', async (query, key) => {
      const { status, body } = await get(`/v1/vouchers?${query}`);
      expect([status, body.key]).toEqual([400, key]);
    });
  });

  describe('images', () => {
    const png = Buffer.from([0x89, 0x50, 0x4e, 0x47]);
    const image = (path: string): Promise<Answer> =>
      fixture.call('GET', path, undefined, { 'x-app-id': '', 'x-app-token': '' });

    it.each(['qr', 'barcode'])('serves the %s of a code to whoever has its id', async (kind) => {
      await add(`/IMAGE-${kind}`);
      const { assets } = (await get(`/v1/vouchers/IMAGE-${kind}`)).body;
      const asPng = await image(`/v1/assets/${kind}/${assets.qr.id}`);
      expect(asPng.status).toBe(200);
      expect(asPng.headers.get('content-type')).toBe('image/png');
      expect(asPng.headers.get('cache-control')).toBe('public, max-age=86400');
      expect((asPng.body as Buffer).subarray(0, 4)).toEqual(png);
      const asSvg = await image(`/v1/assets/${kind}/${assets.qr.id}?format=svg&size=100`);
      expect(asSvg.headers.get('content-type')).toBe('image/svg+xml');
      expect(String(asSvg.body)).toMatch(/^<svg/);
    });

    it('draws codes beyond ASCII', async () => {
      await add(`/${encodeURIComponent('ŻÓŁĆ-1')}`);
      const { assets } = (await get(`/v1/vouchers/${encodeURIComponent('ŻÓŁĆ-1')}`)).body;
      expect((await image(`/v1/assets/qr/${assets.qr.id}`)).status).toBe(200);
      expect((await image(`/v1/assets/barcode/${assets.qr.id}`)).status).toBe(200);
    });

    it('has a QR code but no bar code for a code that is too long for one', async () => {
      const { body } = await add('', { code: 'Ż'.repeat(251) });
      expect((await image(`/v1/assets/qr/${body.assets.qr.id}`)).status).toBe(200);
      const barcode = await image(`/v1/assets/barcode/${body.assets.barcode.id}`);
      expect([barcode.status, barcode.body.key]).toEqual([404, 'not_found']);
    });

    it('refuses sizes, formats and ids that cannot be', async () => {
      const { assets } = (await get('/v1/vouchers/OVER')).body;
      const path = `/v1/assets/qr/${assets.qr.id}`;
      const wrong = await Promise.all(
        ['?size=0', '?size=101', '?format=gif'].map((query) => image(path + query)),
      );
      expect(wrong.map(({ status, body }) => [status, body.key])).toEqual(
        wrong.map(() => [400, 'invalid_query_params']),
      );
      const unknown = await image('/v1/assets/qr/d1.unknown');
      expect([unknown.status, unknown.body.key]).toEqual([404, 'not_found']);
      expect(unknown.headers.get('cache-control')).toBe('no-store');
    });
  });
});
