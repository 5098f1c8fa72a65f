import { newestSchemaVersion, type Upcasters } from '@scrip/kernel';
import type { EventData, EventMetadata } from './event';
import { EventTooLarge, UnstorableText } from '../database/database-error';

/** Data above this size is refused at append: with its envelope it has to fit one message of 1 MB. */
export const eventBytesMax = 900_000;

/** An event as JSON text for `json_to_recordset`, encoded once and counted on the way. */
export interface EncodedEvent {
  id: string;
  version: number;
  json: string;
}

const sizeOf = (json: string): number => (json.length * 3 <= eventBytesMax ? 0 : Buffer.byteLength(json));

// JSON.stringify escapes these and nothing else this way; an even number of backslashes before is text of its own.
const unstorable = /(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f][0-9a-f]{2})/;

/** PostgreSQL stores such texts as `json`, and then refuses statements that read inside. */
const isStorable = (json: string): boolean =>
  !((json.includes('\\u0000') || json.includes('\\ud')) && unstorable.test(json));

/** Encodes one event. Throws `EventTooLarge`, `UnstorableText` for NUL and lone surrogates, and whatever JSON refuses.
 *  `metadata` is already JSON. */
export const encodeEvent = (
  event: EventData,
  at: { id: string; version: number; metadata: string; upcasters: Upcasters | undefined; stream?: string },
): EncodedEvent => {
  const data = JSON.stringify(event.data);
  if (sizeOf(data) > eventBytesMax) throw new EventTooLarge(`${event.type} holds ${sizeOf(data)} bytes`);
  if (!isStorable(data)) throw new UnstorableText(`${event.type} holds NUL or a lone surrogate`);
  const schemaVersion = newestSchemaVersion(at.upcasters, event.type);
  const stream = at.stream === undefined ? '' : `"n":${JSON.stringify(at.stream)},`;
  const head = `{${stream}"i":"${at.id}","v":${at.version},"t":${JSON.stringify(event.type)},"s":${schemaVersion}`;
  return { id: at.id, version: at.version, json: `${head},"d":${data},"m":${at.metadata}}` };
};

/** Metadata as `encodeEvent` wants it. */
export const encodeMetadata = (metadata: EventMetadata): string => JSON.stringify(metadata);

/** Encoded events as rows `x` in SQL; `owner` is the column that says whose they are, and its type. */
export const encodedEventsOf = (owner: string, parameter: string): string =>
  `json_to_recordset(${parameter}::json) AS x(${owner}, i uuid, v bigint, t text, s int, d json, m json)`;

/** Encoded events of one stream, or of streams whose ids are in the column `n`, as rows `x` in SQL. */
export const encodedEvents = (parameter: string): string => encodedEventsOf('n text', parameter);
