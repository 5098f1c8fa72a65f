import type { PromotionStackSnapshot } from '@scrip/contracts/promotions';

/** A stack as the API shows it. Source: reference 04 §10. */
export const renderStack = (stack: PromotionStackSnapshot) => ({
  id: stack.id,
  created_at: stack.created_at,
  updated_at: stack.updated_at,
  name: stack.name,
  tiers: { ids: stack.tier_ids, hierarchy_mode: 'MANUAL' as const },
  campaign_id: stack.campaign_id,
  category: stack.category,
  category_id: stack.category_id,
  categories: stack.categories,
  object: 'promotion_stack' as const,
});

/** What `renderStack` makes. */
export type PromotionStackResponse = ReturnType<typeof renderStack>;
