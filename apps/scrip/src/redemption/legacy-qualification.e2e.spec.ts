import { newId } from '@scrip/kernel';
import { type SharedScrip, sharedScrip, waitUntil } from '@scrip/testing';

const percentOff = (percent_off: number) => ({
  type: 'DISCOUNT_VOUCHER',
  discount: { type: 'PERCENT', percent_off },
  redemption: { quantity: null },
});
const holderOnly = { name: 'publication.redeemable_by_linked_customer', conditions: { $is: [true] } };
const atMostOnce = (name: string) => ({ name, conditions: { $less_than_or_equal: [1] } });

describe('campaigns and generic vouchers that qualify (reference 02 §9)', () => {
  let scrip: SharedScrip;
  let vips: object;
  const cart = { amount: 10_000 };
  const vip = { source_id: 'vip', metadata: { tier: 'VIP' } };
  const audienceOnly = '?audienceRulesOnly=true';

  const ask = <Body = any>(path: string, body: object) => scrip.ask<Body>('POST', path, body);
  const newRule = async (rules: object, more: object = {}) =>
    (await ask('/v1/validation-rules', { name: newId('Rule '), rules, ...more })).id as string;
  const ruled = async (rule: object, more: object = {}) => [await newRule({ 1: rule, logic: '1' }, more)];

  const post = (kind: string, body: object, query = '') =>
    scrip.call('POST', `/v1/${kind}/qualification${query}`, body);
  const namesOf = ({ data }: any): string[] => data.map(({ name, code }: any) => name ?? code);
  /** A change is seen moments later. */
  const found = (kind: string, names: string[], body: object, query = ''): Promise<any> =>
    waitUntil(
      async () => {
        const answer = (await post(kind, body, query)).body;
        return [...namesOf(answer)].sort().join() === [...names].sort().join() && answer;
      },
      { what: `${kind} ${names.join()}` },
    );

  beforeAll(async () => {
    scrip = await sharedScrip();
    const { id } = await ask('/v1/segments', {
      ...{ name: 'VIPs', type: 'auto-update' },
      filter: { 'metadata.tier': { conditions: { $is: ['VIP'] } } },
    });
    vips = { name: 'customer.segment', conditions: { $is: [id] } };
    await ask('/v1/customers', vip);
  }, 240_000);

  it.each([
    ['campaigns?limit=0', 'Property .limit must be >= 1'],
    ['campaigns?limit=51', 'Property .limit must be <= 50'],
    ['vouchers?limit=51', 'Property .limit must be <= 50'],
    ['vouchers?order=type', /^Property \.order should be equal to one of the allowed values/],
    ['campaigns?audienceRulesOnly=some', 'Property .audienceRulesOnly must be boolean'],
  ])('refuse the query of %s', async (asked, details) => {
    const [kind = '', query] = asked.split('?');
    const { status, body } = await post(kind, {}, `?${query}`);
    const expected = typeof details === 'string' ? details : expect.stringMatching(details);
    expect([status, body]).toMatchObject([400, { key: 'invalid_query_params', details: expected }]);
  });

  it.each(['campaigns', 'vouchers'])('refuse a body of %s that does not fit', async (kind) => {
    expect(await post(kind, { customer: { id: 'cust_none' } })).toMatchObject({
      status: 404,
      body: { key: 'not_found', resource_type: 'customer' },
    });
    expect(await post(kind, { order: { amount: -1 } })).toMatchObject({
      status: 400,
      body: { key: 'invalid_payload', details: 'Property .order.amount must be >= 0' },
    });
  });

  describe('campaigns', () => {
    const ids: Record<string, string> = {};
    const newCampaign = async (name: string, more: object = {}) => {
      const { id } = await ask('/v1/campaigns', {
        ...{ name, campaign_type: 'DISCOUNT_COUPONS', voucher: percentOff(10) },
        ...more,
      });
      ids[name] = id;
      await ask(`/v1/campaigns/${id}/vouchers/${name}-1`, {});
    };
    const redeem = (code: string) => ask(`/v1/vouchers/${code}/redemption`, { customer: vip, order: cart });
    const audience = ['Large', 'Each', 'Exhausted', 'Held', 'Open'];

    beforeAll(async () => {
      await newCampaign('Open', { metadata: { shelf: 'A' } });
      const held = await newRule({ 1: vips, 2: holderOnly, logic: '1 and 2' });
      await newCampaign('Held', { type: 'STATIC', validation_rules: [held] });
      const limit = atMostOnce('campaign.redemptions.count');
      await newCampaign('Exhausted', { validation_rules: await ruled(limit) });
      const each = atMostOnce('redemption.count.per_customer');
      await newCampaign('Each', { validation_rules: await ruled(each) });
      const large = { name: 'order.amount', conditions: { $more_than: [50_000] } };
      await newCampaign('Large', { validation_rules: await ruled(large) });
      await newCampaign('Closed');
      await ask(`/v1/campaigns/${ids.Closed}/disable`, {});
      await newCampaign('Ended', { expiration_date: '2020-01-01T00:00:00Z' });
      await ask('/v1/campaigns', {
        ...{ name: 'Alone', campaign_type: 'DISCOUNT_COUPONS', type: 'STANDALONE' },
        voucher: { ...percentOff(10), code: 'ALONE' },
      });
      await ask('/v1/campaigns', {
        ...{ name: 'Promotion', campaign_type: 'PROMOTION' },
        promotion: { tiers: [{ name: 'Tier', action: percentOff(10) }] },
      });
      await redeem('Exhausted-1');
      await redeem('Each-1');
      // Each that qualifies for any of the calls below is seen by now, whatever the order of the news.
      await found('campaigns', audience, { customer: vip, order: cart }, audienceOnly);
      await found('campaigns', ['Open', 'Held', 'Each'], { customer: vip, order: cart });
    }, 240_000);

    it('are shown as reads show them, with what became of their rules', async () => {
      const body = await found('campaigns', ['Open', 'Held', 'Each'], { customer: vip, order: cart });
      expect(body).toEqual({
        ...{ object: 'list', data_ref: 'data', data: expect.any(Array), total: 3 },
        ...{ id: expect.stringMatching(/^qfl_/), created_at: expect.any(String) },
        tracking_id: expect.stringMatching(/^track_/),
      });
      // The newest first.
      expect(namesOf(body)).toEqual(['Each', 'Held', 'Open']);
      const [each, held, open] = body.data;
      expect(open.validation_rules_assignments).toEqual({
        ...{ object: 'list', data_ref: 'data', data: [], total: 0 },
      });
      expect(open).toEqual((await scrip.call('GET', `/v1/campaigns/${ids.Open}`)).body);
      // The code that a campaign stands for has no holder: the rule is omitted.
      expect(held.validation_rules_assignments).toMatchObject({
        data: [
          {
            ...{ related_object_type: 'campaign', related_object_id: ids.Held },
            ...{ validation_status: 'PARTIALLY_VALID', validation_omitted_rules: ['2'] },
          },
        ],
        total: 1,
      });
      // Nor was it redeemed, though another code was.
      expect(each.validation_rules_assignments.data).toMatchObject([{ validation_status: 'VALID' }]);
      expect(each.validation_rules_assignments.data[0]).not.toHaveProperty('validation_omitted_rules');
    });

    it('are judged for nobody too, and by the amount of the order', async () => {
      expect(namesOf((await post('campaigns', {})).body)).toEqual(['Open']);
      const large = { order: { amount: 60_000 }, customer: vip };
      expect(namesOf((await post('campaigns', large)).body)).toEqual(['Large', 'Each', 'Held', 'Open']);
    });

    it('are judged by their rules on the customer alone, where that is asked for', async () => {
      const { body } = await post('campaigns', { customer: vip, order: cart }, audienceOnly);
      expect(namesOf(body)).toEqual(audience);
      expect(body.data[0].validation_rules_assignments.data).toMatchObject([
        { validation_status: 'PARTIALLY_VALID', validation_omitted_rules: ['1'] },
      ]);
      const { body: others } = await post('campaigns', { customer: { source_id: 'other' } }, audienceOnly);
      expect(namesOf(others)).toEqual(audience.filter((name) => name !== 'Held'));
    });

    it.each([
      ['order=campaign', ['Each', 'Held', 'Open']],
      ['order=-campaign', ['Open', 'Held', 'Each']],
      ['order=created_at', ['Open', 'Held', 'Each']],
      ['order=created_at&limit=1', ['Open']],
      ['limit=2', ['Each', 'Held']],
      ['order=code', ['Each', 'Held', 'Open']],
    ])('are sorted and cut: %s', async (query, expected) => {
      const { body } = await post('campaigns', { customer: vip, order: cart }, `?${query}`);
      expect(namesOf(body)).toEqual(expected);
      expect(body.total).toBe(expected.length);
    });
  });

  describe('generic vouchers', () => {
    const newVoucher = (code: string, more: object = {}) =>
      ask(`/v1/vouchers/${code}`, { ...percentOff(10), ...more });
    const redeem = (code: string) => ask(`/v1/vouchers/${code}/redemption`, { customer: vip, order: cart });
    const body = { customer: vip, order: cart, metadata: { till: 'T1' } };
    const other = { customer: { source_id: 'other' } };

    beforeAll(async () => {
      const lamp = await ask('/v1/products', { name: 'Lamp' });
      const scope = { applicable_to: { included: [{ object: 'product', id: lamp.id }], excluded: [] } };
      await newVoucher('FREE');
      await newVoucher('LAMP', { validation_rules: [await newRule({}, scope)] });
      await newVoucher('VIP', { validation_rules: await ruled(vips) });
      const till = { name: 'redemption.metadata', property: 'till', conditions: { $is: ['T1'] } };
      await newVoucher('TILL', { validation_rules: await ruled(till) });
      await newVoucher('ONCE', {
        validation_rules: await ruled(atMostOnce('redemption.count.per_customer')),
      });
      await newVoucher('TOTAL', { validation_rules: await ruled(atMostOnce('campaign.redemptions.count')) });
      await newVoucher('USED', { redemption: { quantity: 1 } });
      await newVoucher('OFF', { active: false });
      for (const code of ['ONCE', 'TOTAL', 'USED']) await redeem(code);
      await found('vouchers', ['TOTAL', 'ONCE', 'TILL', 'LAMP', 'FREE', 'ALONE'], other, audienceOnly);
      await found('vouchers', ['ALONE', 'FREE', 'LAMP', 'VIP', 'TILL'], body);
    }, 240_000);

    it('are shown as reads show them, with what they act on and what became of their rules', async () => {
      const answer = await found('vouchers', ['ALONE', 'FREE', 'LAMP', 'VIP', 'TILL'], body);
      expect(answer).toMatchObject({ object: 'list', total: 5, id: expect.stringMatching(/^qfl_/) });
      expect(namesOf(answer)).toEqual(['TILL', 'VIP', 'LAMP', 'FREE', 'ALONE']);
      const [till, , lamp, free] = answer.data;
      const { applicable_to, inapplicable_to, ...voucher } = free;
      expect(voucher).toEqual((await scrip.call('GET', '/v1/vouchers/FREE')).body);
      expect([applicable_to.total, inapplicable_to.total]).toEqual([0, 0]);
      expect(lamp.applicable_to).toMatchObject({ data: [{ object: 'product' }], total: 1 });
      expect(till.validation_rules_assignments).toMatchObject({
        ...{ data: [{ related_object_type: 'voucher', validation_status: 'VALID' }], total: 1 },
      });
    });

    it('count limits of the customer where only rules on the customer are asked for', async () => {
      const { body: answer } = await post('vouchers', { customer: vip }, audienceOnly);
      expect(namesOf(answer)).toEqual(['TOTAL', 'TILL', 'VIP', 'LAMP', 'FREE', 'ALONE']);
      const { body: others } = await post('vouchers', other, audienceOnly);
      expect(namesOf(others)).toEqual(['TOTAL', 'ONCE', 'TILL', 'LAMP', 'FREE', 'ALONE']);
    });

    it.each([
      ['order=code&limit=3', ['ALONE', 'FREE', 'LAMP']],
      ['order=-code&limit=2', ['VIP', 'TILL']],
      ['order=created_at&limit=1', ['ALONE']],
    ])('are sorted and cut: %s', async (query, expected) => {
      expect(namesOf((await post('vouchers', body, `?${query}`)).body)).toEqual(expected);
    });

    it('are looked at no further than the newest 50 that rules admit', async () => {
      const rule = await ruled(atMostOnce('campaign.redemptions.count'));
      const more = Array.from({ length: 50 }, (_, index) => `MORE-${String(index).padStart(2, '0')}`);
      for (const code of more) await newVoucher(code, { validation_rules: rule });
      const { body: answer } = await waitUntil(
        async () => {
          const seen = await post('vouchers', body);
          return namesOf(seen.body).filter((code) => code.startsWith('MORE-')).length === 50 && seen;
        },
        { what: 'the new vouchers' },
      );
      expect(namesOf(answer)).toEqual([...more].reverse());
      // One of them that does not qualify is looked at too.
      const newest = more.pop()!;
      await redeem(newest);
      expect(namesOf((await post('vouchers', body)).body)).toEqual([...more].reverse());
    });
  });
});
