import type { EndpointEvent, WebhookDisabled, WebhookSnapshot } from '@scrip/contracts';
import { type Refusal, refuse } from '@scrip/kernel';

/** Endpoints a project may have. Source: spec 06 §6.1. */
export const endpointsMax = 50;

/** `subscriptions`: kind (or `*`) → ISO instant since when facts of it are sent; empty while inactive. */
export interface EndpointState {
  webhook: WebhookSnapshot;
  subscriptions: Record<string, string>;
  deleted: boolean;
}

/** What a caller may set. `active` undefined: stays, or true for a new endpoint. */
export interface EndpointChange {
  target_url: string;
  events: string[];
  active: boolean | undefined;
}

type Decision = { events: EndpointEvent[]; answer: WebhookSnapshot };

/** No endpoint of the project has that id. Source: spec 06 §6.1. */
export const webhookNotFound = (id: string): Refusal =>
  refuse('not_found', `Cannot find webhook with id ${id}`, { resourceId: id, resourceType: 'webhook' });

/** A repeated creation answers as the first did. `live`: the project's endpoints so far. */
export const createEndpoint = (
  state: EndpointState | undefined,
  change: EndpointChange & { id: string; now: string; live: number },
): Decision | Refusal => {
  if (state) return { events: [], answer: state.webhook };
  if (change.live >= endpointsMax) {
    return refuse('invalid_payload', `A project can have at most ${endpointsMax} webhooks`);
  }
  const { id, target_url, events, active = true, now } = change;
  const webhook: WebhookSnapshot = { id, target_url, events, active, created_at: now };
  return { events: [{ type: 'WebhookCreated', data: { webhook } }], answer: webhook };
};

const isSame = (a: WebhookSnapshot, b: WebhookSnapshot): boolean =>
  a.target_url === b.target_url && a.active === b.active && a.events.join() === b.events.join();

/** `events` replaces the whole set. An update that changes nothing appends nothing. */
export const updateEndpoint = (
  state: EndpointState | undefined,
  change: EndpointChange & { id: string; now: string },
): Decision | Refusal => {
  if (!state || state.deleted) return webhookNotFound(change.id);
  const webhook: WebhookSnapshot = {
    ...state.webhook,
    target_url: change.target_url,
    events: change.events,
    active: change.active ?? state.webhook.active,
  };
  if (isSame(webhook, state.webhook)) return { events: [], answer: state.webhook };
  return { events: [{ type: 'WebhookUpdated', data: { webhook, updated_at: change.now } }], answer: webhook };
};

/** Final. */
export const deleteEndpoint = (state: EndpointState | undefined, id: string): Decision | Refusal => {
  if (!state || state.deleted) return webhookNotFound(id);
  return { events: [{ type: 'WebhookDeleted', data: { webhook_id: id } }], answer: state.webhook };
};

/** Only an endpoint that is active can be disabled; nothing happens to others. Source: spec 06 §5.2. */
export const disableEndpoint = (
  state: EndpointState | undefined,
  cause: WebhookDisabled['data']['cause'],
): { events: EndpointEvent[]; answer: null } => {
  if (!state || state.deleted || !state.webhook.active) return { events: [], answer: null };
  return {
    events: [{ type: 'WebhookDisabled', data: { webhook_id: state.webhook.id, cause } }],
    answer: null,
  };
};

/** A kind keeps the time since when it was subscribed, by name or by `*`. */
const subscriptionsOf = (
  webhook: WebhookSnapshot,
  before: Record<string, string>,
  now: string,
): Record<string, string> =>
  webhook.active
    ? Object.fromEntries(webhook.events.map((kind) => [kind, before[kind] ?? before['*'] ?? now]))
    : {};

const inactive = (state: EndpointState): EndpointState => ({
  ...state,
  webhook: { ...state.webhook, active: false },
  subscriptions: {},
});

/** Folds the stream `endpoint`. */
export const evolveEndpoint = (state: EndpointState | undefined, event: EndpointEvent): EndpointState => {
  switch (event.type) {
    case 'WebhookCreated': {
      const { webhook } = event.data;
      return { webhook, subscriptions: subscriptionsOf(webhook, {}, webhook.created_at), deleted: false };
    }
    case 'WebhookUpdated': {
      const { webhook, updated_at } = event.data;
      return {
        webhook,
        subscriptions: subscriptionsOf(webhook, state?.subscriptions ?? {}, updated_at),
        deleted: false,
      };
    }
    case 'WebhookDeleted':
      return { ...inactive(state as EndpointState), deleted: true };
    case 'WebhookDisabled':
      return inactive(state as EndpointState);
  }
};
