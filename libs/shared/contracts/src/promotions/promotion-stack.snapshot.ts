import type { CategorySnapshot, Instant } from '../snapshot';

/** A stack's own state right after the fact that carries it. Source: reference 04 §10. */
export interface PromotionStackSnapshot {
  /** `stack_…` */
  id: string;
  campaign_id: string;
  name: string;
  /** Tiers of its campaign in the order in which they are applied: 1 to 30, each once. */
  tier_ids: string[];
  category_id: string | null;
  category: string | null;
  categories: CategorySnapshot[];
  created_at: Instant;
  /** Null until the first change. */
  updated_at: Instant | null;
}
