import { derivedIds } from '@scrip/kernel';
import { everyKind } from '../public-events/subscribed-kinds';
import type { PublicEvent } from '../public-events/public-event';

/** An endpoint as the fan-out sees it. `subscriptions`: kind or `*` → ISO instant since when. */
export interface SubscribedEndpoint {
  id: string;
  projectId: string;
  targetUrl: string;
  subscriptions: Record<string, string>;
}

/** One public event on its way to one endpoint. */
export interface Sendout {
  id: string;
  webhookId: string;
  targetUrl: string;
  event: PublicEvent;
  body: string;
}

/** Whether the endpoint is told: subscribed no later than the fact happened. Source: spec 06 §6. */
export const isSubscribed = (endpoint: SubscribedEndpoint, event: PublicEvent): boolean => {
  if (endpoint.projectId !== event.projectId) return false;
  const since = [endpoint.subscriptions[event.kind], endpoint.subscriptions[everyKind]];
  return since.some((instant) => instant !== undefined && instant <= event.happenedAt);
};

/** The body that every attempt sends: compact, a fixed point of `JSON.stringify(JSON.parse(body))`, `data` as it was
 *  rendered once. Source: spec 06 §2, §5.1. */
const bodyOf = (
  id: string,
  { event, endpoint, now }: { event: PublicEvent; endpoint: SubscribedEndpoint; now: Date },
) => {
  const head = JSON.stringify({
    id,
    project_id: event.projectId,
    created_at: now.toISOString(),
    type: event.kind,
  });
  const tail = JSON.stringify({
    source: { id: endpoint.id, object: 'webhook', target_url: endpoint.targetUrl },
    event: {
      id: event.id,
      type: event.kind,
      created_at: event.happenedAt,
      entity_id: event.entityId,
      group_id: event.groupId,
      event_source: event.source,
    },
  });
  return `${head.slice(0, -1)},"data":${event.data},${tail.slice(1)}`;
};

/** The sendout of an event to an endpoint, made at `now`. Its id follows from the two. */
export const sendoutOf = (event: PublicEvent, endpoint: SubscribedEndpoint, now: Date): Sendout => {
  const commandId = `${endpoint.id}/${event.id}`;
  const id = derivedIds({ createdAt: new Date(event.happenedAt), commandId, attempt: 0 }).next(
    'whs_',
    'sendout',
  );
  return {
    id,
    webhookId: endpoint.id,
    targetUrl: endpoint.targetUrl,
    event,
    body: bodyOf(id, { event, endpoint, now }),
  };
};
