import { isRefused } from '@scrip/kernel';
import {
  type Answer,
  bootCampaigns,
  caller,
  type CampaignsFixture,
  claimOn,
  coupons,
  foldingProject,
  requestOf,
} from '../campaigns.fixture';

const percent = { type: 'PERCENT', percent_off: 10 };
const discount = { type: 'DISCOUNT_VOUCHER', discount: percent };
const folding = { 'x-app-token': foldingProject.id };
const callers = 50;

describe('changes of single vouchers over HTTP', () => {
  let fixture: CampaignsFixture;
  let number = 0;

  beforeAll(async () => {
    fixture = await bootCampaigns();
    const campaigns = [
      coupons('coupons', { expiration_date: '2030-01-01', metadata: { from: 'campaign' }, category: 'Shop' }),
      coupons('public', { type: 'STANDALONE' }, { code: 'PUBLIC' }),
      { name: 'cards', voucher: { loyalty_card: { points: 1 } } },
      { name: 'friends', campaign_type: 'REFERRAL_PROGRAM', voucher: { discount: percent } },
    ];
    for (const campaign of campaigns) {
      expect((await fixture.call('POST', '/v1/campaigns', campaign)).status).toBe(200);
    }
  });
  afterAll(() => fixture?.running.close());

  const call = (method: string, path: string, body?: unknown, headers?: Record<string, string>) =>
    fixture.call(method, `/v1/vouchers${path}`, body, headers);
  const create = (body: unknown, path = ''): Promise<Answer> => call('POST', path, body);
  /** A new voucher's code. */
  const fresh = async (fields: Record<string, unknown> = {}): Promise<string> => {
    number += 1;
    const code = `FRESH-${number}`;
    expect((await create({ ...discount, ...fields }, `/${code}`)).status).toBe(200);
    return code;
  };
  const refusalOf = ({ status, body }: Answer) => ({ status, key: body.key, details: body.details });
  const eventsOf = async (id: string): Promise<string[]> => {
    const rows = await fixture.database.query<{ type: string }[]>(
      'SELECT type FROM events WHERE stream_id = $1 ORDER BY version',
      [id],
    );
    return rows.map(({ type }) => type);
  };

  describe('creating', () => {
    it('makes a standalone voucher, with links to its redemptions and publications', async () => {
      const { status, body } = await create(
        {
          discount: percent,
          start_date: '2026-01-01',
          expiration_date: '2026-12-31',
          validity_day_of_week: [1, 2],
          category: 'Summer',
          metadata: { a: 1 },
          additional_info: 'gate 4',
          redemption: { quantity: 3 },
          active: false,
        },
        '/SUMMER%2F10%25',
      );
      expect(status).toBe(200);
      expect(body).toMatchObject({
        id: expect.stringMatching(/^v_[0-9a-f]{32}$/),
        code: 'SUMMER/10%',
        campaign: null,
        campaign_id: null,
        category: 'Summer',
        type: 'DISCOUNT_VOUCHER',
        discount: percent,
        gift: null,
        loyalty_card: null,
        start_date: '2026-01-01T00:00:00.000Z',
        expiration_date: '2026-12-31T00:00:00.000Z',
        validity_day_of_week: [1, 2],
        additional_info: 'gate 4',
        metadata: { a: 1 },
        active: false,
        is_referral_code: false,
        publish: { count: 0, url: '/v1/vouchers/SUMMER%2F10%25/publications?page=1&limit=10' },
        redemption: {
          quantity: 3,
          redeemed_quantity: 0,
          url: '/v1/vouchers/SUMMER%2F10%25/redemptions?page=1&limit=10',
        },
      });
      expect((await call('GET', '/SUMMER%2F10%25')).body).toEqual(body);
      expect(await eventsOf(body.id)).toEqual(['VoucherCreated']);
    });

    it('takes the code from the body, makes one as it says, or any', async () => {
      expect((await create({ ...discount, code: 'IN-BODY' })).body.code).toBe('IN-BODY');
      const patterned = await create({ ...discount, code_config: { pattern: 'AB-##', charset: '01' } });
      expect(patterned.body.code).toMatch(/^AB-[01]{2}$/);
      const { body } = await create(discount);
      expect(body.code).toMatch(/^[0-9a-zA-Z]{8}$/);
      expect(body.redemption.quantity).toBeNull();
    });

    it('fills a gift card with its amount', async () => {
      const { body } = await create({ gift: { amount: 1000 } }, '/GIFT-1');
      expect(body).toMatchObject({
        type: 'GIFT_VOUCHER',
        discount: null,
        gift: { amount: 1000, subtracted_amount: 0, balance: 1000, effect: 'APPLY_TO_ORDER' },
        redemption: { redeemed_amount: 0 },
      });
    });

    it('joins a campaign by name or id and keeps its own definition', async () => {
      const own = { type: 'DISCOUNT_VOUCHER', discount: { type: 'AMOUNT', amount_off: 500 } };
      const joined = await create({ ...own, campaign: 'coupons' }, '/JOINED-1');
      expect(joined.body).toMatchObject({
        campaign: 'coupons',
        discount: { type: 'AMOUNT', amount_off: 500 },
        expiration_date: null,
        metadata: {},
        category: null,
      });
      const { campaign_id } = joined.body;
      expect((await create({ ...own, campaign_id }, '/JOINED-2')).body.campaign).toBe('coupons');
      expect((await fixture.call('GET', '/v1/campaigns/coupons')).body.vouchers_count).toBe(2);
      expect((await create({ ...discount, campaign: 'public' }, '/ANOTHER-PUBLIC')).status).toBe(200);
      const card = await create({ loyalty_card: { points: 7 }, campaign: 'cards' }, '/CARD-1');
      expect(card.body).toMatchObject({ type: 'LOYALTY_CARD', loyalty_card: { points: 7, balance: 7 } });
    });

    it('makes a referral code in a referral program, and nowhere else', async () => {
      const friend = await create({ ...discount, campaign: 'friends' }, '/FRIEND-1');
      expect(friend.body.is_referral_code).toBe(true);
      const lonely = await create({ ...discount, is_referral_code: true }, '/LONELY-1');
      expect(lonely.body.is_referral_code).toBe(false);
    });

    it.each<[string, Record<string, unknown>, number, string, string]>([
      ['without a type', {}, 400, 'invalid_voucher', "Property 'type' is required"],
      [
        'without its discount',
        { type: 'DISCOUNT_VOUCHER' },
        400,
        'invalid_voucher',
        "Property 'discount' is required for DISCOUNT_VOUCHER voucher",
      ],
      [
        'without its amount',
        { gift: {} },
        400,
        'invalid_voucher',
        "Property 'gift.amount' is required for GIFT_VOUCHER voucher",
      ],
      [
        'without its points',
        { type: 'LOYALTY_CARD', campaign: 'cards' },
        400,
        'invalid_voucher',
        "Property 'loyalty_card.points' is required for LOYALTY_CARD voucher",
      ],
      [
        'of loyalty without a campaign',
        { loyalty_card: { points: 1 } },
        400,
        'invalid_voucher',
        "Property 'campaign' is required for LOYALTY_CARD voucher",
      ],
      [
        'of a discount without its value',
        { discount: { type: 'AMOUNT' } },
        400,
        'invalid_payload',
        "Property .discount should have required property 'amount_off'",
      ],
      [
        'with two categories',
        { ...discount, category: 'a', category_id: 'b' },
        400,
        'invalid_payload',
        'Only one of .category and .category_id can be given',
      ],
      [
        'that ends before it begins',
        { ...discount, start_date: '2026-02-01', expiration_date: '2026-01-01' },
        400,
        'invalid_payload',
        'Property .expiration_date must not be before .start_date (2026-02-01T00:00:00.000Z)',
      ],
      [
        'with a wrong quantity',
        { ...discount, redemption: { quantity: 'many' } },
        400,
        'invalid_payload',
        'Property .redemption.quantity should be number,null',
      ],
      [
        'with codes that cannot exist',
        { ...discount, code_config: { length: 0 } },
        400,
        'invalid_code_config',
        'Codes must have 1 to 512 characters.',
      ],
      [
        'at random in a campaign with one public code',
        { ...discount, campaign: 'public' },
        400,
        'invalid_campaign',
        'You can not generate vouchers for STANDALONE type campaign.',
      ],
      [
        'of another type than its campaign',
        { gift: { amount: 1 }, campaign: 'coupons' },
        400,
        'invalid_voucher',
        "Property 'type' should be DISCOUNT_VOUCHER for a voucher of DISCOUNT_COUPONS campaign",
      ],
      [
        'in an unknown campaign',
        { ...discount, campaign: 'no such' },
        404,
        'not_found',
        'Cannot find campaign with id no such',
      ],
      [
        'of an unknown category',
        { ...discount, category_id: 'cat_0' },
        404,
        'not_found',
        'Cannot find category with id cat_0',
      ],
      [
        'with an unknown rule',
        { ...discount, validation_rules: ['val_0'] },
        404,
        'not_found',
        'Cannot find validation_rules with id val_0',
      ],
    ])('refuses one %s', async (_, body, status, key, details) => {
      expect(refusalOf(await create(body))).toEqual({ status, key, details });
    });

    it('refuses codes that are too long', async () => {
      expect(refusalOf(await create(discount, `/${'x'.repeat(513)}`))).toEqual({
        status: 400,
        key: 'invalid_payload',
        details: 'Property .code should NOT be longer than 512 characters',
      });
    });

    it('gives a code once, over campaigns and standalone vouchers', async () => {
      for (const path of ['/PUBLIC', '/IN-BODY']) {
        expect(refusalOf(await create(discount, path))).toEqual({
          status: 409,
          key: 'duplicate_found',
          details: `Duplicated voucher exists with id ${path.slice(1)}`,
        });
      }
      expect((await call('POST', '/Case-1', discount, folding)).status).toBe(200);
      expect((await call('POST', '/CASE-1', discount, folding)).status).toBe(409);
    });

    it('gives a code to one of fifty callers', async () => {
      const answers = await Promise.all(
        Array.from({ length: callers }, (_, index) =>
          index % 2
            ? create(discount, '/RACED')
            : create({ ...discount, code: 'RACED', campaign: 'coupons' }),
        ),
      );
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
      expect(answers.filter(({ status }) => status === 409)).toHaveLength(callers - 1);
    });

    it('finds the free codes that few are', async () => {
      const body = { ...discount, code_config: { pattern: 'FEW-#', charset: '0123456789' } };
      const answers = await Promise.all(Array.from({ length: 10 }, () => create(body)));
      expect(new Set(answers.map(({ body: { code } }) => code as string)).size).toBe(10);
      expect(refusalOf(await create(body))).toEqual({
        status: 400,
        key: 'invalid_code_config',
        details: 'No free code is left.',
      });
    });
  });

  describe('changing', () => {
    it('takes what was sent, and ignores what never changes', async () => {
      const code = await fresh({ metadata: { a: 1 }, redemption: { quantity: 2 } });
      const { status, body } = await call('PUT', `/${code}`, {
        code: 'OTHER',
        campaign: 'coupons',
        redemption: { quantity: 9 },
        discount: { type: 'PERCENT', percent_off: 20 },
        start_date: '2026-01-01',
        validity_timeframe: { interval: 'P1D', duration: 'PT1H' },
        category: 'Summer',
        additional_info: 'gate 4',
        metadata: { b: null },
      });
      expect(status).toBe(200);
      expect(body).toMatchObject({
        code,
        campaign: null,
        discount: { type: 'PERCENT', percent_off: 20 },
        start_date: '2026-01-01T00:00:00.000Z',
        validity_timeframe: { interval: 'P1D', duration: 'PT1H' },
        category: 'Summer',
        additional_info: 'gate 4',
        metadata: { a: 1, b: null },
        redemption: { quantity: 2 },
        updated_at: expect.any(String),
      });
      expect((await call('GET', `/${code}`)).body).toEqual(body);
      const cleared = await call('PUT', `/${body.id}`, {
        category: null,
        validity_timeframe: null,
        additional_info: null,
      });
      expect(cleared.body).toMatchObject({
        category: null,
        categories: [],
        validity_timeframe: null,
        additional_info: null,
        start_date: '2026-01-01T00:00:00.000Z',
      });
      expect((await call('PUT', `/${code}`, {})).body).toEqual(cleared.body);
      expect(await eventsOf(body.id)).toEqual(['VoucherCreated', 'VoucherUpdated', 'VoucherUpdated']);
    });

    it('replaces what a generated voucher inherits', async () => {
      const body = coupons('generated', { vouchers_count: 1, metadata: { from: 'campaign' } });
      const created = await fixture.call('POST', '/v1/campaigns', body);
      const list = await call('GET', `?campaign_id=${created.body.id}`);
      const { code } = list.body.vouchers[0];
      const changed = await call('PUT', `/${code}`, {
        expiration_date: '2031-01-01',
        metadata: { own: true },
      });
      expect(changed.body).toMatchObject({
        campaign: 'generated',
        expiration_date: '2031-01-01T00:00:00.000Z',
        metadata: { from: 'campaign', own: true },
      });
      expect((await call('GET', `/${code}`)).body).toEqual(changed.body);
    });

    it.each<[string, Record<string, unknown>, number, string, string]>([
      [
        'another type of discount',
        { discount: { type: 'AMOUNT', amount_off: 1 } },
        400,
        'invalid_voucher',
        'It is not possible to change Voucher discount type',
      ],
      [
        'a discount without its value',
        { discount: { type: 'PERCENT' } },
        400,
        'invalid_payload',
        "Property .discount should have required property 'percent_off'",
      ],
      [
        'windows that cannot be',
        { validity_timeframe: { interval: 'P1D', duration: 'PT1H' } },
        400,
        'invalid_payload',
        'Property .validity_timeframe requires .start_date',
      ],
      [
        'two categories',
        { category: 'a', category_id: 'b' },
        400,
        'invalid_payload',
        'Only one of .category and .category_id can be given',
      ],
      [
        'an unknown category',
        { category_id: 'cat_0' },
        404,
        'not_found',
        'Cannot find category with id cat_0',
      ],
    ])('refuses %s', async (_, body, status, key, details) => {
      expect(refusalOf(await call('PUT', `/${await fresh()}`, body))).toEqual({ status, key, details });
    });

    it('finds nobody else’s voucher', async () => {
      const code = await fresh();
      const unknown = { status: 404, key: 'not_found', details: `Cannot find voucher with id ${code}` };
      expect(refusalOf(await call('PUT', `/${code}`, {}, folding))).toEqual(unknown);
      expect(refusalOf(await call('POST', `/${code}/enable`, undefined, folding))).toEqual(unknown);
      expect(refusalOf(await call('POST', `/${code}/disable`, undefined, folding))).toEqual(unknown);
    });

    it('keeps every one of fifty changes made at once', async () => {
      const code = await fresh();
      const answers = await Promise.all(
        Array.from({ length: callers }, (_, index) =>
          call('PUT', `/${code}`, { metadata: { [`key_${index}`]: index } }),
        ),
      );
      expect(answers.filter(({ status }) => status !== 200)).toEqual([]);
      expect(Object.keys((await call('GET', `/${code}`)).body.metadata)).toHaveLength(callers);
    });
  });

  describe('enabling and disabling', () => {
    it('shows the voucher, and is an event only where it changes something', async () => {
      const code = await fresh();
      const disabled = await call('POST', `/${code}/disable`);
      expect(disabled.status).toBe(200);
      expect(disabled.body).toMatchObject({ code, active: false, object: 'voucher' });
      expect((await call('POST', `/${code}/disable`)).body).toEqual(disabled.body);
      const enabled = await call('POST', `/${code}/enable`);
      expect(enabled.body).toMatchObject({ code, active: true });
      expect((await call('POST', `/${code}/enable`)).body).toEqual(enabled.body);
      expect(await eventsOf(enabled.body.id)).toEqual([
        'VoucherCreated',
        'VoucherDisabled',
        'VoucherEnabled',
      ]);
    });

    it('lets no use be taken of a disabled voucher, whoever is faster', async () => {
      const code = await fresh();
      const { id } = (await call('GET', `/${code}`)).body;
      const claimed = Array.from({ length: callers }, async () => {
        const [answer] = await fixture.port.claim(caller(), requestOf(claimOn(id as string)));
        return answer;
      });
      const [answers] = await Promise.all([Promise.all(claimed), call('POST', `/${code}/disable`)]);
      const refused = answers.flatMap((answer) =>
        answer && 'refusal' in answer ? [answer.refusal.refused] : [],
      );
      expect(new Set(refused)).toEqual(new Set(refused.length ? ['voucher_disabled'] : []));
      const history = await eventsOf(id as string);
      expect(history.slice(history.indexOf('VoucherDisabled') + 1)).toEqual([]);
      expect(history.filter((type) => type === 'VoucherQuantityConsumed')).toHaveLength(
        callers - refused.length,
      );
      const [late] = await fixture.port.claim(caller(), requestOf(claimOn(id as string)));
      expect(late).toMatchObject({ refusal: { refused: 'voucher_disabled', details: code } });
      const [loaded] = await fixture.port.load(caller(), { objects: [code] });
      expect(loaded && !isRefused(loaded) && loaded.voucher.active).toBe(false);
    });
  });
});
