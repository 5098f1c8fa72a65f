import type { PromotionStackEvent } from '@scrip/contracts/promotions';
import type { AggregateDefinition } from '@scrip/event-store';
import { evolveStack, type StackState } from './stack.decider';

/** How stacks are stored. */
export const stackAggregate: AggregateDefinition<StackState, PromotionStackEvent> = {
  aggregate: 'stack',
  table: 'promotion_stacks',
  evolve: evolveStack,
  columns: {
    campaign_id: { type: 'text', of: ({ stack }) => stack.campaign_id },
    name: { type: 'text', of: ({ stack }) => stack.name },
    deleted: { type: 'boolean', of: ({ deleted }) => deleted },
    created_at: { type: 'timestamptz', of: ({ stack }) => stack.created_at },
    updated_at: { type: 'timestamptz', of: ({ stack }) => stack.updated_at },
  },
};
