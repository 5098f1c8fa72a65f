export type {
  PromotionStackCreated,
  PromotionStackDeleted,
  PromotionStackEvent,
  PromotionStackUpdated,
} from './promotion-stack.events';
export type { PromotionStackSnapshot } from './promotion-stack.snapshot';
export type {
  PromotionTierCreated,
  PromotionTierDeleted,
  PromotionTierDisabled,
  PromotionTierEnabled,
  PromotionTierEvent,
  PromotionTierUpdated,
} from './promotion-tier.events';
export type {
  CampaignOfTier,
  PromotionTierFields,
  PromotionTierSnapshot,
  RedeemedTier,
} from './promotion-tier.snapshot';
export type { RedeemablePromotion, RedeemableStack, RedeemableTier } from './redeemable-promotion';
export {
  type ChangedCampaign,
  type PromotionCampaign,
  type PromotionsPort,
  promotionsPort,
  tierBytesShown,
  type TiersOfCampaign,
  type TiersWanted,
  type TierSums,
  tiersShown,
} from './promotions.port';
