import type { CampaignSnapshot } from '@scrip/contracts/campaigns';
import { isRefused, type ProjectContext } from '@scrip/kernel';
import type { CreateCampaignBody } from '../campaign.dto';
import { campaignOf, draftCampaign } from '../campaign-draft';
import { campaignTypeOf } from './kinds';
import { withRewardingCampaign } from './referral-program';

const project = { codeCharset: null, caseSensitiveCodes: true } as unknown as ProjectContext;
const now = '2026-03-01T10:00:00.000Z';
const discount = { type: 'PERCENT' as const, percent_off: 10 };

const draft = (fields: Partial<CreateCampaignBody>) => draftCampaign({ name: 'Spring', ...fields }, project);
const created = (fields: Partial<CreateCampaignBody>): CampaignSnapshot => {
  const drafted = draft(fields);
  if (isRefused(drafted)) throw new Error(drafted.details);
  return campaignOf(drafted, { id: 'camp_1', category: null, now });
};

describe('a campaign that does not say its kind', () => {
  it.each<[string | null, Partial<CreateCampaignBody>]>([
    ['DISCOUNT_COUPONS', { voucher: { discount } }],
    ['DISCOUNT_COUPONS', { voucher: { type: 'DISCOUNT_VOUCHER' } }],
    ['GIFT_VOUCHERS', { voucher: { gift: { amount: 1 } } }],
    ['GIFT_VOUCHERS', { voucher: { type: 'GIFT_VOUCHER' } }],
    ['LOYALTY_PROGRAM', { voucher: { loyalty_card: { points: 0 } } }],
    ['REFERRAL_PROGRAM', { voucher: { discount, is_referral_code: true } }],
    ['REFERRAL_PROGRAM', { voucher: { discount }, referral_program: {} }],
    ['PROMOTION', { promotion: {} }],
    [null, {}],
    [null, { voucher: {} }],
  ])('is a %s by what it has', (type, fields) => {
    expect(campaignTypeOf({ name: 'Spring', ...fields })).toBe(type);
  });
});

describe('the kind of a campaign', () => {
  it.each<[NonNullable<CreateCampaignBody['campaign_type']>, string]>([
    ['DISCOUNT_COUPONS', 'discount'],
    ['GIFT_VOUCHERS', 'gift.amount'],
    ['LOYALTY_PROGRAM', 'loyalty_card.points'],
    ['REFERRAL_PROGRAM', 'discount'],
  ])('%s requires %s', (campaign_type, path) => {
    const expected = {
      refused: 'invalid_campaign',
      details: `Property '${path}' is required for ${campaign_type} campaign`,
    };
    expect(draft({ campaign_type })).toEqual(expected);
    expect(draft({ campaign_type, voucher: { gift: {}, loyalty_card: {} } })).toEqual(expected);
  });

  it.each<[NonNullable<CreateCampaignBody['campaign_type']>, string]>([
    ['DISCOUNT_COUPONS', 'DISCOUNT_VOUCHER'],
    ['LOYALTY_PROGRAM', 'LOYALTY_CARD'],
    ['REFERRAL_PROGRAM', 'DISCOUNT_VOUCHER'],
  ])('%s has vouchers of its type only', (campaign_type, type) => {
    expect(draft({ campaign_type, voucher: { type: 'GIFT_VOUCHER', gift: { amount: 1 } } })).toEqual({
      refused: 'invalid_campaign',
      details: `Property 'voucher.type' should be ${type} for ${campaign_type} campaign`,
    });
  });

  it.each<[Partial<CreateCampaignBody>]>([
    [{ voucher: { loyalty_card: { points: 0 }, code: 'ONE' } }],
    [{ referral_program: {}, voucher: { discount, code: 'ONE' } }],
  ])('takes one public code for discounts and gift cards only', (fields) => {
    expect(draft({ type: 'STANDALONE', ...fields })).toMatchObject({
      refused: 'invalid_campaign',
      details: expect.stringContaining("Property 'type' should be STATIC or AUTO_UPDATE for ") as string,
    });
  });

  it('forces a card per customer for loyalty', () => {
    expect(
      created({ join_once: false, auto_join: true, voucher: { loyalty_card: { points: 7 } } }),
    ).toMatchObject({
      campaign_type: 'LOYALTY_PROGRAM',
      join_once: true,
      auto_join: true,
      voucher: { type: 'LOYALTY_CARD', loyalty_card: { points: 7, balance: 7 }, is_referral_code: false },
    });
  });

  it('fills a gift card with its amount, which comes off the order', () => {
    expect(created({ voucher: { gift: { amount: 1000 } } })).toMatchObject({
      campaign_type: 'GIFT_VOUCHERS',
      join_once: false,
      auto_join: false,
      voucher: {
        type: 'GIFT_VOUCHER',
        discount: null,
        gift: { amount: 1000, subtracted_amount: 0, balance: 1000, effect: 'APPLY_TO_ORDER' },
      },
    });
    expect(
      created({ voucher: { gift: { amount: 1, effect: 'APPLY_TO_ITEMS' } } }).voucher?.gift?.effect,
    ).toBe('APPLY_TO_ITEMS');
  });

  it('makes referral codes of a referral program, converted by redemptions unless it says otherwise', () => {
    const program = created({
      campaign_type: 'REFERRAL_PROGRAM',
      voucher: { discount, is_referral_code: false },
    });
    expect(program.voucher?.is_referral_code).toBe(true);
    expect(program.referral_program).toEqual({ conversion_event_type: 'redemption' });
  });

  it('has referral settings in a referral program only', () => {
    const coupons = created({
      campaign_type: 'DISCOUNT_COUPONS',
      voucher: { discount },
      referral_program: {},
    });
    expect(coupons).not.toHaveProperty('referral_program');
  });
});

describe('the settings of a referral program', () => {
  const settings = (referral_program: CreateCampaignBody['referral_program']) =>
    draft({ voucher: { discount }, referral_program });

  it('name the event that converts', () => {
    const custom_event = { id: 'ce_1', name: 'signed_up' };
    expect(settings({ conversion_event_type: 'custom_event', custom_event })).toMatchObject({
      settings: { referral_program: { conversion_event_type: 'custom_event', custom_event } },
    });
    for (const event of [undefined, {}]) {
      expect(settings({ conversion_event_type: 'custom_event', custom_event: event })).toEqual({
        refused: 'invalid_campaign',
        details: "Property 'referral_program.custom_event' is required for REFERRAL_PROGRAM campaign",
      });
    }
  });

  it('name the campaign that rewards the referee, of the kind that has such cards', () => {
    const reward = { type: 'LOYALTY_CARD', amount: 50 } as const;
    const program = {
      conversion_event_type: 'redemption',
      referee_reward: { ...reward, related_object_parent: { id: 'Cards', object: 'CAMPAIGN' } },
    } as const;
    const cards = { id: 'camp_2', name: 'Cards', campaign_type: 'LOYALTY_PROGRAM' } as const;
    expect(settings({ referee_reward: { ...reward, related_object_parent: { id: 'Cards' } } })).toMatchObject(
      {
        settings: { referral_program: program },
      },
    );
    expect(withRewardingCampaign(program, cards)).toEqual({
      conversion_event_type: 'redemption',
      referee_reward: {
        ...reward,
        related_object_parent: { id: 'camp_2', name: 'Cards', object: 'CAMPAIGN' },
      },
    });
    expect(withRewardingCampaign(program, { ...cards, campaign_type: 'GIFT_VOUCHERS' })).toEqual({
      refused: 'invalid_campaign',
      details:
        "Property 'referral_program.referee_reward.related_object_parent' should be a LOYALTY_PROGRAM campaign for LOYALTY_CARD",
    });
  });
});
