import type { EndpointEvent, WebhookDisabled, WebhookSnapshot } from '@scrip/contracts/webhooks';
import { notFound, refuse } from '@scrip/kernel';
import type { WebhooksRefusal } from '../webhooks.refusals';

/** Endpoints a project may have. Source: reference 06 §6.1. */
export const endpointsMax = 50;

/** `subscriptions`: kind (or `*`) → ISO instant from which its facts are sent; empty while inactive. */
export interface EndpointState {
  webhook: WebhookSnapshot;
  subscriptions: Record<string, string>;
  deleted: boolean;
}

/** The fields that a caller may set. `active` undefined: unchanged, or true for a new endpoint. */
export interface EndpointChange {
  target_url: string;
  events: string[];
  active: boolean | undefined;
}

/** What can be asked of an endpoint. `live`: the number of the project's endpoints. */
export type EndpointCommand =
  | ({ type: 'CreateEndpoint'; id: string; now: string; live: number } & EndpointChange)
  | ({ type: 'UpdateEndpoint'; id: string; now: string } & EndpointChange & StoredHeaders)
  | { type: 'DeleteEndpoint'; id: string }
  | { type: 'DisableEndpoint'; cause: WebhookDisabled['data']['cause'] };

/** Whether the receiver's headers are stored, and whether the change sends them again. */
export interface StoredHeaders {
  storesHeaders: boolean;
  sendsHeaders: boolean;
}

type Of<Type extends EndpointCommand['type']> = Extract<EndpointCommand, { type: Type }>;

/** Returns the refusal of an id that no endpoint of the project has. Source: reference 06 §6.1. */
export const webhookNotFound = (id: string): WebhooksRefusal => notFound('webhook', id);

const create = ({
  id,
  target_url,
  events,
  active = true,
  now,
  live,
}: Of<'CreateEndpoint'>): EndpointEvent[] | WebhooksRefusal => {
  if (live >= endpointsMax) {
    return refuse('invalid_payload', `A project can have at most ${endpointsMax} webhooks`);
  }
  const webhook: WebhookSnapshot = { id, target_url, events, active, created_at: now };
  return [{ type: 'WebhookCreated', data: { webhook } }];
};

const isSame = (a: WebhookSnapshot, b: WebhookSnapshot): boolean =>
  a.target_url === b.target_url && a.active === b.active && a.events.join() === b.events.join();

/** Stored headers are secrets of the receiver that they were given for. A target of another origin gets them only when
 *  they are sent along again; `{}` gives them up. */
const headersMustStay = (
  { webhook }: EndpointState,
  { target_url, sendsHeaders, storesHeaders }: Of<'UpdateEndpoint'>,
): WebhooksRefusal | null =>
  storesHeaders && !sendsHeaders && new URL(target_url).origin !== new URL(webhook.target_url).origin
    ? refuse(
        'invalid_payload',
        'Property .headers must be sent again, or as {}, when .target_url changes its origin',
      )
    : null;

/** `events` replaces the whole set. */
const update = (state: EndpointState, command: Of<'UpdateEndpoint'>): EndpointEvent[] | WebhooksRefusal => {
  const refusal = headersMustStay(state, command);
  if (refusal) return refusal;
  const { target_url, events, active = state.webhook.active, now } = command;
  const webhook: WebhookSnapshot = { ...state.webhook, target_url, events, active };
  return isSame(webhook, state.webhook)
    ? []
    : [{ type: 'WebhookUpdated', data: { webhook, updated_at: now } }];
};

/** What follows from a command; an empty list where it changes nothing. Deletion is final. Refuses `not_found`, and
 *  `invalid_payload` for more endpoints than a project may have and for stored headers that would reach another origin.
 *  Source: reference 06 §5.2, §6.1. */
export const decideEndpoint = (
  command: EndpointCommand,
  state: EndpointState | undefined,
): EndpointEvent[] | WebhooksRefusal => {
  const live = state?.deleted ? undefined : state;
  switch (command.type) {
    case 'CreateEndpoint':
      return state ? [] : create(command);
    case 'UpdateEndpoint':
      return live ? update(live, command) : webhookNotFound(command.id);
    case 'DeleteEndpoint':
      return live
        ? [{ type: 'WebhookDeleted', data: { webhook_id: command.id } }]
        : webhookNotFound(command.id);
    case 'DisableEndpoint':
      return live?.webhook.active
        ? [{ type: 'WebhookDisabled', data: { webhook_id: live.webhook.id, cause: command.cause } }]
        : [];
    default:
      return command satisfies never;
  }
};

/** A kind keeps the instant of its subscription, by name or by `*`. */
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

/** Folds the stream `endpoint`. Total: returns undefined for events before the first one, never throws or decides. */
export const evolveEndpoint = (
  state: EndpointState | undefined,
  event: EndpointEvent,
): EndpointState | undefined => {
  switch (event.type) {
    case 'WebhookCreated': {
      const { webhook } = event.data;
      return { webhook, subscriptions: subscriptionsOf(webhook, {}, webhook.created_at), deleted: false };
    }
    case 'WebhookUpdated': {
      const { webhook, updated_at } = event.data;
      return (
        state && {
          webhook,
          subscriptions: subscriptionsOf(webhook, state.subscriptions, updated_at),
          deleted: false,
        }
      );
    }
    case 'WebhookDeleted':
      return state && { ...inactive(state), deleted: true };
    case 'WebhookDisabled':
      return state && inactive(state);
    default:
      return event satisfies never;
  }
};
