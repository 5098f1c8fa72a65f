import type { EventData, EventMetadata } from './event';
import { EventTooLarge } from './database-error';
import { newestSchemaVersion, type Upcasters } from './upcasting';

/** Data above this size is refused at append: with its envelope it has to fit one message of 1 MB. */
export const maxEventBytes = 900_000;

/** An event as JSON text for `jsonb_to_recordset`, encoded once and counted on the way. */
export interface EncodedEvent {
  id: string;
  version: number;
  json: string;
}

const sizeOf = (json: string): number => (json.length * 3 <= maxEventBytes ? 0 : Buffer.byteLength(json));

/** Encodes one event. Throws `EventTooLarge`, and whatever JSON refuses. `metadata` is already JSON. */
export const encodeEvent = (
  event: EventData,
  at: { id: string; version: number; metadata: string; upcasters: Upcasters | undefined; stream?: string },
): EncodedEvent => {
  const data = JSON.stringify(event.data);
  if (sizeOf(data) > maxEventBytes) throw new EventTooLarge(`${event.type} holds ${sizeOf(data)} bytes`);
  const schemaVersion = newestSchemaVersion(at.upcasters, event.type);
  const stream = at.stream === undefined ? '' : `"n":${JSON.stringify(at.stream)},`;
  const head = `{${stream}"i":"${at.id}","v":${at.version},"t":${JSON.stringify(event.type)},"s":${schemaVersion}`;
  return { id: at.id, version: at.version, json: `${head},"d":${data},"m":${at.metadata}}` };
};

/** Metadata as `encodeEvent` wants it. */
export const encodeMetadata = (metadata: EventMetadata): string => JSON.stringify(metadata);

/** The record type of encoded events in SQL. */
export const encodedEvents = (parameter: string): string =>
  `jsonb_to_recordset(${parameter}::jsonb) AS x(n text, i uuid, v bigint, t text, s int, d jsonb, m jsonb)`;
