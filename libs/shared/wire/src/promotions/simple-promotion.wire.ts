import type {
  CampaignOfTier,
  PromotionStackSnapshot,
  PromotionTierSnapshot,
} from '@scrip/contracts/promotions';

/** A tier beside the subject of a webhook. Source: reference 06 §2. */
export const simplePromotionTier = (
  tier: Pick<PromotionTierSnapshot, 'id' | 'name' | 'banner' | 'metadata'> & {
    campaign: Pick<CampaignOfTier, 'id'>;
  },
) => ({
  id: tier.id,
  name: tier.name,
  banner: tier.banner,
  campaign: { id: tier.campaign.id },
  metadata: tier.metadata,
});

/** What `simplePromotionTier` makes. */
export type SimplePromotionTier = ReturnType<typeof simplePromotionTier>;

/** A stack beside the subject of a webhook. Source: reference 06 §2. */
export const simplePromotionStack = (stack: PromotionStackSnapshot) => ({
  id: stack.id,
  name: stack.name,
  ...(stack.category_id === null ? {} : { category_id: stack.category_id }),
  campaign: { id: stack.campaign_id },
  tiers: { ids: stack.tier_ids, hierarchy_mode: 'MANUAL' as const },
});

/** What `simplePromotionStack` makes. */
export type SimplePromotionStack = ReturnType<typeof simplePromotionStack>;
