import type { PromotionStackCreated, PromotionStackUpdated } from '@scrip/contracts/promotions';
import { simpleCampaign } from '@scrip/wire/campaigns';
import { renderStack } from '@scrip/wire/promotions';
import { rendererOf } from '../renderer';

const full = ({ promotion_stack: stack, campaign }: PromotionStackCreated['data']) => ({
  entityId: stack.id,
  data: { campaign: simpleCampaign(campaign), promotion_stack: renderStack(stack) },
});

/** Kinds about stacks of tiers; a deleted one has none. Source: reference 06 §3. */
export const promotionStackRenderers = [
  rendererOf<PromotionStackCreated>({
    kind: 'campaign.promotion_stack.created',
    of: 'PromotionStackCreated',
    render: full,
  }),
  rendererOf<PromotionStackUpdated>({
    kind: 'campaign.promotion_stack.updated',
    of: 'PromotionStackUpdated',
    render: full,
  }),
];
