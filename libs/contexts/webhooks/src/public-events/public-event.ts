import type { EventMetadata, StoredEvent } from '@scrip/event-store';
import { derivedIds } from '@scrip/kernel';
import type { WebhookKind } from './kinds';
import type { Rendered } from './renderer';

/** The source of a fact, as receivers see it. Source: reference 06 §2. */
export interface EventSource {
  channel: string;
  user?: { id: string };
  api_key?: { name: string; app_id: string };
}

/** A fact as all endpoints of the project get it. `data` is JSON text, rendered once. Source: reference 06 §2. */
export interface PublicEvent {
  id: string;
  projectId: string;
  kind: WebhookKind;
  entityId: string;
  groupId: string;
  source: EventSource;
  data: string;
  /** Of those it shows, or would show if they were not erased. */
  customerIds: readonly string[];
  /** ISO, milliseconds. */
  happenedAt: string;
  /** The trace of the request that caused the fact; not sent to receivers. */
  traceparent: string | null;
}

/** Prefix of a public event's id, by what its kind is about. Source: reference 06 §2. */
const prefixes: Record<string, `ev${string}_`> = {
  redemption: 'evred_',
  voucher: 'evvou_',
  customer: 'evcus_',
  publication: 'evpub_',
  campaign: 'evcam_',
  business_validation_rule: 'evbvr_',
};

const prefixOf = (kind: WebhookKind): `ev${string}_` => {
  const prefix = prefixes[kind.slice(0, kind.indexOf('.'))];
  if (!prefix) throw new Error(`kind ${kind} has no id prefix`);
  return prefix;
};

/** Who caused a fact, as receivers see it. */
export const sourceOf = ({ channel, actor_id, api_key_id, api_key_name }: EventMetadata): EventSource => {
  if (channel === 'USER_PORTAL' && actor_id !== undefined) return { channel, user: { id: actor_id } };
  if ((channel === 'API' || channel === 'CLIENT_API') && api_key_id !== undefined) {
    return { channel, api_key: { name: api_key_name ?? '', app_id: api_key_id } };
  }
  return { channel };
};

/** Returns the public events of one kind for a domain event, as a renderer left them. */
export const publicEventsOf = (
  event: StoredEvent,
  kind: WebhookKind,
  rendered: Rendered | Rendered[] | null,
  customerIds: readonly string[] = [],
): PublicEvent[] => {
  if (rendered === null) return [];
  if (!Array.isArray(rendered)) return [publicEventOf(event, kind, { ...rendered, customerIds })];
  return rendered.map((one) =>
    publicEventOf(event, kind, { ...one, customerIds, purpose: `${kind} ${one.entityId}` }),
  );
};

/** Returns the public event of one kind for a domain event. Its id is derived from both, so that a topic delivered
 *  twice creates it once. */
export const publicEventOf = (
  event: StoredEvent,
  kind: WebhookKind,
  {
    entityId,
    data,
    customerIds = [],
    purpose = kind,
  }: Rendered & { customerIds?: readonly string[]; purpose?: string },
): PublicEvent => ({
  id: derivedIds({ createdAt: new Date(event.recordedAt), commandId: event.id }).next(
    prefixOf(kind),
    purpose,
  ),
  projectId: event.projectId,
  kind,
  entityId,
  groupId: event.metadata.correlation_id,
  source: sourceOf(event.metadata),
  data: JSON.stringify(data),
  customerIds,
  happenedAt: event.recordedAt,
  traceparent: event.metadata.traceparent ?? null,
});
