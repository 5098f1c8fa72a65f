import { readInput } from '@scrip/edge';
import { Fault, isRefused, randomIds } from '@scrip/kernel';
import { keyRow } from '../key-row.fixture';
import { RedemptionListHandlers } from '../listing/redemption-list.handlers';
import { ListRedemptionsQuery } from '../listing/redemption-list.query';
import type { QualificationFixture } from '../qualification.fixture';
import { amount, call, percent, promotionOf, tierOf } from '../redeemables.fixture';
import { RedeemHandlers } from '../redemption/redeem.handlers';
import { RollbackHandlers } from '../rollback/rollback.handlers';
import { ValidateHandlers } from '../validation/validate.handlers';
import {
  amounts,
  callsOn,
  campaign,
  category,
  ends,
  request,
  stack,
  startWithTiers,
  tier,
  voucher,
} from './tiers.fixture';

let fixture: QualificationFixture;
const { redeem, succeeded, validate, withSettings } = callsOn(() => fixture);

beforeAll(async () => {
  fixture = await startWithTiers('tiers');
});

afterEach(async () => {
  jest.restoreAllMocks();
  expect(await fixture.events.verifyState()).toEqual([]);
});

afterAll(() => fixture.stop());

const list = async (query: object): Promise<any[]> => {
  const listed = readInput(ListRedemptionsQuery, query, 'query');
  return ((await fixture.get(RedemptionListHandlers).list(call(), listed)) as { redemptions: any[] })
    .redemptions;
};

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
