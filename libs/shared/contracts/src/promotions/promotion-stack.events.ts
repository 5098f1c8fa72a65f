import type { CampaignSnapshot } from '../campaigns/campaign.snapshot';
import type { PromotionStackSnapshot } from './promotion-stack.snapshot';

/** Stacks of a campaign's tiers: one stream per stack. Source: reference 06 §9.2. */
export type PromotionStackEvent = PromotionStackCreated | PromotionStackUpdated | PromotionStackDeleted;

/** A stack was created. */
export interface PromotionStackCreated {
  type: 'PromotionStackCreated';
  data: {
    promotion_stack: PromotionStackSnapshot;
    /** Its campaign as it was then. */
    campaign: CampaignSnapshot;
  };
}

/** A stack changed, or one of its tiers was deleted. */
export interface PromotionStackUpdated {
  type: 'PromotionStackUpdated';
  data: {
    promotion_stack: PromotionStackSnapshot;
    /** Its campaign as it was then. */
    campaign: CampaignSnapshot;
  };
}

/** A stack was deleted for good: by a caller, with its campaign, or with its last tier. */
export interface PromotionStackDeleted {
  type: 'PromotionStackDeleted';
  data: {
    promotion_stack: PromotionStackSnapshot;
    /** Its campaign as it was then. */
    campaign: CampaignSnapshot;
  };
}
