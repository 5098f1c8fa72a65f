import { derivedIds } from '@scrip/kernel';
import { everyKind } from '../public-events/subscribed-kinds';
import type { PublicEvent } from '../public-events/public-event';
import type { Tellable } from '../public-events/public-event.rendering';

/** An endpoint as the fan-out sees it. `subscriptions`: kind or `*` → ISO instant of the subscription. */
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

/** Returns whether the endpoint gets the event: it subscribed no later than the fact happened. Source: reference 06
 *  §6. */
export const isSubscribed = (
  endpoint: SubscribedEndpoint,
  event: Pick<PublicEvent, 'projectId' | 'kind' | 'happenedAt'>,
): boolean => {
  if (endpoint.projectId !== event.projectId) return false;
  const since = [endpoint.subscriptions[event.kind], endpoint.subscriptions[everyKind]];
  return since.some((instant) => instant !== undefined && instant <= event.happenedAt);
};

/** Returns those of the events that an endpoint gets, before they are rendered. */
export const heardBy = (
  endpoints: readonly SubscribedEndpoint[],
  tellable: readonly Tellable[],
): Tellable[] =>
  tellable.filter(({ event, renderer }) => {
    const told = { projectId: event.projectId, kind: renderer.kind, happenedAt: event.recordedAt };
    return endpoints.some((endpoint) => isSubscribed(endpoint, told));
  });

/** Returns the body that every attempt sends: compact, a fixed point of `JSON.stringify(JSON.parse(body))`, `data` as
 *  it was rendered once. Source: reference 06 §2, §5.1. */
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

/** Returns the sendout of an event to an endpoint, created at `now`. Its id is derived from both. */
export const sendoutOf = (event: PublicEvent, endpoint: SubscribedEndpoint, now: Date): Sendout => {
  const commandId = `${endpoint.id}/${event.id}`;
  const id = derivedIds({ createdAt: new Date(event.happenedAt), commandId }).next('whs_', 'sendout');
  return {
    id,
    webhookId: endpoint.id,
    targetUrl: endpoint.targetUrl,
    event,
    body: bodyOf(id, { event, endpoint, now }),
  };
};
