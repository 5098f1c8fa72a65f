import type { PublicationEvent } from '@scrip/contracts/campaigns';
import type { AggregateDefinition } from '@scrip/event-store';
import { evolvePublication, type PublicationState } from './publication.decider';

/** How publications are stored. The source id is unique among those that succeeded. */
export const publicationAggregate: AggregateDefinition<PublicationState, PublicationEvent> = {
  aggregate: 'publication',
  table: 'publications',
  evolve: evolvePublication,
  columns: {
    customer_id: { type: 'text', of: ({ publication }) => publication.customer_id },
    source_id: { type: 'text', of: ({ publication }) => publication.source_id },
    result: { type: 'text', of: ({ publication }) => publication.result },
    failure_code: { type: 'text', of: ({ publication }) => publication.failure_code },
    channel: { type: 'text', of: ({ publication }) => publication.channel },
    campaign_id: { type: 'text', of: ({ publication }) => publication.campaign_id },
    campaign: { type: 'text', of: ({ publication }) => publication.campaign },
    voucher_type: { type: 'text', of: ({ publication }) => publication.voucher_type },
    is_referral_code: { type: 'boolean', of: ({ publication }) => publication.is_referral_code },
    // Of several codes each is found through its holder.
    voucher_id: { type: 'text', of: ({ publication }) => publication.vouchers[0]?.id ?? null },
    voucher_code: { type: 'text', of: ({ publication }) => publication.vouchers[0]?.code ?? null },
    created_at: { type: 'timestamptz', of: ({ publication }) => publication.created_at },
  },
};
