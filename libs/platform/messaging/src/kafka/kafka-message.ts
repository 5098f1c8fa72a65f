import { type StoredEvent, parsePosition } from '@scrip/event-store';
import type { IHeaders, KafkaMessage } from 'kafkajs';
import { NotACloudEvent, fromCloudEvent, toCloudEvent } from '../feed/cloud-event';
import type { Delivery } from '../feed/delivery';
import { type UpcastersOf, inNewestVersion } from '../feed/newest-version';
import { errorText } from '../parking/parked-keys';
import { parseTopic } from '../feed/topic-name';

/** An event as a message: CloudEvents' structured mode, the whole envelope in the value. Source: reference 06 §9.1. */
export interface EventMessage {
  key: string;
  value: Buffer;
  headers: { 'content-type': string };
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

const envelopeType = 'application/cloudevents+json';
/** Before what a header names an attribute of a message in binary mode, as earlier releases wrote them. */
const attributePrefix = 'ce_';
/** What a record takes at most besides its key and value: its header, lengths, offset and time. */
const recordOverheadBytes = 100;

/** The message of a stored event. Pure. */
export const toEventMessage = (event: StoredEvent): EventMessage => {
  const envelope = toCloudEvent(event);
  return {
    key: envelope.partitionkey,
    value: Buffer.from(JSON.stringify(envelope)),
    headers: { 'content-type': envelopeType },
    timestamp: String(Date.parse(event.recordedAt)),
  };
};

/** Roughly what a message takes in a request, rather more than less. */
export const messageBytes = ({ key, value }: EventMessage): number =>
  recordOverheadBytes + value.length + Buffer.byteLength(key);

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

/** The envelope in a message: its value, or in binary mode its headers around the value. Throws what JSON refuses. */
const envelopeOf = (message: RawMessage): Record<string, unknown> => {
  if (!message.value) throw new NotACloudEvent('data is missing');
  const value: unknown = JSON.parse(message.value.toString());
  if (message.headers.ce_specversion !== undefined) return { ...attributesOf(message), data: value };
  if (typeof value !== 'object' || value === null) throw new NotACloudEvent('specversion is missing');
  return value as Record<string, unknown>;
};

/** The event in a message, in its newest schema version. Throws `NotACloudEvent`, what JSON refuses, and what an
 *  upcaster throws. */
export const eventOfMessage = (message: RawMessage, upcastersOf?: UpcastersOf): StoredEvent => {
  const event = fromCloudEvent(envelopeOf(message));
  const { service, aggregate } = parseTopic(message.topic);
  if (event.service !== service || event.aggregate !== aggregate)
    throw new NotACloudEvent(`belongs to ${event.service} ${event.aggregate}`);
  return inNewestVersion(event, message.topic, upcastersOf);
};

const positionOf = (message: RawMessage): string | null => {
  try {
    const binary = attributesOf(message).logposition;
    const { logposition } = binary === undefined ? envelopeOf(message) : { logposition: binary };
    if (typeof logposition !== 'string') return null;
    parsePosition(logposition);
    return logposition;
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
    const position = positionOf(message);
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
