import type { PromotionStackSnapshot } from '@scrip/contracts/promotions';

/** A stack of two tiers of `camp_1`, the second one first. */
export const stackWith = (fields: Partial<PromotionStackSnapshot> = {}): PromotionStackSnapshot => ({
  id: 'stack_1',
  campaign_id: 'camp_1',
  name: 'Breakfast',
  tier_ids: ['promo_2', 'promo_1'],
  category_id: null,
  category: null,
  categories: [],
  created_at: '2026-03-31T10:00:00.000Z',
  updated_at: null,
  ...fields,
});
