import type { ToldFact } from '@scrip/contracts/auth';
import type { EndpointEvent, WebhookSnapshot } from '@scrip/contracts/webhooks';
import type { EventBatch } from '@scrip/messaging';

type TopicEvent = EventBatch['events'][number];

/** Of an address its origin: paths and queries may hold secrets. */
const settings = ({ target_url, events, active }: WebhookSnapshot) => ({
  ...{ origin: new URL(target_url).origin, events, active },
});

const said = (event: EndpointEvent): Pick<ToldFact, 'action' | 'changes'> | null => {
  switch (event.type) {
    case 'WebhookCreated':
      return { action: 'webhook.created', changes: settings(event.data.webhook) };
    case 'WebhookUpdated':
      return { action: 'webhook.updated', changes: settings(event.data.webhook) };
    case 'WebhookDeleted':
      return { action: 'webhook.deleted' };
    case 'WebhookDisabled':
      return { action: 'webhook.disabled', changes: { cause: event.data.cause } };
    default:
      // An event of a later release.
      return null;
  }
};

/** What an event of an endpoint says for the audit trail. Source: reference 07 §2.6. */
export const toldByEndpoint = (event: TopicEvent): ToldFact[] => {
  const { id, recordedAt, projectId, streamId, metadata } = event;
  const fact = said(event as unknown as EndpointEvent);
  if (!fact) return [];
  return [
    {
      ...{
        event_id: id,
        recorded_at: recordedAt,
        project_id: projectId,
        request_id: metadata.correlation_id,
      },
      ...{ user_id: metadata.actor_id ?? null, key_id: metadata.api_key_id ?? null },
      ...{ resource_type: 'webhook', resource_id: streamId, ...fact },
    },
  ];
};
