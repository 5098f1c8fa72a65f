import { readInput } from '@scrip/edge';
import { Fault, isRefused, randomIds } from '@scrip/kernel';
import { defaultStackingSettings } from '@scrip/order-calculation';
import { keyRow } from '../key-row.fixture';
import { ListRedemptionsQuery } from '../listing/redemption-list.query';
import { RedemptionListHandlers } from '../listing/redemption-list.handlers';
import { type QualificationFixture, startQualification } from '../qualification.fixture';
import { amount, call, percent, promotionOf, redeemable, stackOf, tierOf } from '../redeemables.fixture';
import { RedeemHandlers } from '../redemption/redeem.handlers';
import type { RedeemablesRequest } from '../request/redeemables-request';
import { RollbackHandlers } from '../rollback/rollback.handlers';
import { SettlementPusher } from '../settlement/settlement';
import { ProjectSettings } from '../evaluation/project-settings';
import { ValidateHandlers } from '../validation/validate.handlers';

let fixture: QualificationFixture;

const campaign = promotionOf();
const category = (id: string, hierarchy = 1) => ({
  ...{ id, name: id, hierarchy, object: 'category' as const, created_at: '2026-01-01T00:00:00.000Z' },
});
const ten = tierOf('promo_ten', { discount: percent(10), metadata: { note: 'quiet' }, banner: 'Ten off' });
const five = tierOf('promo_five', { discount: amount(500) });
const off = tierOf('promo_off', { active: false });
const weekly = tierOf('promo_weekly', { validity_day_of_week: [2] }); // it is a Monday
const alone = tierOf('promo_alone', { categories: [category('cat_exclusive')] });

beforeAll(async () => {
  fixture = await startQualification('tiers');
  fixture.campaigns.add(redeemable('OFF', { discount: amount(100) }));
  for (const promotion_tier of [ten, five, off, weekly, alone])
    fixture.promotions.add({ promotion_tier, campaign });
  fixture.promotions.add(
    stackOf('stack_1', [ten, five]),
    stackOf('stack_mixed', [five, alone, ten]),
    stackOf('stack_named', [alone, five], { categories: [category('cat_of_stack')] }),
    stackOf('stack_broken', [ten, off]),
  );
});

afterEach(async () => {
  jest.restoreAllMocks();
  expect(await fixture.events.verifyState()).toEqual([]);
});

afterAll(() => fixture.stop());

const withSettings = (settings: Partial<typeof defaultStackingSettings>) =>
  jest
    .spyOn(fixture.get(ProjectSettings), 'stackingOf')
    .mockResolvedValue({ ...defaultStackingSettings, ...settings });
const tier = (id: string) => ({ object: 'promotion_tier' as const, id });
const stack = (id: string) => ({ object: 'promotion_stack' as const, id });
const voucher = (id: string) => ({ object: 'voucher' as const, id });
const request = (
  redeemables: RedeemablesRequest['redeemables'],
  more: Partial<RedeemablesRequest> = {},
): RedeemablesRequest => ({ redeemables, order: { amount: 10_000 }, ...more });
const validate = async (...of: Parameters<typeof request>): Promise<any> =>
  fixture.get(ValidateHandlers).validate(call(), request(...of));
const redeem = async (...of: Parameters<typeof request>): Promise<any> => {
  const answer = await fixture.get(RedeemHandlers).redeem(call(), request(...of));
  await fixture.get(SettlementPusher).drained();
  return answer;
};
const list = async (query: object): Promise<any[]> => {
  const listed = readInput(ListRedemptionsQuery, query, 'query');
  return ((await fixture.get(RedemptionListHandlers).list(call(), listed)) as { redemptions: any[] })
    .redemptions;
};
const succeeded = async (id: string): Promise<any> =>
  (await fixture.events.readStream('redemption', 'proj_1', id))[0]!.data;
const amounts = ({ redeemables }: { redeemables: any[] }) =>
  redeemables.map(({ id, order }) => [id, order.total_applied_discount_amount, order.total_amount]);
const ends = (entries: any[]) =>
  entries.map(({ id, status, result }) => [id, status, result?.details?.key].filter((one) => one));

describe('a tier', () => {
  it('is redeemed alone, and nothing of it is claimed', async () => {
    const settle = jest.spyOn(fixture.campaigns, 'settle');
    const { redemptions, order } = await redeem([tier('promo_ten')]);
    const [redemption] = redemptions;
    expect(redemption).toMatchObject({
      related_object_type: 'promotion_tier',
      related_object_id: 'promo_ten',
      redemption: null,
      promotion_tier: {
        id: 'promo_ten',
        banner: 'Ten off',
        action: { discount: percent(10) },
        campaign: { id: 'camp_promo', active: true },
        campaign_id: 'camp_promo',
        metadata: { note: 'quiet' },
        object: 'promotion_tier',
      },
      order: { total_amount: 9_000 },
    });
    expect(redemption).not.toHaveProperty('voucher');
    expect(redemption.promotion_tier).not.toHaveProperty('summary');
    expect(order.redemptions[redemption.id]).toMatchObject({
      related_object_type: 'promotion_tier',
      related_object_id: 'promo_ten',
      related_object_parent_id: 'camp_promo',
    });
    expect(settle).not.toHaveBeenCalled();
    expect(await succeeded(redemption.id)).toMatchObject({
      campaign: { id: 'camp_promo' },
      claims: { redeemables: [] },
      counts: {
        redeemables: [
          {
            ...{ campaign_id: 'camp_promo', object: 'promotion_tier', object_id: 'promo_ten' },
            ...{ order_amount: 10_000, discount_amount: 1_000 },
          },
        ],
      },
    });
    expect(await fixture.get(RedemptionListHandlers).read(call(), redemption.id)).toMatchObject({
      promotion_tier: { name: 'Tier promo_ten' },
    });
  });

  it('is redeemed without an order', async () => {
    const answer = await redeem([tier('promo_ten')], { order: undefined });
    expect(answer.redemptions).toMatchObject([{ order: null, promotion_tier: { id: 'promo_ten' } }]);
  });

  it('stacks with a voucher, whose claim is settled', async () => {
    const before = fixture.campaigns.redeemed('OFF');
    const answer = await redeem([voucher('OFF'), tier('promo_ten')]);
    expect(answer.redemptions.map((one: any) => one.order.total_amount)).toEqual([9_900, 8_910]);
    expect(answer.parent_redemption).not.toHaveProperty('promotion_tier');
    expect(fixture.campaigns.redeemed('OFF')).toBe(before + 1);
    expect(fixture.campaigns.claims.count('PROVISIONAL')).toBe(0);
  });

  it.each([
    [
      'promo_off',
      'promotion_inactive',
      'Inactive Promotion',
      'Promotion Tier with id: promo_off is disabled.',
    ],
    ['promo_weekly', 'promotion_not_active_now', 'promotion not active now', 'promo_weekly'],
    ['promo_0', 'not_found', 'Resource not found', 'Cannot find promotion_tier with id promo_0'],
    ['stack_1', 'not_found', 'Resource not found', 'Cannot find promotion_tier with id stack_1'],
  ])('is refused, and the refusal kept: %s, %s', async (id, key, message, details) => {
    const validated = await validate([tier(id)]);
    expect(validated.inapplicable_redeemables).toMatchObject([
      { id, object: 'promotion_tier', result: { error: { key, message, details } } },
    ]);
    const refusal = await redeem([tier(id)]);
    expect(refusal).toMatchObject({
      refused: key,
      details,
      redeemable_id: id,
      redeemable_type: 'promotion_tier',
    });
    const failure: any = await fixture.get(RedemptionListHandlers).read(call(), refusal.resourceId);
    const isKnown = key !== 'not_found';
    expect(failure).toMatchObject({
      ...{ result: 'FAILURE', failure_code: key, failure_message: message, order: null },
      related_object_type: isKnown ? 'promotion_tier' : 'redemption',
      related_object_id: isKnown ? id : refusal.resourceId,
    });
    expect(failure.promotion_tier?.id).toBe(isKnown ? id : undefined);
  });

  it('shows browsers nothing of what the shop notes', async () => {
    const browser = call({ channel: 'CLIENT_API', apiKey: { id: 'app_web', name: 'Browser' } });
    const asked = request([tier('promo_ten')], { options: { expand: ['redeemable', 'order'] } });
    const answers: any[] = [
      await fixture.get(ValidateHandlers).validate(browser, asked),
      await fixture.get(RedeemHandlers).redeem(browser, asked),
    ];
    expect(answers[0].redeemables[0]).toMatchObject({ name: 'Tier promo_ten', metadata: {} });
    expect(answers[1].redemptions[0].promotion_tier).toMatchObject({ name: 'Tier promo_ten', metadata: {} });
    expect(JSON.stringify(answers)).not.toContain('quiet');
  });

  it('has its own categories, else those of its campaign', async () => {
    const { categories } = { categories: [category('cat_campaign')] };
    fixture.promotions.add({ promotion_tier: tierOf('promo_heir'), campaign: promotionOf({ categories }) });
    const expand = ['category', 'redeemable'] as const;
    const { redeemables } = await validate([tier('promo_alone'), tier('promo_heir')], {
      options: { expand: [...expand] },
    });
    expect(redeemables).toMatchObject([
      { categories: [{ id: 'cat_exclusive' }], campaign_name: 'Weekdays', campaign_id: 'camp_promo' },
      { categories: [{ id: 'cat_campaign' }], name: 'Tier promo_heir' },
    ]);
    withSettings({ exclusive_categories: ['cat_campaign'] });
    const exclusive = await validate([tier('promo_ten'), tier('promo_heir')]);
    expect(ends(exclusive.redeemables)).toEqual([['promo_heir', 'APPLICABLE']]);
    expect(ends(exclusive.skipped_redeemables)).toEqual([
      ['promo_ten', 'SKIPPED', 'exclusion_rules_not_met'],
    ]);
  });

  it('is read by formulas', async () => {
    const discount = { ...amount(1), amount_off_formula: 'REDEEMABLE_METADATA("bonus")' };
    fixture.promotions.add({
      promotion_tier: tierOf('promo_formula', { discount, metadata: { bonus: 7 } }),
      campaign,
    });
    expect(amounts(await validate([tier('promo_formula')]))).toEqual([['promo_formula', 700, 9_300]]);
  });

  it('is answered from its record where the first answer was lost', async () => {
    const asked = request([tier('promo_ten'), tier('promo_five')]);
    const key = await keyRow(fixture.dataSource, 'key-tiers');
    const first: any = await fixture.get(RedeemHandlers).redeem(call(), asked, key);
    const again: any = await fixture
      .get(RedeemHandlers)
      .redeem(call(), asked, await keyRow(fixture.dataSource, 'key-tiers', { resumed: true }));
    expect(again.redemptions).toEqual(first.redemptions);
  });
});

describe('a stack', () => {
  it('is redeemed as its tiers, in its order', async () => {
    expect(amounts(await validate([stack('stack_1')]))).toEqual([
      ['promo_ten', 1_000, 9_000],
      ['promo_five', 500, 8_500],
    ]);
    const { redemptions, parent_redemption, order } = await redeem([stack('stack_1')]);
    expect(redemptions).toMatchObject([
      {
        redemption: parent_redemption.id,
        promotion_tier: { id: 'promo_ten' },
        order: { total_amount: 9_000 },
      },
      {
        redemption: parent_redemption.id,
        promotion_tier: { id: 'promo_five' },
        order: { total_amount: 8_500 },
      },
    ]);
    expect(parent_redemption).toMatchObject({ related_object_type: 'redemption', redemption: null });
    expect(order).toMatchObject({
      total_amount: 8_500,
      redemptions: { [parent_redemption.id]: { stacked: redemptions.map(({ id }: any) => id) } },
    });
    const told = await succeeded(parent_redemption.id);
    expect(told.redemption).toMatchObject({ promotion_stack: { id: 'stack_1' } });
    expect(told.redemption).not.toHaveProperty('promotion_tier');
    expect(told.counts.redeemables.map(({ object_id }: any) => object_id)).toEqual([
      'promo_ten',
      'promo_five',
    ]);
  });

  it('keeps its order where a tier is exclusive, and lets those before it apply', async () => {
    withSettings({ exclusive_categories: ['cat_exclusive'] });
    const { redeemables, skipped_redeemables } = await validate([stack('stack_mixed')]);
    expect(ends(redeemables)).toEqual([
      ['promo_five', 'APPLICABLE'],
      ['promo_alone', 'APPLICABLE'],
    ]);
    expect(ends(skipped_redeemables)).toEqual([['promo_ten', 'SKIPPED', 'exclusion_rules_not_met']]);
  });

  it('gives its tiers its own category', async () => {
    withSettings({ exclusive_categories: ['cat_exclusive'] });
    const { redeemables } = await validate([stack('stack_named')], {
      options: { expand: ['category', 'order'] },
    });
    expect(redeemables.map(({ categories }: any) => categories[0].id)).toEqual([
      'cat_of_stack',
      'cat_of_stack',
    ]);
  });

  it('counts against the limits of applicable redeemables', async () => {
    withSettings({ applicable_redeemables_limit: 1 });
    const { redeemables, skipped_redeemables } = await validate([stack('stack_1')]);
    expect([ends(redeemables), ends(skipped_redeemables)]).toEqual([
      [['promo_ten', 'APPLICABLE']],
      [['promo_five', 'SKIPPED', 'applicable_redeemables_limit_exceeded']],
    ]);
  });

  it('with a tier that does not apply is refused, or redeemed as a single where the project redeems partially', async () => {
    expect(await redeem([stack('stack_broken')])).toMatchObject({
      refused: 'promotion_inactive',
      redeemable_id: 'promo_off',
    });
    withSettings({ redeemables_application_mode: 'PARTIAL' });
    const answer = await redeem([stack('stack_broken')]);
    expect(answer).toMatchObject({
      redemptions: [{ redemption: null, promotion_tier: { id: 'promo_ten' } }],
      inapplicable_redeemables: [{ id: 'promo_off' }],
    });
    expect(answer).not.toHaveProperty('parent_redemption');
  });

  it('is not found by the id of a tier, nor where it is unknown', async () => {
    for (const id of ['stack_0', 'promo_ten']) {
      const error = { code: 404, key: 'not_found', details: `Cannot find promotion_stack with id ${id}` };
      expect((await validate([stack(id)])).inapplicable_redeemables).toMatchObject([
        { id, result: { error: { ...error, resource_id: id, resource_type: 'promotion_stack' } } },
      ]);
    }
  });
});

describe('redemptions of tiers', () => {
  it('are listed by tier, campaign and its name', async () => {
    fixture.clock.moveTo('2026-06-15T11:00:00.000Z');
    await redeem([tier('promo_five')]);
    const is = (value: string) => ({ conditions: { $is: value } });
    for (const query of [
      { filters: { related_object_id: is('promo_five') } },
      { filters: { related_object_parent_id: is('camp_promo') } },
      { filters: { campaign_name: is('Weekdays') } },
      { campaign: 'Weekdays' },
    ]) {
      const [newest] = await list(query);
      expect(newest).toMatchObject({ related_object_id: 'promo_five', promotion_tier: { id: 'promo_five' } });
    }
  });

  it('are rolled back, alone and as a stack, and the order with them', async () => {
    const single = await redeem([tier('promo_ten')]);
    const undone: any = await fixture
      .get(RollbackHandlers)
      .rollBack(call(), single.redemptions[0].id, {}, randomIds);
    expect(undone).toMatchObject({
      related_object_type: 'promotion_tier',
      promotion_tier: { id: 'promo_ten' },
      order: { total_amount: 10_000, status: 'CANCELED' },
    });
    const of = await redeem([stack('stack_1')]);
    const all: any = await fixture
      .get(RollbackHandlers)
      .rollBackStack(call(), of.parent_redemption.id, {}, randomIds);
    expect(all).toMatchObject({
      rollbacks: [{ promotion_tier: { id: 'promo_ten' } }, { promotion_tier: { id: 'promo_five' } }],
      order: { total_amount: 10_000, status: 'CANCELED' },
    });
    const child = await fixture.events.readStream('redemption', 'proj_1', of.redemptions[0].id);
    expect(child.at(-1)).toMatchObject({
      type: 'RedemptionRolledBack',
      data: { campaign: { id: 'camp_promo' }, rollback: { promotion_stack: { id: 'stack_1' } } },
    });
  });

  it('are rolled back where the tier is gone since', async () => {
    fixture.promotions.add({ promotion_tier: tierOf('promo_gone'), campaign });
    const { redemptions } = await redeem([tier('promo_gone')]);
    fixture.promotions.promotions.delete('promo_gone');
    const undone = await fixture.get(RollbackHandlers).rollBack(call(), redemptions[0].id, {}, randomIds);
    expect(undone).toMatchObject({ promotion_tier: { id: 'promo_gone' }, order: { total_amount: 10_000 } });
  });

  it('do not begin while the owner of tiers is away, and leave nothing', async () => {
    const away = fixture.promotions.promotions.get.bind(fixture.promotions.promotions);
    jest.spyOn(fixture.promotions.promotions, 'get').mockImplementation((id) => {
      if (id === 'promo_five') throw new Fault('unavailable', 'away');
      return away(id);
    });
    const before = await list({});
    await expect(redeem([tier('promo_five')])).rejects.toThrow('away');
    expect(isRefused(await validate([tier('promo_ten')]))).toBe(false);
    expect(await list({})).toEqual(before);
  });
});
