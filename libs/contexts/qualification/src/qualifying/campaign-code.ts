import type { CampaignSnapshot, RedeemableVoucher, VoucherSnapshot } from '@scrip/contracts/campaigns';

/** The code that a campaign stands for: one that could be published, made as its codes are made. Its code and id are the campaign's.
 *  Null: the campaign has no codes. Source: reference 02 §8. */
export const codeOfCampaign = (campaign: CampaignSnapshot): RedeemableVoucher | null => {
  const { voucher: template } = campaign;
  if (!template) return null;
  const voucher: VoucherSnapshot = {
    id: campaign.id,
    code: campaign.id,
    campaign_id: campaign.id,
    campaign: campaign.name,
    category_id: campaign.category_id,
    category: campaign.category,
    categories: campaign.categories,
    type: template.type,
    discount: template.discount,
    gift: template.gift,
    loyalty_card: template.loyalty_card,
    start_date: campaign.start_date,
    expiration_date: null,
    validity_timeframe: campaign.validity_timeframe,
    validity_day_of_week: campaign.validity_day_of_week,
    validity_hours: campaign.validity_hours,
    active: true,
    additional_info: null,
    metadata: campaign.metadata,
    // It has no referrer yet.
    is_referral_code: false,
    holder_id: null,
    referrer_id: null,
    redemption: { quantity: template.redemption.quantity, redeemed_quantity: 0 },
    publish: { count: 0 },
    created_at: campaign.created_at,
    updated_at: campaign.updated_at,
  };
  return { voucher, campaign };
};
