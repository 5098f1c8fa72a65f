import type { RequestContext } from '@scrip/kernel';
import type { LogPosition } from '../log/log-position';

/** A fact as a decider returns it: a literal type name and plain data. The schema version is not part of it: it
 *  follows from the aggregate's upcasters. */
export interface EventData {
  type: string;
  data: object;
}

/** Where a fact comes from. `correlation_id` is the request's id, `causation_id` the event that a consumer answered
 *  to. Source: reference 06 §9.1. */
export interface EventMetadata {
  correlation_id: string;
  causation_id?: string;
  channel: string;
  actor_id?: string;
  api_key_id?: string;
  api_key_name?: string;
  traceparent?: string;
}

/** A fact as it was appended, its data brought to the newest schema version. `version` counts within the stream and
 *  may skip numbers; `recordedAt` is the database's time, ISO with milliseconds. */
export interface StoredEvent<D = unknown> {
  id: string;
  type: string;
  schemaVersion: number;
  service: string;
  aggregate: string;
  projectId: string;
  streamId: string;
  version: number;
  position: LogPosition;
  recordedAt: string;
  data: D;
  metadata: EventMetadata;
}

/** The metadata of everything that is appended on behalf of one call. */
export const metadataOf = (context: RequestContext, causationId?: string): EventMetadata => ({
  correlation_id: context.requestId,
  ...(causationId === undefined ? {} : { causation_id: causationId }),
  channel: context.channel,
  ...(context.user ? { actor_id: context.user.id } : {}),
  ...(context.apiKey ? { api_key_id: context.apiKey.id, api_key_name: context.apiKey.name } : {}),
  ...(context.traceparent === null ? {} : { traceparent: context.traceparent }),
});
