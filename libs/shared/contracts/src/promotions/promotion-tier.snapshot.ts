import type { Discount } from '@scrip/order-calculation';
import type { ValidityWindows } from '@scrip/vouchers';
import type { CampaignSnapshot } from '../campaigns/campaign.snapshot';
import type { CategorySnapshot, Instant, Metadata } from '../snapshot';

/** A tier's own state right after the fact that carries it. What it does not limit itself, its campaign does.
 *  Source: reference 04 §10. */
export interface PromotionTierSnapshot extends ValidityWindows {
  /** `promo_…` */
  id: string;
  campaign_id: string;
  name: string;
  /** What customers read; null: nothing. */
  banner: string | null;
  /** Null for a tier that grants nothing yet. */
  discount: Discount | null;
  metadata: Metadata;
  /** Its place among the tiers of its campaign, from 1; no two tiers of a campaign have the same. */
  hierarchy: number;
  active: boolean;
  start_date: Instant | null;
  expiration_date: Instant | null;
  category_id: string | null;
  category: string | null;
  categories: CategorySnapshot[];
  created_at: Instant;
  /** Null until the first change. */
  updated_at: Instant | null;
}

/** What of its campaign a tier shows: what limits it too. */
export type CampaignOfTier = Pick<
  CampaignSnapshot,
  | 'id'
  | 'name'
  | 'start_date'
  | 'expiration_date'
  | 'validity_timeframe'
  | 'validity_day_of_week'
  | 'validity_hours'
  | 'active'
  | 'category_id'
>;

/** A tier as a redemption keeps it. */
export interface RedeemedTier extends PromotionTierSnapshot {
  campaign: CampaignOfTier;
}

/** What a tier is beside what it is called by others and where it stands. */
export type PromotionTierFields = Omit<
  PromotionTierSnapshot,
  'id' | 'campaign_id' | 'hierarchy' | 'created_at' | 'updated_at' | 'category_id' | 'category' | 'categories'
>;
