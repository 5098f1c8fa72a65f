import type { CampaignSnapshot } from '@scrip/contracts/campaigns';
import { categoryFields } from '@scrip/incentives';
import { isRefused, refuse } from '@scrip/kernel';
import { campaignSnapshot } from '../campaign/campaign.fixture';
import { type CampaignUpdate, decideUpdate } from './update.decider';
import type { UpdateCampaignBody } from './update.dto';

const now = '2026-03-05T10:00:00.000Z';
const campaign = campaignSnapshot({ vouchers_count: 0 });

const update = (body: UpdateCampaignBody, fields: Partial<CampaignUpdate> = {}): CampaignUpdate => ({
  body,
  category: null,
  rewarding: null,
  check: () => null,
  async_action_id: 'aa_u1',
  single_codes: 0,
  now,
  ...fields,
});
const decide = (
  body: UpdateCampaignBody,
  of: CampaignSnapshot = campaign,
  fields: Partial<CampaignUpdate> = {},
) => decideUpdate(update(body, fields), { campaign: of, generated: 0, running: null, ended: null });
const decided = (...of: Parameters<typeof decide>) => {
  const end = decide(...of);
  if (isRefused(end)) throw new Error(end.details);
  const [event] = end.events;
  return { ...end, event: event?.type === 'CampaignUpdated' ? event.data : undefined };
};

describe('a change of a campaign', () => {
  it('leaves what is absent, and clears what is null', () => {
    const { event, before, after } = decided({ start_date: null });
    expect(event).toEqual({
      updated_at: now,
      changed: ['start_date'],
      async_action_id: 'aa_u1',
      campaign: {
        ...campaign,
        start_date: null,
        creation_status: 'MODIFYING',
        vouchers_generation_status: 'MODIFYING',
        updated_at: now,
      },
    });
    expect([before, after]).toEqual([{ start_date: campaign.start_date }, { start_date: null }]);
  });

  it('is done at once where no voucher has to follow', () => {
    const promotion = { ...campaign, campaign_type: 'PROMOTION' as const, voucher: null };
    const { event, before, after } = decided({ start_date: null }, promotion);
    expect(event).toEqual({
      updated_at: now,
      changed: ['start_date'],
      async_action_id: null,
      campaign: { ...promotion, start_date: null, updated_at: now },
    });
    expect([before, after]).toEqual([{}, {}]);
    const ofVouchers: UpdateCampaignBody = {
      type: 'AUTO_UPDATE',
      join_once: true,
      auto_join: true,
      activity_duration_after_publishing: 'P1D',
      default_voucher_redemption: { quantity: 1 },
      discount: { type: 'PERCENT', percent_off: 5 },
    };
    expect(decided(ofVouchers, promotion).events).toEqual([]);
  });

  it('that changes nothing is told to nobody', () => {
    expect(
      decided({ start_date: campaign.start_date, metadata: { season: 'spring' }, type: 'STATIC' }),
    ).toEqual({
      events: [],
      before: {},
      after: {},
      event: undefined,
    });
  });

  it('with the category that it has changes nothing, whatever was noted of it', () => {
    const category = { id: 'cat_1', name: 'Shop', hierarchy: 1 } as NonNullable<CampaignUpdate['category']>;
    const noted = campaignSnapshot({ ...campaign, ...categoryFields(category) });
    const current = { ...category, name: 'Shops', hierarchy: 2 };
    expect(decided({ category: 'Shops' }, noted, { category: current }).events).toEqual([]);
    expect(decided({ category: null }, noted).after).toEqual(categoryFields(null));
  });

  it('merges metadata by key, stores null, and takes away what is named', () => {
    const { event } = decided({ metadata: { a: 1, b: null }, unset_metadata_fields: ['season'] });
    expect(event?.campaign.metadata).toEqual({ a: 1, b: null });
    expect(decided({ metadata: null }).event?.campaign.metadata).toEqual({});
  });

  it('gives vouchers metadata only where they follow the schema of vouchers', () => {
    const body = { metadata: { season: 'summer' } };
    expect(decided(body).after).toEqual(body);
    expect(decided(body, { ...campaign, use_voucher_metadata_schema: false }).after).toEqual({});
  });

  it.each<[string, UpdateCampaignBody, object]>([
    [
      'a limit of uses',
      { default_voucher_redemption: { quantity: 2 } },
      { redemption: { quantity: 2, redeemed_quantity: 0 } },
    ],
    [
      'no limit',
      { default_voucher_redemption: null },
      { redemption: { quantity: null, redeemed_quantity: 0 } },
    ],
    [
      'a discount',
      { discount: { type: 'PERCENT', percent_off: 20 } },
      { discount: { type: 'PERCENT', percent_off: 20 } },
    ],
    ['weekdays', { validity_day_of_week: [1, 2] }, { validity_day_of_week: [1, 2] }],
    ['nothing of a description', { description: 'ten off' }, {}],
    ['nothing of a duration', { activity_duration_after_publishing: 'P1D' }, {}],
  ])('passes %s on to vouchers', (_, body, after) => {
    expect(decided(body).after).toEqual(after);
  });

  it('passes a category on with its name', () => {
    const category = { id: 'cat_1', name: 'Shop', hierarchy: 1 } as NonNullable<CampaignUpdate['category']>;
    expect(decided({ category: 'Shop' }, campaign, { category }).after).toEqual({
      category_id: 'cat_1',
      category: 'Shop',
      categories: [category],
    });
  });

  it('swaps STATIC and AUTO_UPDATE', () => {
    expect(decided({ type: 'AUTO_UPDATE' }).event).toMatchObject({
      changed: ['type'],
      campaign: { type: 'AUTO_UPDATE' },
    });
  });

  const gifts: CampaignSnapshot = {
    ...campaign,
    campaign_type: 'GIFT_VOUCHERS',
    voucher: {
      ...campaign.voucher!,
      type: 'GIFT_VOUCHER',
      discount: null,
      gift: { amount: 100, subtracted_amount: 0, balance: 100, effect: 'APPLY_TO_ORDER' },
    },
  };

  it('of a gift amount reaches later codes only', () => {
    const { event, after } = decided({ gift: { amount: 500 } }, gifts);
    expect(event?.campaign.voucher?.gift).toEqual({ ...gifts.voucher!.gift, amount: 500, balance: 500 });
    expect(after).toEqual({});
  });

  const loyalty: CampaignSnapshot = { ...campaign, campaign_type: 'LOYALTY_PROGRAM', join_once: true };

  it.each<[string, UpdateCampaignBody, CampaignSnapshot, Partial<CampaignSnapshot> | null]>([
    ['join_once', { join_once: true }, campaign, { join_once: true }],
    ['join_once, cleared', { join_once: null }, { ...campaign, join_once: true }, { join_once: false }],
    ['no join_once of loyalty', { join_once: false }, loyalty, null],
    ['no join_once of one public code', { join_once: true }, { ...campaign, type: 'STANDALONE' }, null],
    ['auto_join of loyalty', { auto_join: true }, loyalty, { auto_join: true }],
    ['no auto_join of another kind', { auto_join: true }, campaign, null],
    ['no discount of gift cards', { discount: { type: 'AMOUNT', amount_off: 1 } }, gifts, null],
    ['no gift of coupons', { gift: { amount: 5 } }, campaign, null],
    ['no program of coupons', { referral_program: {} }, campaign, null],
  ])('takes %s', (_, body, of, changed) => {
    const { event } = decided(body, of);
    expect(event?.campaign ?? null).toEqual(changed && expect.objectContaining(changed));
  });

  const program = { conversion_event_type: 'redemption' as const };
  const referral = { ...campaign, campaign_type: 'REFERRAL_PROGRAM' as const, referral_program: program };

  const cards = { ...campaign, id: 'camp_2', name: 'Cards', campaign_type: 'GIFT_VOUCHERS' as const };
  const sentReward = { type: 'GIFT_VOUCHER' as const, amount: 200, related_object_parent: { id: 'Cards' } };
  const reward = (amount: number) => ({
    ...{ type: 'GIFT_VOUCHER' as const, amount },
    related_object_parent: { id: 'camp_2', name: 'Cards', object: 'CAMPAIGN' as const },
  });
  const rewarded = { ...referral, referral_program: { ...program, referee_reward: reward(100) } };

  it.each<[string, UpdateCampaignBody['referral_program'], object]>([
    ['reaches those who convert later', { referee_reward: sentReward }, { referee_reward: reward(200) }],
    ['goes where it is null', { referee_reward: null }, {}],
  ])('of a reward %s', (_, referral_program, changed) => {
    const { event, after } = decided({ referral_program }, rewarded, { rewarding: cards });
    expect(event?.changed).toEqual(['referral_program']);
    expect(event?.campaign.referral_program).toEqual({ ...program, ...changed });
    expect(after).toEqual({});
  });

  it.each<[string, NonNullable<UpdateCampaignBody['referral_program']>]>([
    ['nothing of it is sent', {}],
    ['the way to convert is sent', { conversion_event_type: 'redemption' }],
  ])('leaves the reward of a program where %s', (_, referral_program) => {
    expect(decided({ referral_program }, rewarded).event).toBeUndefined();
  });

  it.each<[string, UpdateCampaignBody, CampaignSnapshot, Partial<CampaignUpdate>, object]>([
    [
      'another type of discount',
      { discount: { type: 'AMOUNT', amount_off: 1 } },
      campaign,
      {},
      { refused: 'invalid_campaign', details: 'It is not possible to change Voucher discount type' },
    ],
    [
      'no discount',
      { discount: null },
      campaign,
      {},
      {
        refused: 'invalid_campaign',
        details: "Property 'discount' is required for DISCOUNT_COUPONS campaign",
      },
    ],
    [
      'no gift',
      { gift: null },
      gifts,
      {},
      {
        refused: 'invalid_campaign',
        details: "Property 'gift.amount' is required for GIFT_VOUCHERS campaign",
      },
    ],
    [
      'a discount without its value',
      { discount: { type: 'PERCENT' } },
      campaign,
      {},
      {
        refused: 'invalid_payload',
        details: "Property .discount should have required property 'percent_off'",
      },
    ],
    [
      'one public code',
      { type: 'STANDALONE' },
      campaign,
      {},
      { refused: 'invalid_campaign', details: "Property 'type' cannot be changed from STATIC to STANDALONE" },
    ],
    [
      'many codes in place of one',
      { type: 'STATIC' },
      { ...campaign, type: 'STANDALONE' },
      {},
      { refused: 'invalid_campaign', details: "Property 'type' cannot be changed from STANDALONE to STATIC" },
    ],
    [
      'an end before the start it has',
      { expiration_date: '2026-02-01T00:00:00.000Z' },
      campaign,
      {},
      {
        refused: 'invalid_payload',
        details: 'Property .expiration_date must not be before .start_date (2026-03-01T00:00:00.000Z)',
      },
    ],
    [
      'a window whose start it takes away',
      { start_date: null },
      { ...campaign, validity_timeframe: { interval: 'P1D', duration: 'PT1H' } },
      {},
      { refused: 'invalid_payload', details: 'Property .validity_timeframe requires .start_date' },
    ],
    [
      'metadata that break the schema',
      { metadata: { a: 1 } },
      campaign,
      { check: () => refuse('metadata_validation_failed', 'a') },
      { refused: 'metadata_validation_failed' },
    ],
    [
      'another way to convert',
      { referral_program: { conversion_event_type: 'custom_event', custom_event: { id: 'ce_1' } } },
      referral,
      {},
      {
        refused: 'invalid_campaign',
        details: "Property 'referral_program.conversion_event_type' cannot be changed",
      },
    ],
    [
      'another event to convert',
      { referral_program: { custom_event: { id: 'ce_2' } } },
      {
        ...referral,
        referral_program: { conversion_event_type: 'custom_event', custom_event: { id: 'ce_1' } },
      },
      {},
      { refused: 'invalid_campaign', details: "Property 'referral_program.custom_event' cannot be changed" },
    ],
    [
      'a reward of a campaign without cards',
      { referral_program: { referee_reward: sentReward } },
      referral,
      { rewarding: campaign },
      { refused: 'invalid_campaign' },
    ],
  ])('is refused: %s', (_, body, of, fields, refusal) => {
    expect(decide(body, of, fields)).toMatchObject(refusal);
  });
});
