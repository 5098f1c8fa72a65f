import type {
  CampaignSnapshot,
  CampaignTemplateContent,
  CampaignTemplateSnapshot,
  CodeConfig,
} from '@scrip/contracts/campaigns';
import type { PromotionTierSnapshot } from '@scrip/contracts/promotions';
import { type Refusal, refuse } from '@scrip/kernel';

/** What a template keeps of its source itself. */
export type KeptContent = Pick<CampaignTemplateSnapshot, 'campaign_type' | 'content'>;

/** A kind of campaign, or of template, that the call cannot be made of. */
export const typeNotSupported = (details: string) =>
  refuse('campaign_type_is_not_supported_by_campaign_template', details);

type SourceRefusal = Refusal<
  'campaign_type_is_not_supported_by_campaign_template' | 'invalid_campaign' | 'invalid_payload'
>;

/** What a template keeps of a campaign: everything but its name, category and count of codes. Refuses
 *  `campaign_type_is_not_supported_by_campaign_template` for other kinds than coupons and gift cards, and `invalid_campaign`
 *  for a draft. Source: reference 04 §2.2, §12. */
export const contentOfCampaign = (campaign: CampaignSnapshot): KeptContent | SourceRefusal => {
  const { campaign_type, voucher } = campaign;
  if ((campaign_type !== 'DISCOUNT_COUPONS' && campaign_type !== 'GIFT_VOUCHERS') || !voucher) {
    return typeNotSupported(
      `Campaign ${campaign.id} is of type ${campaign_type}; templates are made from DISCOUNT_COUPONS and GIFT_VOUCHERS.`,
    );
  }
  if (campaign.creation_status === 'DRAFT')
    return refuse('invalid_campaign', `Campaign ${campaign.id} is a draft.`);
  const content: CampaignTemplateContent = {
    type: campaign.type,
    description: campaign.description,
    banner: null,
    voucher,
    join_once: campaign.join_once,
    use_voucher_metadata_schema: campaign.use_voucher_metadata_schema,
    activity_duration_after_publishing: campaign.activity_duration_after_publishing,
    ...limitsOf(campaign),
    metadata: campaign.metadata,
  };
  return { campaign_type, content };
};

/** What a template keeps of a tier: coupons that give its discount. `code_config`: how codes of the project are made. Refuses
 *  `invalid_payload` for a tier that grants nothing. Source: reference 04 §12. */
export const contentOfTier = (
  tier: PromotionTierSnapshot,
  code_config: CodeConfig,
): KeptContent | SourceRefusal => {
  const { discount } = tier;
  if (!discount) {
    return refuse(
      'invalid_payload',
      `Property .promotion_tier_id must name a tier with a discount: ${tier.id}`,
    );
  }
  const content: CampaignTemplateContent = {
    type: 'STATIC',
    description: null,
    banner: tier.banner,
    voucher: {
      type: 'DISCOUNT_VOUCHER',
      discount,
      gift: null,
      loyalty_card: null,
      redemption: { quantity: null },
      code_config,
      is_referral_code: false,
    },
    join_once: false,
    use_voucher_metadata_schema: true,
    activity_duration_after_publishing: null,
    ...limitsOf(tier),
    metadata: tier.metadata,
  };
  return { campaign_type: 'DISCOUNT_COUPONS', content };
};

const limitsOf = (source: CampaignSnapshot | PromotionTierSnapshot) => ({
  start_date: source.start_date,
  expiration_date: source.expiration_date,
  validity_timeframe: source.validity_timeframe,
  validity_day_of_week: source.validity_day_of_week,
  validity_hours: source.validity_hours,
});
