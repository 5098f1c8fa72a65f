import type { CampaignSnapshot } from '../campaigns/campaign.snapshot';
import type { PromotionTierSnapshot } from './promotion-tier.snapshot';

/** Tiers of promotion campaigns: one stream per tier. Source: reference 06 §9.2. */
export type PromotionTierEvent =
  | PromotionTierCreated
  | PromotionTierUpdated
  | PromotionTierEnabled
  | PromotionTierDisabled
  | PromotionTierDeleted;

/** A tier was created, with its campaign or later. */
export interface PromotionTierCreated {
  type: 'PromotionTierCreated';
  data: {
    promotion_tier: PromotionTierSnapshot;
    /** Its campaign as it was then. */
    campaign: CampaignSnapshot;
  };
}

/** A tier changed, or moved down because another one took its place. */
export interface PromotionTierUpdated {
  type: 'PromotionTierUpdated';
  data: {
    promotion_tier: PromotionTierSnapshot;
    /** Its campaign as it was then. */
    campaign: CampaignSnapshot;
  };
}

/** A tier was switched on. */
export interface PromotionTierEnabled {
  type: 'PromotionTierEnabled';
  data: {
    promotion_tier: PromotionTierSnapshot;
    /** Its campaign as it was then. */
    campaign: CampaignSnapshot;
  };
}

/** A tier was switched off. */
export interface PromotionTierDisabled {
  type: 'PromotionTierDisabled';
  data: {
    promotion_tier: PromotionTierSnapshot;
    /** Its campaign as it was then. */
    campaign: CampaignSnapshot;
  };
}

/** A tier was deleted for good. */
export interface PromotionTierDeleted {
  type: 'PromotionTierDeleted';
  data: {
    promotion_tier: PromotionTierSnapshot;
    /** Its campaign as it was then. */
    campaign: CampaignSnapshot;
    /** False: it went with its campaign, and no public event tells of it. */
    notify: boolean;
  };
}
