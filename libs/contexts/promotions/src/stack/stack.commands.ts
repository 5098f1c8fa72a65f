import type { CampaignSnapshot } from '@scrip/contracts/campaigns';
import type { PromotionStackSnapshot } from '@scrip/contracts/promotions';
import type { CategorySnapshot, Instant } from '@scrip/contracts/snapshot';

/** What can be asked of a stack. `campaign`: as it is then; `now`: when it is decided. */
export type StackCommand = CreateStack | UpdateStack | DropTier | DeleteStack;

interface OfCampaign {
  id: string;
  campaign: CampaignSnapshot;
  now: Instant;
}

export interface CreateStack extends OfCampaign {
  type: 'CreateStack';
  stack: PromotionStackSnapshot;
}

/** What a caller changes; absent fields stay. */
export interface StackChange {
  name?: string;
  tier_ids?: string[];
}

export interface UpdateStack extends OfCampaign {
  type: 'UpdateStack';
  change: StackChange;
  category?: CategorySnapshot | null;
}

/** A tier is deleted. */
export interface DropTier extends OfCampaign {
  type: 'DropTier';
  tier_id: string;
}

export interface DeleteStack extends OfCampaign {
  type: 'DeleteStack';
}
