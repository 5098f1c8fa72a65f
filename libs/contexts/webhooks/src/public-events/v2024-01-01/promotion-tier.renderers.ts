import type {
  PromotionTierCreated,
  PromotionTierDeleted,
  PromotionTierDisabled,
  PromotionTierEnabled,
  PromotionTierUpdated,
} from '@scrip/contracts/promotions';
import { simpleCampaign } from '@scrip/wire/campaigns';
import { renderTier } from '@scrip/wire/promotions';
import { rendererOf } from '../renderer';

const full = ({ promotion_tier: tier, campaign }: PromotionTierCreated['data']) => ({
  entityId: tier.id,
  data: { campaign: simpleCampaign(campaign), promotion_tier: renderTier(tier, campaign) },
});

/** Kinds about tiers of promotion campaigns; one that goes with its campaign has none. Source: reference 06 §3. */
export const promotionTierRenderers = [
  rendererOf<PromotionTierCreated>({
    kind: 'campaign.promotion_tier.created',
    of: 'PromotionTierCreated',
    render: full,
  }),
  rendererOf<PromotionTierUpdated>({
    kind: 'campaign.promotion_tier.updated',
    of: 'PromotionTierUpdated',
    render: full,
  }),
  rendererOf<PromotionTierEnabled>({
    kind: 'campaign.promotion_tier.enabled',
    of: 'PromotionTierEnabled',
    render: full,
  }),
  rendererOf<PromotionTierDisabled>({
    kind: 'campaign.promotion_tier.disabled',
    of: 'PromotionTierDisabled',
    render: full,
  }),
  rendererOf<PromotionTierDeleted>({
    kind: 'campaign.promotion_tier.deleted',
    of: 'PromotionTierDeleted',
    render: (data) => (data.notify ? full(data) : null),
  }),
];
