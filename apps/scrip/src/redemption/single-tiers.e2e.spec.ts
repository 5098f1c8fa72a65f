import { newId } from '@scrip/kernel';
import { type ScripAnswer, type SharedScrip, sharedScrip } from '@scrip/testing';

const cart = { amount: 10_000 };
const amountOff = (amount_off: number) => ({ discount: { type: 'AMOUNT', amount_off } });
const percentOff = (percent_off: number) => ({ discount: { type: 'PERCENT', percent_off } });
const past = { start_date: '2020-01-01T00:00:00.000Z', expiration_date: '2020-12-31T00:00:00.000Z' };
const largeCart = { name: 'order.amount', conditions: { $more_than: [50_000] } };
const vip = { name: 'customer.metadata', property: 'vip', conditions: { $is: [true] } };

describe('calls for promotion tiers (reference 03 §5.4, §6.3, reference 02 §9)', () => {
  let scrip: SharedScrip;

  beforeAll(async () => {
    scrip = await sharedScrip();
  }, 240_000);

  const post = (path: string, body: object): Promise<any> =>
    scrip.call('POST', path, body) as Promise<ScripAnswer & { body: any }>;
  const newRule = async (rule: object) =>
    (
      await scrip.ask<{ id: string }>('POST', '/v1/validation-rules', {
        ...{ name: newId('Rule '), rules: { 1: rule, logic: '1' } },
      })
    ).id;
  /** Tiers of a campaign of their own. */
  const newTiers = async (...tiers: object[]) => {
    const { id, promotion } = await scrip.ask<any>('POST', '/v1/campaigns', {
      ...{ name: newId('Promotion '), campaign_type: 'PROMOTION' },
      promotion: { tiers: tiers.map((tier, place) => ({ name: `Tier ${place}`, ...tier })) },
    });
    return { campaign: id as string, ids: promotion.tiers.map((tier: any) => tier.id) as string[] };
  };
  const newTier = async (tier: object) => (await newTiers(tier)).ids[0]!;
  const ruled = async (rule: object) =>
    newTier({ action: percentOff(10), validation_rules: [await newRule(rule)] });
  const tierCalls = (id: string) => `/v1/promotions/tiers/${id}`;
  const stackable = (body: object, id: string) => ({
    ...body,
    redeemables: [{ object: 'promotion_tier', id }],
    options: { expand: ['order', 'redemption'] },
  });

  describe('for one say what calls for redeemables say of it', () => {
    it('that applies', async () => {
      const { campaign, ids } = await newTiers({
        ...{ name: 'Two for Tuesday', banner: 'Today', metadata: { lane: 'fast' }, action: percentOff(10) },
        expiration_date: '2999-01-01T00:00:00.000Z',
      });
      const body = { order: cart, customer: { source_id: 'tier-customer' }, metadata: { till: 'T1' } };
      const [id] = ids as [string];
      const { body: valid } = await post(`${tierCalls(id)}/validation`, body);
      const stacked = await post('/v1/validations', stackable(body, id));
      const [redeemable] = stacked.body.redeemables;
      expect(valid).toEqual({
        valid: true,
        ...{ id, name: 'Two for Tuesday', banner: 'Today', metadata: { lane: 'fast' }, hierarchy: 1 },
        ...{ expiration_date: '2999-01-01T00:00:00.000Z', category_id: null, object: 'promotion_tier' },
        campaign: { id: campaign, active: true, object: 'campaign' },
        discount: redeemable.result.discount,
        ...{ discount_amount: 1_000, applied_discount_amount: 1_000 },
        order: redeemable.order,
        applicable_to: redeemable.applicable_to,
        inapplicable_to: redeemable.inapplicable_to,
        tracking_id: stacked.body.tracking_id,
      });
      const { status, body: redeemed } = await post(`${tierCalls(id)}/redemption?tracking_id=other`, body);
      expect([status, redeemed]).toMatchObject([
        200,
        {
          ...{ result: 'SUCCESS', related_object_type: 'promotion_tier', related_object_id: id },
          ...{ metadata: { till: 'T1' }, promotion_tier: { id }, order: { total_amount: 9_000 } },
          tracking_id: valid.tracking_id,
        },
      ]);
      expect((await scrip.call('GET', `/v1/redemptions/${redeemed.id}`)).body).toEqual(redeemed);
      expect((await post(`${tierCalls(id)}/validation`, {})).body).not.toHaveProperty('discount_amount');
    });

    const others = () => {
      const today = new Date().getUTCDay();
      return [0, 1, 2, 3, 4, 5, 6].filter((day) => Math.abs(day - today) % 6 > 1);
    };
    const cases: [string, () => Promise<string> | string, string, string, object?][] = [
      ['that nobody has', () => 'promo_none', 'not_found', 'promotion tier not found'],
      [
        'that is switched off',
        () => newTier({ action: percentOff(10), active: false }),
        ...(['promotion_inactive', 'Inactive Promotion'] as const),
      ],
      [
        'outside its dates',
        () => newTier({ action: percentOff(10), ...past }),
        ...(['promotion_inactive', 'Inactive Promotion'] as const),
      ],
      [
        'outside its recurring window',
        () => newTier({ action: percentOff(10), validity_day_of_week: others() }),
        ...(['promotion_not_active_now', 'promotion not active now'] as const),
      ],
      [
        'whose rule the order breaks',
        () => ruled({ ...largeCart, error: { message: 'Only for large carts' } }),
        ...(['order_rules_violated', 'order does not match validation rules'] as const),
      ],
      [
        'whose rule the customer breaks',
        () => ruled(vip),
        ...(['customer_rules_violated', 'customer does not match validation rules'] as const),
        { customer: { source_id: 'plain-customer' } },
      ],
      ['whose rule needs a customer', () => ruled(vip), 'missing_customer', 'Missing customer'],
    ];

    it.each(cases)('%s', async (_, made, key, reason, more = {}) => {
      const id = await made();
      const body = { order: cart, ...more };
      const { status, body: invalid } = await post(`${tierCalls(id)}/validation`, body);
      const stacked = await post('/v1/validations', stackable(body, id));
      const { error: custom, request_id: __, ...error } = stacked.body.redeemables[0].result.error;
      expect([status, error.key, invalid]).toMatchObject([
        200,
        key,
        {
          ...{ valid: false, id, reason, tracking_id: expect.stringMatching(/^track_/) },
          error: { ...error, message: custom?.message ?? error.message },
        },
      ]);
      expect(invalid.name).toBe(key === 'not_found' ? undefined : 'Tier 0');
      expect(invalid.discount?.percent_off).toBe(key === 'not_found' ? undefined : 10);
      expect(invalid).not.toHaveProperty('order');

      const refused = await post(`${tierCalls(id)}/redemption`, body);
      const together = await post('/v1/redemptions', stackable(body, id));
      const own = { request_id: expect.any(String), resource_id: expect.stringMatching(/^rf_/) };
      expect([refused.status, refused.body]).toEqual([together.status, { ...together.body, ...own }]);
      const kept = await scrip.call('GET', `/v1/redemptions/${refused.body.resource_id}`);
      expect(kept.body).toMatchObject({ result: 'FAILURE', failure_code: key });
    });

    it.each<[string, object, number, string]>([
      ['an order that is canceled', { order: { status: 'CANCELED' } }, 400, 'invalid_order'],
      ['an amount that is none', { order: { amount: 'much' } }, 400, 'invalid_payload'],
      ['a customer that nobody has', { customer: { id: 'cust_none' } }, 404, 'not_found'],
      ['an order that nobody has', { order: { id: 'ord_none' } }, 404, 'not_found'],
    ])('%s, which refuses the whole call', async (_, body, status, key) => {
      const id = await newTier({ action: percentOff(10) });
      const calls = [
        `${tierCalls(id)}/validation`,
        `${tierCalls(id)}/redemption`,
        '/v1/promotions/validation',
      ];
      for (const call of calls) {
        const answer = await post(call, body);
        expect([call, answer.status, answer.body.key]).toEqual([call, status, key]);
      }
    });
  });

  describe('for all', () => {
    const list = async (body: object, query = '') =>
      (await post(`/v1/promotions/validation${query}`, body)).body;
    const of = (campaign: string, more = '') => `?filters[promotion_id][conditions][$is]=${campaign}${more}`;
    const idsOf = ({ promotions }: any): string[] => promotions.map(({ id }: any) => id);

    it('list those that apply, the newest first, each as if it alone were applied', async () => {
      const { campaign, ids } = await newTiers(
        { action: amountOff(500) },
        { action: percentOff(50), active: false },
        { action: percentOff(50), ...past },
        { action: percentOff(50), validation_rules: [await newRule(largeCart)] },
      );
      const { id: newest } = await scrip.ask<{ id: string }>('POST', `/v1/promotions/${campaign}/tiers`, {
        ...{ name: 'Later', action: percentOff(10), metadata: { lane: 'fast' } },
      });
      const listed = await list({ order: cart, customer: { source_id: 'lister' } }, of(campaign));
      expect([listed.valid, idsOf(listed)]).toEqual([true, [newest, ids[0]]]);
      for (const tier of listed.promotions) {
        const { tracking_id, ...alone } = (
          await post(`${tierCalls(tier.id)}/validation`, {
            ...{ order: cart, customer: { source_id: 'lister' } },
          })
        ).body;
        expect(tier).toEqual(alone);
        expect(tracking_id).toBe(listed.tracking_id);
      }
      expect(listed.promotions.map((tier: any) => tier.applied_discount_amount)).toEqual([1_000, 500]);
      expect(idsOf(await list({ order: { amount: 60_000 } }, of(campaign)))).toEqual([
        ...[newest, ids[3], ids[0]],
      ]);
      const fast = '&filters[metadata.lane][conditions][$is]=fast';
      expect(idsOf(await list({ order: cart }, of(campaign, fast)))).toEqual([newest]);
      const none = await list({ order: cart }, of('camp_none'));
      expect(none).toEqual({
        ...{ valid: false, promotions: [], tracking_id: expect.stringMatching(/^track_/) },
      });
    });

    it('look at rules on the customer alone, where only these are asked for', async () => {
      const { campaign, ids } = await newTiers(
        { action: percentOff(10), validation_rules: [await newRule(largeCart)] },
        { action: percentOff(20), validation_rules: [await newRule(vip)] },
      );
      const plain = { order: cart, customer: { source_id: 'plain-lister', metadata: { vip: false } } };
      expect(idsOf(await list(plain, of(campaign)))).toEqual([]);
      expect(idsOf(await list(plain, of(campaign, '&audienceRulesOnly=true')))).toEqual([ids[0]]);
      expect((await post('/v1/promotions/validation?audienceRulesOnly=maybe', {})).body).toMatchObject({
        ...{ code: 400, key: 'invalid_query_params' },
      });
    });

    it('know no customer by a tracking id alone, as the validation of one does not (reference 03 §3.4)', async () => {
      const { campaign, ids } = await newTiers({
        ...{ action: percentOff(20), validation_rules: [await newRule(vip)] },
      });
      await post('/v1/customers', { source_id: 'tracked', metadata: { vip: true } });
      const customer = { source_id: 'tracked' };
      const { tracking_id, ...named } = await list({ order: cart, customer }, of(campaign));
      expect(idsOf(named)).toEqual(ids);
      for (const sent of ['tracked', tracking_id]) {
        const body = { order: cart, tracking_id: sent };
        expect(await list(body, of(campaign))).toEqual({ valid: false, promotions: [], tracking_id });
        expect((await post(`${tierCalls(ids[0]!)}/validation`, body)).body).toMatchObject({
          ...{ valid: false, error: { key: 'missing_customer' } },
        });
      }
    });

    it('leave out a tier whose limit is reached', async () => {
      const limit = { name: 'campaign.redemptions.count', conditions: { $less_than_or_equal: [1] } };
      const { campaign, ids } = await newTiers({
        ...{ action: percentOff(10), validation_rules: [await newRule(limit)] },
      });
      expect(idsOf(await list({ order: cart }, of(campaign)))).toEqual(ids);
      expect((await post(`${tierCalls(ids[0]!)}/redemption`, { order: cart })).status).toBe(200);
      expect(idsOf(await list({ order: cart }, of(campaign)))).toEqual([]);
      const { body } = await post(`${tierCalls(ids[0]!)}/validation`, { order: cart });
      expect(body).toMatchObject({ valid: false, error: { key: 'redemption_rules_violated' } });
    });

    it('show categories where they are asked for', async () => {
      const category = await scrip.ask<{ id: string }>('POST', '/v1/categories', {
        ...{ name: newId('Category '), hierarchy: 1 },
      });
      const { campaign } = await newTiers({ action: percentOff(10), category_id: category.id });
      const [plain] = (await list({ order: cart }, of(campaign))).promotions;
      expect(plain).toMatchObject({ category_id: category.id });
      expect(plain).not.toHaveProperty('categories');
      const expanded = await list({ order: cart, options: { expand: ['category'] } }, of(campaign));
      expect(expanded.promotions).toMatchObject([{ categories: [{ id: category.id }] }]);
    });

    it.each([
      ['a field that tiers are not chosen by', '?filters[name][conditions][$is]=a'],
      ['an operator that there is none', '?filters[promotion_id][conditions][$like]=a'],
    ])('are refused for %s', async (_, query) => {
      const { status, body } = await post(`/v1/promotions/validation${query}`, {});
      expect([status, body.key]).toEqual([400, 'invalid_query_params']);
    });
  });
});
