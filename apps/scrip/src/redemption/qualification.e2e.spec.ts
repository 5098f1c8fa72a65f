import { newId } from '@scrip/kernel';
import { type SharedScrip, sharedScrip, waitUntil } from '@scrip/testing';

const percentOff = (percent_off: number, effect: string) => ({
  discount: { type: 'PERCENT', percent_off, effect },
});
const holderOnly = {
  1: { name: 'publication.redeemable_by_linked_customer', conditions: { $is: [true] } },
  logic: '1',
};

describe('what qualifies (reference 02 §8, §9)', () => {
  let scrip: SharedScrip;
  let cup: string;
  let book: string;
  let t1: string;
  let t2: string;
  let brand: { id: string };
  let gift: { id: string };
  let segment: string;
  let stack: string;
  const origin = 'https://shop.example.com';

  const ask = <Body = any>(path: string, body: object) => scrip.ask<Body>('POST', path, body);
  const newRule = async (rules: object, more: object = {}) =>
    (await ask('/v1/validation-rules', { name: newId('Rule '), rules, ...more })).id as string;
  const only = (id: string) => ({ applicable_to: { included: [{ object: 'product', id }], excluded: [] } });
  const newCampaign = (body: object) =>
    ask<{ id: string; promotion?: any }>('/v1/campaigns', { name: newId('Campaign '), ...body });
  const newTier = async (action: object, rules: string[] = [], more: object = {}) => {
    const promotion = await newCampaign({ campaign_type: 'PROMOTION', promotion: { tiers: [] } });
    const tier = await ask(`/v1/promotions/${promotion.id}/tiers`, {
      ...{ name: newId('Tier '), banner: 'Take it', action, validation_rules: rules },
      ...more,
    });
    return { campaign: promotion.id, id: tier.id as string };
  };

  const order = () => ({
    items: [
      { product_id: cup, quantity: 1, price: 10_000 },
      { product_id: book, quantity: 1, price: 1_500 },
    ],
  });
  const vip = { source_id: 'vip', metadata: { tier: 'VIP' } };
  const qualify = async (body: object, { limit = 50, ...options }: Record<string, unknown> = {}) =>
    (await scrip.call('POST', '/v1/qualifications', { ...body, options: { limit, ...options } })).body;
  const amounts = ({ redeemables }: any): Record<string, number> =>
    Object.fromEntries(
      redeemables.data.map(({ id, order: after }: any) => [id, after?.total_applied_discount_amount ?? 0]),
    );
  const idsOf = ({ redeemables }: any): string[] => redeemables.data.map(({ id }: any) => id);

  /** A change is seen moments later. */
  const found = (count: number, body: object, options: Record<string, unknown> = {}): Promise<any> =>
    waitUntil(
      async () => {
        const answer = await qualify(body, options);
        return answer.redeemables?.total === count && answer;
      },
      { what: `${count} redeemables of ${JSON.stringify(body)}` },
    );

  beforeAll(async () => {
    scrip = await sharedScrip();
    [cup, book] = (await Promise.all(
      ['Cup', 'Book'].map(async (name) => (await ask('/v1/products', { name })).id),
    )) as [string, string];
    segment = (
      await ask('/v1/segments', {
        ...{ name: 'VIPs', type: 'auto-update' },
        filter: { 'metadata.tier': { conditions: { $is: ['VIP'] } } },
      })
    ).id;
    const vips = { 1: { name: 'customer.segment', conditions: { $is: [segment] } }, logic: '1' };
    t1 = (await newTier(percentOff(10, 'APPLY_TO_ORDER'))).id;
    const second = await newTier(percentOff(20, 'APPLY_TO_ITEMS'), [await newRule(vips, only(book))]);
    t2 = second.id;
    gift = await newCampaign({
      campaign_type: 'GIFT_VOUCHERS',
      voucher: { type: 'GIFT_VOUCHER', gift: { amount: 2_500 } },
      validation_rules: [await newRule(holderOnly)],
    });
    brand = await newCampaign({
      campaign_type: 'DISCOUNT_COUPONS',
      voucher: { type: 'DISCOUNT_VOUCHER', ...percentOff(10, 'APPLY_TO_ITEMS') },
      validation_rules: [await newRule(holderOnly, only(cup))],
    });
    await ask(`/v1/campaigns/${gift.id}/vouchers/GIFT-1`, {});
    await ask(`/v1/campaigns/${brand.id}/vouchers/BRAND-1`, {});
    await ask(`/v1/campaigns/${brand.id}/vouchers/BRAND-2`, {});
    for (const voucher of ['GIFT-1', 'BRAND-1']) await ask('/v1/publications', { voucher, customer: vip });
    stack = (await ask(`/v1/promotions/${second.campaign}/stacks`, { name: 'Both', tiers: { ids: [t2] } }))
      .id;
    await found(4, { order: order(), customer: vip });
    // The campaign of codes too, whose news may come behind those of its codes.
    await found(3, { scenario: 'PRODUCTS_DISCOUNT', order: order(), customer: vip });
    await found(1, { scenario: 'PROMOTION_STACKS', order: order(), customer: vip });
  }, 240_000);

  it.each([
    ['ALL, by nobody', 'ALL', {}, () => ({ [t1]: 1_150 })],
    ['ALL', 'ALL', { customer: vip }, () => ({ [t1]: 1_150, 'GIFT-1': 2_500, 'BRAND-1': 1_000, [t2]: 300 })],
    ['CUSTOMER_WALLET', 'CUSTOMER_WALLET', { customer: vip }, () => ({ 'GIFT-1': 2_500, 'BRAND-1': 1_000 })],
    ['CUSTOMER_WALLET, by nobody', 'CUSTOMER_WALLET', {}, () => ({})],
    [
      'PRODUCTS_DISCOUNT',
      'PRODUCTS_DISCOUNT',
      { customer: vip },
      () => ({ 'BRAND-1': 1_000, [brand.id]: 1_000, [t2]: 300 }),
    ],
    [
      'PRODUCTS_DISCOUNT_BY_CUSTOMER',
      'PRODUCTS_DISCOUNT_BY_CUSTOMER',
      { customer: vip },
      () => ({ 'BRAND-1': 1_000, [t2]: 300 }),
    ],
    ['PRODUCTS_BY_CUSTOMER, by nobody', 'PRODUCTS_BY_CUSTOMER', {}, () => ({})],
    [
      'AUDIENCE_ONLY',
      'AUDIENCE_ONLY',
      { customer: vip },
      () => ({ [t1]: 1_150, 'GIFT-1': 2_500, 'BRAND-1': 1_000, [t2]: 300 }),
    ],
    ['PROMOTION_STACKS', 'PROMOTION_STACKS', { customer: vip }, () => ({ [stack]: 300 })],
  ])('in the worked example: %s', async (_, scenario, who, expected) => {
    expect(amounts(await qualify({ scenario, order: order(), ...who }))).toEqual(expected());
  });

  it('merges what is sent of the customer, stores nothing, and shows the lines without amounts', async () => {
    const unknown = { source_id: newId('nobody-'), metadata: { tier: 'VIP' } };
    const answer = await qualify({ order: order(), customer: unknown, metadata: { channel: 'web' } });
    expect(amounts(answer)).toEqual({ [t1]: 1_150, [t2]: 300 });
    expect(answer.tracking_id).toMatch(/^track_/);
    expect(answer.order).toMatchObject({
      items: [
        { product_id: cup, quantity: 1, price: 10_000, product: { id: cup, name: 'Cup' } },
        { product_id: book },
      ],
    });
    expect(answer.order).not.toHaveProperty('amount');
    expect(answer.redeemables.data[0].order).toMatchObject({
      total_amount: 11_200,
      items: expect.anything(),
    });
    expect((await scrip.call('GET', `/v1/customers/${unknown.source_id}`)).status).toBe(404);
    expect(amounts(await qualify({}))).toEqual({ [t1]: 0 });
  });

  describe('of generic vouchers', () => {
    const codes = ['SALE-500', 'SALE-2000', 'SALE-1000'];
    const sales = {
      resource_type: { conditions: { $is: ['voucher'] } },
      code: { conditions: { $in: codes } },
    };
    let category: string;
    let rule: string;

    beforeAll(async () => {
      category = (await ask('/v1/categories', { name: newId('Sale '), hierarchy: 1 })).id;
      rule = await newRule({
        1: { name: 'redemption.count.per_customer', conditions: { $less_than_or_equal: [1] } },
        2: { name: 'order.initial_amount', conditions: { $more_than_or_equal: [5_000] } },
        logic: '1 and 2',
      });
      for (const code of codes) {
        await ask(`/v1/vouchers/${code}`, {
          ...{ type: 'DISCOUNT_VOUCHER', discount: { type: 'AMOUNT', amount_off: Number(code.slice(5)) } },
          ...(code === 'SALE-2000'
            ? { category_id: category, validation_rules: [rule], redemption: { quantity: 2 } }
            : {}),
        });
      }
      await found(3, { order: order() }, { filters: sales });
    }, 240_000);

    const sorted = (options: object, body: object = {}) =>
      qualify({ order: order(), ...body }, { filters: sales, ...options });

    it.each([
      ['DEFAULT', [...codes].reverse()],
      ['BEST_DEAL', ['SALE-2000', 'SALE-1000', 'SALE-500']],
      ['LEAST_DEAL', ['SALE-500', 'SALE-1000', 'SALE-2000']],
    ])('sorted by %s, the same over pages', async (sorting_rule, expected) => {
      expect(idsOf(await sorted({ sorting_rule }))).toEqual(expected);
      const first = await sorted({ sorting_rule, limit: 2 });
      expect([idsOf(first), first.redeemables.has_more]).toEqual([expected.slice(0, 2), true]);
      const last = first.redeemables.data[1].created_at;
      for (const starting_after of [first.redeemables.more_starting_after, last]) {
        const second = await sorted({ sorting_rule, limit: 2, starting_after });
        expect([idsOf(second), second.redeemables.has_more]).toEqual([expected.slice(2), false]);
      }
    });

    it.each<[string, () => object, string[]]>([
      ['category', () => ({ category_id: { conditions: { $is: [category] } } }), ['SALE-2000']],
      ['other codes', () => ({ ...sales, code: { conditions: { $not_in: codes } } }), ['BRAND-1', 'GIFT-1']],
      ['a campaign', () => ({ campaign_id: { conditions: { $is: [brand.id] } } }), ['BRAND-1']],
      [
        'the role of the holder',
        () => ({ holder_role: { conditions: { $is: ['OWNER'] } } }),
        ['BRAND-1', 'GIFT-1'],
      ],
    ])('are filtered by %s', async (_, filters, expected) => {
      expect(idsOf(await qualify({ order: order(), customer: vip }, { filters: filters() })).sort()).toEqual(
        expected,
      );
    });

    it('show what is asked for, and what of their rules was left out', async () => {
      const expand = ['redeemable', 'category', 'validation_rules'];
      const { redeemables } = await sorted({ sorting_rule: 'BEST_DEAL', limit: 1, expand });
      expect(redeemables.data).toMatchObject([
        {
          ...{ id: 'SALE-2000', object: 'voucher', metadata: {}, categories: [{ id: category }] },
          validation_rules_assignments: {
            total: 1,
            data: [{ rule_id: rule, validation_status: 'PARTIALLY_VALID', validation_omitted_rules: ['1'] }],
          },
        },
      ]);
      expect((await sorted({ limit: 1 })).redeemables.data[0]).not.toHaveProperty('metadata');
    });

    it('qualify beyond limits of rules, which validations refuse, and not once they are used up', async () => {
      const redeemables = [{ object: 'voucher', id: 'SALE-2000' }];
      const buyer = { source_id: newId('buyer-') };
      const body = { redeemables, order: order(), customer: buyer };
      await ask('/v1/redemptions', body);
      expect((await scrip.call('POST', '/v1/validations', body)).body.valid).toBe(false);
      expect(idsOf(await sorted({}, { customer: buyer }))).toContain('SALE-2000');
      await ask('/v1/redemptions', { ...body, customer: { source_id: newId('buyer-') } });
      expect(idsOf(await sorted({}))).not.toContain('SALE-2000');
    });

    it('are asked for without amounts that their rules demand', async () => {
      const small = { items: [{ product_id: cup, quantity: 1, price: 100 }] };
      expect(idsOf(await qualify({ order: small }, { filters: sales }))).not.toContain('SALE-2000');
    });
  });

  it('a campaign stands for its codes, and is hidden while it is switched off', async () => {
    const { id } = await newCampaign({
      campaign_type: 'DISCOUNT_COUPONS',
      voucher: { type: 'DISCOUNT_VOUCHER', discount: { type: 'AMOUNT', amount_off: 700 } },
    });
    const filters = { resource_id: { conditions: { $is: [id] } } };
    const { redeemables } = await found(1, { order: order() }, { filters, expand: ['redeemable'] });
    expect(redeemables.data).toMatchObject([
      { id, object: 'campaign', campaign_id: id, result: { discount: { amount_off: 700 } } },
    ]);
    await ask(`/v1/campaigns/${id}/disable`, {});
    expect(amounts(await qualify({ order: order() }, { filters }))).toEqual({});
    await ask(`/v1/campaigns/${id}/enable`, {});
    await found(1, { order: order() }, { filters });
  });

  it.each([
    [{ options: { limit: 51 } }, 400, 'Property .options.limit must be <= 50'],
    [{ options: { limit: 0 } }, 400, 'Property .options.limit must be >= 1'],
    [
      { options: { starting_after: 'yesterday' } },
      400,
      /^Property \.options\.starting_after cannot be recognized/,
    ],
    [{ scenario: 'SOME' }, 400, /^Property \.scenario should be equal to one of/],
    [{ customer: { id: 'cust_none' } }, 404, /cust_none/],
  ])('refuses %j', async (body, status, details) => {
    const answer = await scrip.call('POST', '/v1/qualifications', body);
    expect([answer.status, answer.body.details]).toEqual([status, expect.stringMatching(details)]);
  });

  it('shows browsers codes of a customer only who proves the identity', async () => {
    const { project_id, client_app_id, client_token } = scrip.credentials;
    await scrip.manage('PUT', `/management/v1/projects/${project_id}`, { client_trusted_domains: [origin] });
    const headers = { 'x-client-application-id': client_app_id, 'x-client-token': client_token, origin };
    const wallet = (customer?: object, more: object = {}) =>
      scrip.call(
        'POST',
        '/client/v1/qualifications',
        { scenario: 'CUSTOMER_WALLET', order: order(), customer, ...more },
        headers,
      );
    expect(idsOf((await wallet(vip)).body)).toEqual([]);
    const { tracking_id } = await qualify({ customer: vip });
    const { body } = await wallet({ source_id: tracking_id });
    expect(idsOf(body).sort()).toEqual(['BRAND-1', 'GIFT-1']);
    expect(body).not.toHaveProperty('tracking_id');
    expect(idsOf((await wallet(undefined, { tracking_id })).body).sort()).toEqual(['BRAND-1', 'GIFT-1']);
    expect(idsOf((await wallet(undefined, { tracking_id: vip.source_id })).body)).toEqual([]);
  });
});
