import {
  type StoredEvent,
  type Upcasters,
  newestSchemaVersion,
  parsePosition,
  upcast,
} from '@scrip/event-store';
import type { IHeaders, KafkaMessage } from 'kafkajs';
import { NotACloudEvent, fromCloudEvent, toCloudEvent } from '../cloud-event';
import type { Delivery } from '../delivery';
import { errorText } from '../parked-keys';
import { parseTopic } from '../topic-name';

/** An event as a message: CloudEvents' binary mode. Source: spec 06 §9.1. */
export interface EventMessage {
  key: string;
  value: Buffer;
  headers: Record<string, string>;
  /** When the event was appended, in milliseconds: consumers find their place by it. */
  timestamp: string;
}

/** What arrived, byte for byte, so that it can be decoded again, or sent on. */
export interface RawMessage {
  topic: string;
  key: Buffer | null;
  value: Buffer | null;
  headers: IHeaders;
}

/** The newest schema versions of a topic's events; undefined where there is but one. */
export type UpcastersOf = (topic: string) => Upcasters | undefined;

const attributePrefix = 'ce_';
/** What a record takes besides the texts of its key and headers and its value: lengths, and letters of several bytes
 *  in the one name that may have them. */
const recordOverheadBytes = 512;

/** The message of a stored event. Pure. */
export const toEventMessage = (event: StoredEvent): EventMessage => {
  const { data, datacontenttype, ...attributes } = toCloudEvent(event);
  const headers: Record<string, string> = { 'content-type': datacontenttype };
  for (const [name, text] of Object.entries(attributes)) headers[attributePrefix + name] = text;
  return {
    key: attributes.partitionkey,
    value: Buffer.from(JSON.stringify(data)),
    headers,
    timestamp: String(Date.parse(event.recordedAt)),
  };
};

/** Roughly what a message takes in a request, rather more than less. */
export const messageBytes = ({ key, value, headers }: EventMessage): number => {
  let bytes = recordOverheadBytes + value.length + 2 * key.length;
  for (const name in headers) bytes += name.length + (headers[name]?.length ?? 0);
  return bytes;
};

/** What arrived in a topic. */
export const rawMessageOf = (
  topic: string,
  { key, value, headers = {} }: Pick<KafkaMessage, 'key' | 'value' | 'headers'>,
): RawMessage => ({ topic, key, value, headers });

// Runs for every event of every group: loops and plain objects keep it from being what limits the throughput.
const attributesOf = ({ headers }: RawMessage): Record<string, string> => {
  const attributes: Record<string, string> = {};
  for (const name in headers) {
    const value = headers[name];
    if (name.startsWith(attributePrefix) && value !== undefined && !Array.isArray(value))
      attributes[name.slice(attributePrefix.length)] = value.toString();
  }
  return attributes;
};

/** The event in a message, in its newest schema version. Throws `NotACloudEvent`, what JSON refuses, and what an
 *  upcaster throws. */
export const eventOfMessage = (message: RawMessage, upcastersOf?: UpcastersOf): StoredEvent => {
  if (!message.value) throw new NotACloudEvent('data is missing');
  const envelope: Record<string, unknown> = attributesOf(message);
  envelope.data = JSON.parse(message.value.toString());
  const event = fromCloudEvent(envelope);
  const { service, aggregate } = parseTopic(message.topic);
  if (event.service !== service || event.aggregate !== aggregate)
    throw new NotACloudEvent(`belongs to ${event.service} ${event.aggregate}`);
  const upcasters = upcastersOf?.(message.topic);
  if (!upcasters) return event;
  return {
    ...event,
    schemaVersion: Math.max(event.schemaVersion, newestSchemaVersion(upcasters, event.type)),
    data: upcast(upcasters, event.type, event.schemaVersion, event.data as Record<string, unknown>),
  };
};

const positionOf = (attributes: Record<string, string>): string | null => {
  try {
    parsePosition(attributes.logposition ?? '');
    return attributes.logposition ?? null;
  } catch {
    return null; // The entry is undecodable in any case; here it only has no place either.
  }
};

/** More than any key of ours; an index takes no text that is much longer. */
const keyLengthMax = 500;

/** The key of what is no event, where PostgreSQL takes it as one. */
const readableKeyOf = ({ key }: RawMessage): string | undefined => {
  const text = key?.toString();
  return text !== undefined && text.length <= keyLengthMax && !text.includes('\0') ? text : undefined;
};

/** The entry that a message is for a worker. Never throws: what is no event is handed over as undecodable. */
export const deliveryOf = (
  message: RawMessage,
  place: { partition: number; offset: string },
  upcastersOf?: UpcastersOf,
): Delivery => {
  try {
    return eventOfMessage(message, upcastersOf);
  } catch (error) {
    const position = positionOf(attributesOf(message));
    const key = position === null ? undefined : readableKeyOf(message);
    return {
      undecodable: true,
      aggregate: parseTopic(message.topic).aggregate,
      key: key ?? `partition ${place.partition}, offset ${place.offset}`,
      position,
      raw: notationOf(message),
      error: errorText(error),
    };
  }
};

/** A raw message as text. */
export const notationOf = ({ topic, key, value, headers }: RawMessage): string => {
  const text = (bytes: Buffer | null): string | null => bytes?.toString('base64') ?? null;
  const all = Object.entries(headers).map(([name, given]) => [
    name,
    [given ?? []].flat().map((one) => Buffer.from(one).toString('base64')),
  ]);
  return JSON.stringify({ topic, key: text(key), value: text(value), headers: Object.fromEntries(all) });
};

/** The raw message that `notationOf` wrote. Throws what JSON refuses. */
export const messageOfNotation = (notation: string): RawMessage => {
  const { topic, key, value, headers } = JSON.parse(notation) as {
    topic: string;
    key: string | null;
    value: string | null;
    headers: Record<string, string[]>;
  };
  const bytes = (text: string | null): Buffer | null => (text === null ? null : Buffer.from(text, 'base64'));
  const all = Object.entries(headers).map(([name, texts]) => {
    const values = texts.map((text) => Buffer.from(text, 'base64'));
    return [name, values.length === 1 ? values[0] : values];
  });
  return { topic, key: bytes(key), value: bytes(value), headers: Object.fromEntries(all) as IHeaders };
};
