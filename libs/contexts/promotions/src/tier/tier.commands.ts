import type { CampaignSnapshot } from '@scrip/contracts/campaigns';
import type { PromotionTierSnapshot } from '@scrip/contracts/promotions';
import type { CategorySnapshot, Instant } from '@scrip/contracts/snapshot';
import type { TierChange } from '@scrip/incentives';
import type { CheckMetadata } from '@scrip/metadata-schemas';

/** What can be asked of a tier. `campaign`: as it is then; `now`: when it is decided. */
export type TierCommand = CreateTier | UpdateTier | MoveTier | EnableTier | DisableTier | DeleteTier;

interface OfCampaign {
  id: string;
  campaign: CampaignSnapshot;
  now: Instant;
}

export interface CreateTier extends OfCampaign {
  type: 'CreateTier';
  tier: PromotionTierSnapshot;
}

/** Absent fields stay. */
export interface UpdateTier extends OfCampaign {
  type: 'UpdateTier';
  change: TierChange;
  category?: CategorySnapshot | null;
  hierarchy?: number;
  /** Of the project's schema of tiers. */
  check: CheckMetadata;
}

/** Another tier takes its place. */
export interface MoveTier extends OfCampaign {
  type: 'MoveTier';
  hierarchy: number;
}

export interface EnableTier extends OfCampaign {
  type: 'EnableTier';
}

export interface DisableTier extends OfCampaign {
  type: 'DisableTier';
}

/** `notify`: whether a public event tells of it. */
export interface DeleteTier extends OfCampaign {
  type: 'DeleteTier';
  notify: boolean;
}
