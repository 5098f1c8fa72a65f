import type { EndpointEvent } from '@scrip/contracts/webhooks';
import type { AggregateDefinition } from '@scrip/event-store';
import { type EndpointState, evolveEndpoint } from './endpoint.decider';

/** How endpoints are stored. */
export const endpointAggregate: AggregateDefinition<EndpointState, EndpointEvent> = {
  aggregate: 'endpoint',
  table: 'endpoints',
  evolve: evolveEndpoint,
  columns: {
    target_url: { type: 'text', of: ({ webhook }) => webhook.target_url },
    subscriptions: { type: 'jsonb', of: ({ subscriptions }) => subscriptions },
    active: { type: 'boolean', of: ({ webhook }) => webhook.active },
    deleted: { type: 'boolean', of: ({ deleted }) => deleted },
    created_at: { type: 'timestamptz', of: ({ webhook }) => webhook.created_at },
  },
};
