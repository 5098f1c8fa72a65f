import type { CampaignSnapshot } from '../campaigns/campaign.snapshot';
import type { PromotionStackSnapshot } from './promotion-stack.snapshot';
import type { PromotionTierSnapshot } from './promotion-tier.snapshot';

/** A tier as redeeming needs it. `campaign`: as the owner of tiers heard of it. Categories are as they are now. */
export interface RedeemableTier {
  promotion_tier: PromotionTierSnapshot;
  campaign: CampaignSnapshot;
}

/** A stack as redeeming needs it. `tiers`: in the order in which they are applied. */
export interface RedeemableStack {
  promotion_stack: PromotionStackSnapshot;
  campaign: CampaignSnapshot;
  tiers: PromotionTierSnapshot[];
}

/** What redeeming uses of promotions: a tier, or a stack of tiers. */
export type RedeemablePromotion = RedeemableTier | RedeemableStack;
