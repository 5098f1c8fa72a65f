import type { PromotionTierEvent } from '@scrip/contracts/promotions';
import type { AggregateDefinition } from '@scrip/event-store';
import { evolveTier, type TierState } from './tier.decider';

/** How tiers are stored. Their places are unique in a campaign, by its lock. */
export const tierAggregate: AggregateDefinition<TierState, PromotionTierEvent> = {
  aggregate: 'tier',
  table: 'promotion_tiers',
  evolve: evolveTier,
  columns: {
    campaign_id: { type: 'text', of: ({ tier }) => tier.campaign_id },
    hierarchy: { type: 'int', of: ({ tier }) => tier.hierarchy },
    active: { type: 'boolean', of: ({ tier }) => tier.active },
    deleted: { type: 'boolean', of: ({ deleted }) => deleted },
    expiration_date: { type: 'timestamptz', of: ({ tier }) => tier.expiration_date },
    created_at: { type: 'timestamptz', of: ({ tier }) => tier.created_at },
    updated_at: { type: 'timestamptz', of: ({ tier }) => tier.updated_at },
  },
};
