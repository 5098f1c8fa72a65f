import { newId } from '@scrip/kernel';
import { type ScripProject, sharedScrip, waitUntil } from '@scrip/testing';

type Json = Record<string, any>;

let scrip: ScripProject;

beforeAll(async () => {
  scrip = await sharedScrip();
}, 240_000);

const call = async (method: string, path: string, body?: unknown): Promise<{ status: number; body: Json }> =>
  scrip.call(method as 'GET', path, body) as Promise<{ status: number; body: Json }>;

const ok = async (method: string, path: string, body?: unknown): Promise<Json> => {
  const answer = await call(method, path, body);
  expect([answer.status, answer.body]).toEqual([200, answer.body]);
  return answer.body;
};

const rule = async (definition: Json = {}): Promise<string> =>
  (await ok('POST', '/v1/validation-rules', { name: newId('rule-'), ...definition })).id as string;

/** Holds for redemptions that say where they are made. */
const inShops = {
  rules: { 1: { name: 'redemption.metadata', property: 'place', conditions: { $is: ['shop'] } } },
};

const discount = { type: 'PERCENT', percent_off: 10 };
const coupons = (fields: Json = {}) => ({
  name: newId('Ruled-'),
  campaign_type: 'DISCOUNT_COUPONS',
  voucher: { type: 'DISCOUNT_VOUCHER', discount },
  ...fields,
});
const promotion = (tiers: Json[], fields: Json = {}) => ({
  name: newId('Ruled-'),
  campaign_type: 'PROMOTION',
  promotion: { tiers },
  ...fields,
});

const listed = (...pairs: [type: string, object: string, rule: string][]) => ({
  object: 'list',
  data_ref: 'data',
  data: pairs.map(([related_object_type, related_object_id, rule_id]) => ({
    id: expect.stringMatching(/^asgm_[0-9a-f]{32}$/) as string,
    rule_id,
    related_object_type,
    related_object_id,
    created_at: expect.any(String) as string,
    object: 'validation_rules_assignment',
  })),
  total: pairs.length,
});

const assignmentsOf = async (ruleId: string): Promise<string[]> => {
  const { data } = await ok('GET', `/v1/validation-rules/${ruleId}/assignments?limit=100`);
  return (data as Json[]).map((one) => one.related_object_id as string);
};

const untilUnassigned = (ruleId: string) =>
  waitUntil(async () => (await assignmentsOf(ruleId)).length === 0, { what: `rule ${ruleId} to be free` });

describe('rules in bodies', () => {
  it('hold for a campaign from its creation on, and for its vouchers', async () => {
    const ruleId = await rule(inShops);
    const created = await ok(
      'POST',
      '/v1/campaigns',
      coupons({ validation_rules: [ruleId], vouchers_count: 1 }),
    );
    const ofCampaign = listed(['campaign', created.id as string, ruleId]);
    expect(created.validation_rules_assignments).toEqual(ofCampaign);
    expect((await ok('GET', `/v1/campaigns/${created.id}`)).validation_rules_assignments).toEqual(ofCampaign);
    const { campaigns } = await ok('GET', '/v1/campaigns?limit=100');
    const shown = (campaigns as Json[]).find(({ id }) => id === created.id);
    expect(shown?.validation_rules_assignments).toEqual(ofCampaign);
    expect((await ok('GET', `/v1/validation-rules/${ruleId}`)).assignments_count).toBe(1);

    const { vouchers } = await ok(
      'GET',
      `/v1/vouchers?campaign=${encodeURIComponent(created.name as string)}`,
    );
    const [voucher] = vouchers as Json[];
    expect(voucher!.validation_rules_assignments).toEqual(ofCampaign);
    const redeemables = [{ object: 'voucher', id: voucher!.code as string }];
    expect(await call('POST', '/v1/redemptions', { redeemables })).toMatchObject({
      status: 400,
      body: { key: 'redemption_rules_violated' },
    });
    await ok('POST', '/v1/redemptions', { redeemables, metadata: { place: 'shop' } });
  });

  it('hold for a voucher beside those of its campaign', async () => {
    const [own, second, inherited] = [await rule(), await rule(), await rule()];
    const campaign = await ok('POST', '/v1/campaigns', coupons({ validation_rules: [inherited] }));
    const code = newId('ruled-');
    const created = await ok('POST', `/v1/vouchers/${code}`, {
      type: 'DISCOUNT_VOUCHER',
      discount,
      campaign_id: campaign.id,
      validation_rules: [own, second, own],
    });
    const { data, total } = created.validation_rules_assignments as { data: Json[]; total: number };
    expect(total).toBe(3);
    expect(new Set(data.slice(0, 2).map(({ rule_id }) => rule_id))).toEqual(new Set([own, second]));
    expect(data[2]).toMatchObject({
      rule_id: inherited,
      related_object_type: 'campaign',
      related_object_id: campaign.id,
    });
    for (const path of [`/v1/vouchers/${code}`, `/v1/vouchers/${created.id}`])
      expect((await ok('GET', path)).validation_rules_assignments).toEqual(
        created.validation_rules_assignments,
      );
    const alone = await ok('POST', '/v1/vouchers', {
      type: 'DISCOUNT_VOUCHER',
      discount,
      validation_rules: [own],
    });
    expect(alone.validation_rules_assignments).toEqual(listed(['voucher', alone.id as string, own]));
  });

  it('hold for tiers, created with their campaign or alone', async () => {
    const [ofTier, ofCampaign] = [await rule(), await rule()];
    const created = await ok(
      'POST',
      '/v1/campaigns',
      promotion([{ name: 'First', validation_rules: [ofTier] }, { name: 'Second' }], {
        validation_rules: [ofCampaign],
      }),
    );
    const [first, second] = created.promotion.tiers as Json[];
    expect(created.validation_rules_assignments).toEqual(
      listed(['campaign', created.id as string, ofCampaign]),
    );
    expect(first!.validation_rule_assignments).toEqual(
      listed(['promotion_tier', first!.id as string, ofTier]),
    );
    expect(second!.validation_rule_assignments).toEqual(listed());

    const path = `/v1/promotions/${created.id}/tiers`;
    const third = await ok('POST', path, { name: 'Third', validation_rules: [ofTier] });
    expect(third.validation_rule_assignments).toEqual(listed(['promotion_tier', third.id as string, ofTier]));
    const copied = await ok('POST', path, { ...third, hierarchy: undefined, name: 'Fourth' });
    expect(copied.validation_rule_assignments).toEqual(
      listed(['promotion_tier', copied.id as string, ofTier]),
    );
    expect(
      ((await ok('GET', path)).tiers as Json[]).map((tier) => tier.validation_rule_assignments.total),
    ).toEqual([1, 0, 1, 1]);
    expect(await ok('GET', `/v1/promotions/tiers/${third.id}`)).toEqual(third);
    const changed = await ok('PUT', `/v1/promotions/tiers/${third.id}`, { name: 'Other' });
    expect(changed.validation_rule_assignments).toEqual(third.validation_rule_assignments);
  });

  it('that a tier lacks are assigned to it by its change, and by none that is refused', async () => {
    const [first, second] = [await rule(), await rule()];
    const path = async (name: string) => {
      const { promotion: made } = await ok(
        'POST',
        '/v1/campaigns',
        promotion([{ name, validation_rules: [first] }]),
      );
      return `/v1/promotions/tiers/${made.tiers[0].id}`;
    };
    const tier = await path('Ruled');
    const shown = await ok('GET', tier);
    const sent = (...ids: string[]) => ({
      validation_rule_assignments: {
        ...shown.validation_rule_assignments,
        data: ids.map((rule_id) => ({ rule_id })),
      },
    });
    expect(await ok('PUT', tier, { ...shown, name: 'Same rules' })).toMatchObject({
      name: 'Same rules',
      validation_rule_assignments: shown.validation_rule_assignments,
    });
    const named = (found: Json) =>
      (found.validation_rule_assignments.data as Json[]).map(({ rule_id }) => rule_id);
    const refused = await call('PUT', tier, {
      ...sent(second),
      start_date: '2030-01-02',
      expiration_date: '2030-01-01',
    });
    expect(refused).toMatchObject({ status: 400, body: { key: 'invalid_payload' } });
    expect(await call('PUT', tier, { ...sent(second, 'val_none'), name: 'No' })).toMatchObject({
      status: 404,
      body: { details: 'Cannot find validation_rules with id val_none' },
    });
    expect(await ok('GET', tier)).toMatchObject({ name: 'Same rules' });
    expect(named(await ok('GET', tier))).toEqual([first]);
    const both = await Promise.all([1, 2, 3, 4].map(() => ok('PUT', tier, sent(first, second))));
    for (const one of both) expect(named(one)).toEqual([first, second]);
  });

  it('in a change of an object that takes none are refused', async () => {
    const ruleId = await rule();
    const made = await ok('POST', '/v1/campaigns', promotion([{ name: 'Unruled' }]));
    const { code } = await ok('POST', '/v1/vouchers', { type: 'DISCOUNT_VOUCHER', discount });
    for (const path of [
      `/v1/campaigns/${made.id}`,
      `/v1/promotions/tiers/${made.promotion.tiers[0].id}`,
      `/v1/vouchers/${code}`,
    ])
      expect(await call('PUT', path, { validation_rules: [ruleId] })).toMatchObject({
        status: 400,
        body: {
          key: 'invalid_payload',
          details: expect.stringContaining('POST /v1/validation-rules/{validationRuleId}/assignments'),
        },
      });
  });

  it('are assigned to a tier by a call of their own too', async () => {
    const ruleId = await rule();
    const { promotion: made } = await ok('POST', '/v1/campaigns', promotion([{ name: 'One' }]));
    const [{ id }] = made.tiers as [Json];
    const assigned = await ok('POST', `/v1/validation-rules/${ruleId}/assignments`, {
      related_object_type: 'promotion_tier',
      related_object_id: id,
    });
    expect((await ok('GET', `/v1/promotions/tiers/${id}`)).validation_rule_assignments.data).toEqual([
      assigned,
    ]);
  });

  it.each([
    ['a campaign', '/v1/campaigns', (ids: string[]) => coupons({ validation_rules: ids })],
    ['a promotion', '/v1/campaigns', (ids: string[]) => promotion([], { validation_rules: ids })],
    ['a tier', '/v1/campaigns', (ids: string[]) => promotion([{ name: 'One', validation_rules: ids }])],
    [
      'a voucher',
      '/v1/vouchers',
      (ids: string[]) => ({ type: 'DISCOUNT_VOUCHER', discount, validation_rules: ids }),
    ],
  ])('refuse %s with one that does not exist', async (_, path, body) => {
    expect(await call('POST', path, body(['val_none']))).toMatchObject({
      status: 404,
      body: {
        key: 'not_found',
        details: 'Cannot find validation_rules with id val_none',
        resource_id: 'val_none',
        resource_type: 'validation_rules',
      },
    });
  });

  it('are as many as the object takes', async () => {
    const [one, two] = [await rule(), await rule()];
    expect(await call('POST', '/v1/campaigns', coupons({ validation_rules: [one, two] }))).toMatchObject({
      status: 400,
      body: { key: 'invalid_payload', details: expect.stringContaining('.validation_rules') as string },
    });
    const many = Array.from({ length: 21 }, () => one);
    const voucher = { type: 'DISCOUNT_VOUCHER', discount, validation_rules: many };
    expect(await call('POST', '/v1/vouchers', voucher)).toMatchObject({
      status: 400,
      body: { key: 'invalid_payload', details: expect.stringContaining('.validation_rules') as string },
    });
  });

  it('are taken back where the creation is refused', async () => {
    const ruleId = await rule();
    const { name } = await ok('POST', '/v1/campaigns', coupons());
    const bodies = [
      coupons({ name, validation_rules: [ruleId] }),
      promotion([{ name: 'One', validation_rules: [ruleId] }], { name }),
    ];
    for (const body of bodies)
      expect(await call('POST', '/v1/campaigns', body)).toMatchObject({
        status: 409,
        body: { key: 'duplicate_found', details: `Duplicated campaign exists with name ${name}` },
      });
    expect(await assignmentsOf(ruleId)).toEqual([]);
    expect((await call('DELETE', `/v1/validation-rules/${ruleId}`)).status).toBe(204);
  });

  it('go with their object', async () => {
    const [ofTier, ofVoucher, ofCode] = [await rule(), await rule(), await rule()];
    const made = await ok('POST', '/v1/campaigns', promotion([{ name: 'One', validation_rules: [ofTier] }]));
    await call('DELETE', `/v1/promotions/tiers/${made.promotion.tiers[0].id}`);
    const voucher = { type: 'DISCOUNT_VOUCHER', discount, validation_rules: [ofVoucher] };
    await call('DELETE', `/v1/vouchers/${(await ok('POST', '/v1/vouchers', voucher)).code}`);
    // A generated code: no event tells of its deletion, which its campaign's stands for.
    const campaign = await ok('POST', '/v1/campaigns', coupons({ vouchers_count: 2 }));
    const codes = async () =>
      (await ok('GET', `/v1/vouchers?campaign=${encodeURIComponent(campaign.name as string)}`))
        .vouchers as Json[];
    await waitUntil(async () => (await codes()).length === 2, { what: 'two codes' });
    const [{ code }] = (await codes()) as [Json];
    const body = { related_object_type: 'voucher', related_object_id: code as string };
    await ok('POST', `/v1/validation-rules/${ofCode}/assignments`, body);
    await call('DELETE', `/v1/campaigns/${campaign.id}`);
    for (const ruleId of [ofTier, ofVoucher, ofCode]) {
      await untilUnassigned(ruleId);
      expect((await call('DELETE', `/v1/validation-rules/${ruleId}`)).status).toBe(204);
    }
  });
});
