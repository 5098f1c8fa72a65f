import type { CampaignType } from '@scrip/contracts/campaigns';
import type { PromotionTierSnapshot } from '@scrip/contracts/promotions';
import { campaignSnapshot } from '../campaign/campaign.fixture';
import { keptRules } from './kept-rules';
import { contentOfCampaign, contentOfTier } from './template-content';

const codes = { length: 8, charset: 'ab', pattern: '########', prefix: '', postfix: '' };

const tier: PromotionTierSnapshot = {
  id: 'promo_1',
  campaign_id: 'camp_1',
  name: 'Ten percent',
  banner: 'Look',
  discount: { type: 'PERCENT', percent_off: 10 },
  metadata: { colour: 'red' },
  hierarchy: 3,
  active: false,
  start_date: null,
  expiration_date: '2026-12-31T00:00:00.000Z',
  validity_timeframe: null,
  validity_day_of_week: [1, 2],
  validity_hours: null,
  category_id: 'cat_1',
  category: 'Weekdays',
  categories: [],
  created_at: '2026-03-31T10:00:00.000Z',
  updated_at: null,
};

describe('what a template keeps of a campaign', () => {
  it('is all but its name, category and count of codes', () => {
    const campaign = campaignSnapshot({
      name: 'Own',
      category: 'Own',
      category_id: 'cat_1',
      vouchers_count: 9,
    });
    const kept = contentOfCampaign(campaign);
    expect(kept).toEqual({
      campaign_type: 'DISCOUNT_COUPONS',
      content: {
        type: 'STATIC',
        description: null,
        banner: null,
        voucher: campaign.voucher,
        join_once: false,
        use_voucher_metadata_schema: true,
        activity_duration_after_publishing: null,
        start_date: '2026-03-01T00:00:00.000Z',
        expiration_date: null,
        validity_timeframe: null,
        validity_day_of_week: null,
        validity_hours: null,
        metadata: { season: 'spring' },
      },
    });
  });

  it('is there for gift cards', () => {
    expect(contentOfCampaign(campaignSnapshot({ campaign_type: 'GIFT_VOUCHERS' }))).toMatchObject({
      campaign_type: 'GIFT_VOUCHERS',
    });
  });

  it.each<CampaignType>(['LOYALTY_PROGRAM', 'REFERRAL_PROGRAM', 'PROMOTION'])(
    'is refused for %s: campaign_type_is_not_supported_by_campaign_template',
    (campaign_type) => {
      expect(contentOfCampaign(campaignSnapshot({ campaign_type }))).toEqual({
        refused: 'campaign_type_is_not_supported_by_campaign_template',
        details: `Campaign camp_1 is of type ${campaign_type}; templates are made from DISCOUNT_COUPONS and GIFT_VOUCHERS.`,
      });
    },
  );

  it('is refused for a draft', () => {
    expect(contentOfCampaign(campaignSnapshot({ creation_status: 'DRAFT' }))).toEqual({
      refused: 'invalid_campaign',
      details: 'Campaign camp_1 is a draft.',
    });
  });
});

describe('what a template keeps of a tier', () => {
  it('is its discount, its banner and its own limits, as coupons', () => {
    expect(contentOfTier(tier, codes)).toEqual({
      campaign_type: 'DISCOUNT_COUPONS',
      content: {
        type: 'STATIC',
        description: null,
        banner: 'Look',
        voucher: {
          type: 'DISCOUNT_VOUCHER',
          discount: { type: 'PERCENT', percent_off: 10 },
          gift: null,
          loyalty_card: null,
          redemption: { quantity: null },
          code_config: codes,
          is_referral_code: false,
        },
        join_once: false,
        use_voucher_metadata_schema: true,
        activity_duration_after_publishing: null,
        start_date: null,
        expiration_date: '2026-12-31T00:00:00.000Z',
        validity_timeframe: null,
        validity_day_of_week: [1, 2],
        validity_hours: null,
        metadata: { colour: 'red' },
      },
    });
  });

  it('is refused where it grants nothing', () => {
    expect(contentOfTier({ ...tier, discount: null }, codes)).toEqual({
      refused: 'invalid_payload',
      details: 'Property .promotion_tier_id must name a tier with a discount: promo_1',
    });
  });
});

describe('what a template keeps of rules', () => {
  const rule = { rules: { 1: { name: 'order.amount', conditions: { $more_than: [100] } } } } as never;

  it('is all of them', () => {
    expect(keptRules({ rules: [rule, rule], total: 2 }, '.campaign_id')).toEqual([rule, rule]);
  });

  it('is refused where there are more than are loaded', () => {
    expect(keptRules({ rules: Array.from({ length: 20 }, () => rule), total: 21 }, '.campaign_id')).toEqual({
      refused: 'invalid_payload',
      details:
        'Property .campaign_id must name a source with at most 20 validation rules of 512 KiB together: it has 21',
    });
  });
});
