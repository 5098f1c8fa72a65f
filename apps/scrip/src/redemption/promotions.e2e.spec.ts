import { newId } from '@scrip/kernel';
import { type SharedScrip, sharedScrip, waitUntil } from '@scrip/testing';
import { racing } from './racing.fixture';

const amountOff = (amount_off: number) => ({ discount: { type: 'AMOUNT', amount_off } });
const percentOff = (percent_off: number) => ({ discount: { type: 'PERCENT', percent_off } });

describe('promotion tiers and stacks', () => {
  let scrip: SharedScrip;

  beforeAll(async () => {
    scrip = await sharedScrip();
  }, 240_000);

  const ask = <Body = any>(path: string, body: object) => scrip.ask<Body>('POST', path, body);
  /** A campaign with a tier for each of these; answers their ids. */
  const newTiers = async (...tiers: object[]) => {
    const campaign = await ask('/v1/campaigns', {
      ...{ name: newId('Promotion '), campaign_type: 'PROMOTION' },
      promotion: { tiers: tiers.map((tier, place) => ({ name: `Tier ${place}`, ...tier })) },
    });
    const ids = campaign.promotion.tiers.map(({ id }: { id: string }) => id) as string[];
    return { campaign: campaign as { id: string; name: string }, ids };
  };
  const newTier = async (tier: object) => {
    const { campaign, ids } = await newTiers(tier);
    return { campaign, id: ids[0]! };
  };
  const newVoucher = async (voucher: object) => {
    const code = newId('CODE-').toUpperCase();
    await ask(`/v1/vouchers/${code}`, voucher);
    return code;
  };
  const tier = (id: string) => ({ object: 'promotion_tier', id });
  const stack = (id: string) => ({ object: 'promotion_stack', id });
  const validate = (redeemables: object[], more: object = { order: { amount: 10_000 } }) =>
    scrip.call('POST', '/v1/validations', { redeemables, ...more });
  const redeem = (redeemables: object[], more: object = { order: { amount: 10_000 } }) =>
    scrip.call('POST', '/v1/redemptions', { redeemables, ...more });
  const withRules = async (rules: object, work: () => Promise<void>) => {
    const path = `/management/v1/projects/${scrip.credentials.project_id}/stacking-rules`;
    const { body } = await scrip.callAsManager('POST', path, rules);
    try {
      await work();
    } finally {
      await scrip.callAsManager('DELETE', `${path}/${body.id}`);
    }
  };
  const steps = (entries: any[]) =>
    entries.map(({ order }) => [
      order.total_applied_discount_amount,
      order.total_discount_amount,
      order.total_amount,
    ]);

  describe('example 1 of reference 03 §4.6: a gift card, a coupon and a tier', () => {
    const given = async () => {
      const gift = await newVoucher({ type: 'GIFT_VOUCHER', gift: { amount: 500 } });
      const coupon = await newVoucher({ type: 'DISCOUNT_VOUCHER', ...percentOff(20) });
      const { id } = await newTier({ action: amountOff(8_000) });
      return [
        { object: 'voucher', id: gift, gift: { credits: 100 } },
        { object: 'voucher', id: coupon },
        tier(id),
      ];
    };
    const order = { amount: 200_000 };

    it('comes to 151,920 of what earlier discounts left', async () => {
      const redeemables = await given();
      const table = [
        [100, 100, 199_900],
        [39_980, 40_080, 159_920],
        [8_000, 48_080, 151_920],
      ];
      const validated = (await validate(redeemables, { order })).body;
      expect([validated.valid, steps(validated.redeemables)]).toEqual([true, table]);
      const { body } = await redeem(redeemables, { order });
      expect(steps(body.redemptions)).toEqual(table);
      expect(body.redemptions.map((one: any) => one.related_object_type)).toEqual([
        ...['voucher', 'voucher', 'promotion_tier'],
      ]);
      expect(body.order).toMatchObject({ total_discount_amount: 48_080, total_amount: 151_920 });
    });

    it('comes to 151,900 of the initial amount', async () => {
      const redeemables = await given();
      await withRules({ discount_calculation_mode: 'INITIAL_AMOUNT' }, async () => {
        const { body } = await validate(redeemables, { order });
        expect(steps(body.redeemables)).toEqual([
          [100, 100, 199_900],
          [40_000, 40_100, 159_900],
          [8_000, 48_100, 151_900],
        ]);
      });
    });
  });

  it('a tier alone discounts a cart, and is told wherever a redemption is', async () => {
    const { campaign, id } = await newTier({
      ...{ name: 'Two for Tuesday', banner: 'Today', metadata: { lane: 'fast' } },
      action: percentOff(10),
    });
    const customer = { source_id: newId('tiers-') };
    const order = { source_id: newId('cart-'), amount: 10_000 };
    const { body } = await redeem([tier(id)], {
      order,
      customer,
      options: { expand: ['order', 'redeemable'] },
    });
    const [redemption] = body.redemptions;
    expect(redemption).toMatchObject({
      ...{ related_object_type: 'promotion_tier', related_object_id: id, redemption: null },
      promotion_tier: {
        ...{ id, name: 'Two for Tuesday', banner: 'Today', metadata: { lane: 'fast' } },
        campaign: { id: campaign.id, active: true },
        validation_rule_assignments: { total: 0 },
      },
    });
    expect(body).not.toHaveProperty('parent_redemption');
    expect((await scrip.call('GET', `/v1/orders/${body.order.id}`)).body).toMatchObject({
      total_amount: 9_000,
      redemptions: {
        [redemption.id]: {
          ...{ related_object_type: 'promotion_tier', related_object_id: id },
          related_object_parent_id: campaign.id,
        },
      },
    });
    const found = [
      `filters[related_object_id][conditions][$is]=${id}`,
      `filters[related_object_parent_id][conditions][$is]=${campaign.id}`,
      `campaign=${encodeURIComponent(campaign.name)}`,
      `customer=${customer.source_id}`,
    ];
    for (const query of found) {
      const listed = (await scrip.call('GET', `/v1/redemptions?${query}`)).body;
      expect([query, listed.redemptions.map((one: any) => [one.id, one.promotion_tier.id])]).toEqual([
        query,
        [[redemption.id, id]],
      ]);
    }
    const path = `/v1/customers/${customer.source_id}`;
    const told = await waitUntil(
      async () => {
        const feed = (await scrip.call('GET', `${path}/activity`)).body.data;
        return feed.find((one: any) => one.type === 'customer.redemption.succeeded');
      },
      { what: 'the activity' },
    );
    expect(told.data.data).toMatchObject({
      ...{ campaign: { id: campaign.id }, voucher: null },
      promotion_tier: { id, name: 'Two for Tuesday', campaign: { id: campaign.id } },
      redemption: { id: redemption.id, promotion_tier: { id } },
    });
    await waitUntil(
      async () => (await scrip.call('GET', path)).body.summary.redemptions.total_succeeded === 1,
      { what: 'the summary of the customer' },
    );
    const summary = {
      redemptions: { total_redeemed: 1 },
      orders: { total_amount: 9_000, total_discount_amount: 1_000 },
    };
    const summaryIn = async (of: string, pick: (shown: any) => any) =>
      JSON.stringify(pick((await scrip.call('GET', of)).body)) === JSON.stringify(summary);
    await waitUntil(() => summaryIn(`/v1/promotions/tiers/${id}`, (shown) => shown.summary), {
      what: 'the summary of the tier',
    });
    const undone = await scrip.call('POST', `/v1/redemptions/${redemption.id}/rollback`, {});
    const inLists: [string, (shown: any) => any][] = [
      [`/v1/promotions/${campaign.id}/tiers`, (shown) => shown.tiers[0].summary],
      [`/v1/campaigns/${campaign.id}`, (shown) => shown.promotion.tiers[0].summary],
    ];
    for (const [of, pick] of inLists) expect([of, await summaryIn(of, pick)]).toEqual([of, true]);
    expect(undone.body).toMatchObject({
      ...{ related_object_type: 'promotion_tier', related_object_id: id, promotion_tier: { id } },
      order: { total_amount: 10_000, status: 'CANCELED' },
    });
  });

  it('a stack is applied in its order, told as its tiers, and rolled back as a whole', async () => {
    const { campaign, ids } = await newTiers({ action: amountOff(500) }, { action: percentOff(10) });
    const { id } = await ask(`/v1/promotions/${campaign.id}/stacks`, {
      name: 'Both',
      tiers: { ids: [ids[1], ids[0]] },
    });
    const validated = (await validate([stack(id)])).body;
    expect(validated.redeemables.map((one: any) => [one.id, one.object])).toEqual([
      [ids[1], 'promotion_tier'],
      [ids[0], 'promotion_tier'],
    ]);
    expect(steps(validated.redeemables)).toEqual([
      [1_000, 1_000, 9_000],
      [500, 1_500, 8_500],
    ]);
    const { body } = await redeem([stack(id)]);
    const { parent_redemption: parent, redemptions, order } = body;
    expect(redemptions.map((one: any) => [one.redemption, one.promotion_tier.id])).toEqual([
      [parent.id, ids[1]],
      [parent.id, ids[0]],
    ]);
    expect(order).toMatchObject({
      total_amount: 8_500,
      redemptions: {
        [parent.id]: { related_object_type: 'redemption', stacked: redemptions.map((one: any) => one.id) },
      },
    });
    const undone = await scrip.call('POST', `/v1/redemptions/${parent.id}/rollbacks`, {});
    expect(undone.body).toMatchObject({
      rollbacks: [{ promotion_tier: { id: ids[1] } }, { promotion_tier: { id: ids[0] } }],
      order: { total_amount: 10_000, status: 'CANCELED' },
    });
  });

  it('a stack of thirty tiers is redeemed within the limit of applicable redeemables', async () => {
    const { campaign, ids } = await newTiers(
      ...Array.from({ length: 30 }, () => ({ action: amountOff(10) })),
    );
    const { id } = await ask(`/v1/promotions/${campaign.id}/stacks`, { name: 'All', tiers: { ids } });
    const five = (await redeem([stack(id)])).body;
    expect([five.redemptions.length, five.skipped_redeemables.length, five.order.total_amount]).toEqual([
      ...[5, 25, 9_950],
    ]);
    expect(five.skipped_redeemables[0].result.details.key).toBe('applicable_redeemables_limit_exceeded');
    await withRules({ applicable_redeemables_limit: 30 }, async () => {
      const all = (await redeem([stack(id)])).body;
      expect([all.redemptions.length, all.order.total_amount]).toEqual([30, 9_700]);
    });
  });

  it('items that a tier adds leave the order with its rollback', async () => {
    const { id: product } = await ask('/v1/products', { name: 'Cup', price: 700, source_id: newId('cup-') });
    const { id } = await newTier({
      action: { discount: { type: 'UNIT', unit_off: 2, unit_type: product, effect: 'ADD_NEW_ITEMS' } },
    });
    const { body } = await redeem([tier(id)], {
      order: { items: [{ source_id: 'tea', related_object: 'product', quantity: 1, price: 1_000 }] },
    });
    expect(body.order).toMatchObject({
      items: [{ source_id: 'tea' }, { product_id: product, quantity: 2, subtotal_amount: 0 }],
      total_amount: 1_000,
    });
    const undone = await scrip.call('POST', `/v1/redemptions/${body.redemptions[0].id}/rollback`, {});
    expect(undone.body.order.items).toMatchObject([{ source_id: 'tea' }]);
    expect(undone.body.order.items).toHaveLength(1);
  });

  describe('that redeem while their end is decided', () => {
    it.each<[string, (of: { id: string; campaign: { id: string } }) => Promise<{ status: number }>, string]>([
      ['a deletion', ({ id }) => scrip.call('DELETE', `/v1/promotions/tiers/${id}`), 'not_found'],
      [
        'a switch',
        ({ id }) => scrip.call('POST', `/v1/promotions/tiers/${id}/disable`),
        'promotion_inactive',
      ],
      [
        'a switch of their campaign',
        ({ campaign }) => scrip.call('POST', `/v1/campaigns/${campaign.id}/disable`),
        'promotion_inactive',
      ],
      [
        'an earlier end of their campaign',
        ({ campaign }) =>
          scrip.call('PUT', `/v1/campaigns/${campaign.id}`, { expiration_date: '2020-01-01T00:00:00Z' }),
        'promotion_inactive',
      ],
      [
        'the deletion of their campaign',
        ({ campaign }) => scrip.call('DELETE', `/v1/campaigns/${campaign.id}`),
        'not_found',
      ],
    ])('never succeed once %s was answered', async (_, end, key) => {
      const of = await newTier({ action: percentOff(10) });
      const { after } = await racing(
        () => redeem([tier(of.id)], {}),
        () => end(of),
      );
      expect(after).toEqual(Array(5).fill(key));
    });
  });

  it('browsers redeem tiers as servers do, without the notes of the shop', async () => {
    const { id } = await newTier({ action: percentOff(10), metadata: { margin: 'thin' } });
    const origin = 'https://shop.example.com';
    const { project_id, client_app_id, client_token } = scrip.credentials;
    const switches = { client_trusted_domains: [origin], client_redeem_enabled: true };
    await scrip.manage('PUT', `/management/v1/projects/${project_id}`, switches);
    const headers = { 'x-client-application-id': client_app_id, 'x-client-token': client_token, origin };
    const body = {
      ...{ redeemables: [tier(id)], order: { amount: 1_000 } },
      options: { expand: ['order', 'redeemable'] },
    };
    const validated = await scrip.call('POST', '/client/v1/validations', body, headers);
    expect(validated.body.redeemables).toMatchObject([{ id, metadata: {}, order: { total_amount: 900 } }]);
    const redeemed = await scrip.call('POST', '/client/v1/redemptions', body, headers);
    expect(redeemed.body.redemptions).toMatchObject([{ promotion_tier: { id, metadata: {} } }]);
    for (const answer of [validated, redeemed]) expect(JSON.stringify(answer.body)).not.toContain('thin');
  });

  describe('are refused', () => {
    const past = { start_date: '2020-01-01T00:00:00Z', expiration_date: '2020-12-31T00:00:00Z' };
    const cases: [string, () => Promise<string>, string, (id: string) => string][] = [
      [
        'switched off',
        async () => (await newTier({ action: percentOff(10), active: false })).id,
        'promotion_inactive',
        (id) => `Promotion Tier with id: ${id} is disabled.`,
      ],
      [
        'outside their dates',
        async () => (await newTier({ action: percentOff(10), ...past })).id,
        'promotion_inactive',
        (id) => `Promotion Tier with id: ${id} is disabled.`,
      ],
      [
        'outside their recurring window',
        async () => {
          const today = new Date().getUTCDay();
          const others = [0, 1, 2, 3, 4, 5, 6].filter((day) => Math.abs(day - today) % 6 > 1);
          return (await newTier({ action: percentOff(10), validity_day_of_week: others })).id;
        },
        'promotion_not_active_now',
        (id) => id,
      ],
      [
        'deleted',
        async () => {
          const { id } = await newTier({ action: percentOff(10) });
          await scrip.call('DELETE', `/v1/promotions/tiers/${id}`);
          return id;
        },
        'not_found',
        (id) => `Cannot find promotion_tier with id ${id}`,
      ],
    ];

    it.each(cases)('%s', async (_, made, key, detailsOf) => {
      const id = await made();
      const details = detailsOf(id);
      const { body } = await validate([tier(id)]);
      expect(body.inapplicable_redeemables).toMatchObject([
        { status: 'INAPPLICABLE', id, object: 'promotion_tier', result: { error: { key, details } } },
      ]);
      const refused = await redeem([tier(id)]);
      expect(refused).toMatchObject({
        status: key === 'not_found' ? 404 : 400,
        body: { key, details, redeemable_id: id, redeemable_type: 'promotion_tier' },
      });
      const kept = (await scrip.call('GET', `/v1/redemptions/${refused.body.resource_id}`)).body;
      expect(kept).toMatchObject({ result: 'FAILURE', failure_code: key, order: null });
    });

    it.each<[string, object[], string, string]>([
      [
        'a stack beside a voucher',
        [stack('stack_1'), { object: 'voucher', id: 'A' }],
        'invalid_redeemables',
        'Promotion Stack cannot be use with other redeemables',
      ],
      [
        'two stacks',
        [stack('stack_1'), stack('stack_2')],
        'invalid_redeemables',
        'Promotion Stack cannot be use with other redeemables',
      ],
      [
        'a tier twice',
        [tier('promo_1'), tier('promo_1')],
        'duplicated_redeemables',
        'Duplicated redeemables detected in one redemption',
      ],
      [
        'a tier without id',
        [tier('promo_1'), { object: 'promotion_tier' }],
        'invalid_payload',
        "Property .redeemables[1] should have required property 'id'",
      ],
    ])('as a payload, before anything is recorded: %s', async (_, redeemables, key, details) => {
      for (const answer of [await validate(redeemables), await redeem(redeemables)]) {
        expect(answer).toMatchObject({ status: 400, body: { key, details } });
        expect(answer.body).not.toHaveProperty('redeemable_id');
      }
    });

    it('as a stack that nobody has', async () => {
      const refused = await redeem([stack('stack_none')]);
      const details = 'Cannot find promotion_stack with id stack_none';
      expect(refused).toMatchObject({ status: 404, body: { key: 'not_found', details } });
    });
  });
});
