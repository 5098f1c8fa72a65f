import type { RegisteredContext } from '../registered-context';
import { client, server } from '../route-row';
import { topic } from '../topic';

export const promotions = {
  name: 'promotions',
  owns: 'promotion tiers, and stacks of them',
  topics: {
    promotionTier: topic('promotions', 'tier'),
    promotionStack: topic('promotions', 'stack'),
  },
  routes: [
    server('GET /v1/promotions/tiers', 'promotions'),
    server('GET /v1/promotions/{campaignId}/tiers', 'promotions'),
    server('POST /v1/promotions/{campaignId}/tiers', 'promotions'),
    server('GET /v1/promotions/tiers/{promotionTierId}', 'promotions'),
    server('PUT /v1/promotions/tiers/{promotionTierId}', 'promotions'),
    server('DELETE /v1/promotions/tiers/{promotionTierId}', 'promotions'),
    server('POST /v1/promotions/tiers/{promotionTierId}/enable', 'promotions'),
    server('POST /v1/promotions/tiers/{promotionTierId}/disable', 'promotions'),
    server('GET /v1/promotions/stacks', 'promotions'),
    server('GET /v1/promotions/{campaignId}/stacks', 'promotions'),
    server('POST /v1/promotions/{campaignId}/stacks', 'promotions'),
    server('GET /v1/promotions/{campaignId}/stacks/{stackId}', 'promotions'),
    server('PUT /v1/promotions/{campaignId}/stacks/{stackId}', 'promotions'),
    server('DELETE /v1/promotions/{campaignId}/stacks/{stackId}', 'promotions'),
    client('GET /client/v1/promotions/tiers', 'client_promotions'),
  ],
} as const satisfies RegisteredContext;
