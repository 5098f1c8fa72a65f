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
