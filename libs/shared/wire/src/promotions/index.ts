export {
  type SimplePromotionStack,
  type SimplePromotionTier,
  simplePromotionStack,
  simplePromotionTier,
} from './simple-promotion.wire';
export { type PromotionStackResponse, renderStack } from './promotion-stack.wire';
export {
  type CampaignOfTierResponse,
  type PromotionTierResponse,
  type PromotionTiersResponse,
  renderTierToBrowser,
  renderTier,
  renderTiers,
  type RedeemedTierResponse,
  renderRedeemedTier,
  type TierSummaryResponse,
} from './promotion-tier.wire';
