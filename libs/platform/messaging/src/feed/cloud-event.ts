import type { EventMetadata, StoredEvent } from '@scrip/event-store';
import { keyOf } from './delivery';
import { topicOf } from './topic-name';

/** A domain event as other programs receive it: CloudEvents 1.0 attributes and `data`. All attributes but `data` are text,
 *  so that the binary mode can carry them too. Source: reference 06 §9.1. */
export interface CloudEvent<D = unknown> {
  specversion: '1.0';
  datacontenttype: 'application/json';
  /** The event-store row's id. */
  id: string;
  /** `/scrip/{service}` */
  source: string;
  /** `scrip.{service}.{EventName}` */
  type: string;
  /** Stream id. */
  subject: string;
  time: string;
  /** `urn:scrip:schema:{service}:{aggregate}:{EventName}:{schema version}` */
  dataschema: string;
  projectid: string;
  /** Version of the stream. */
  sequence: string;
  /** `epoch-ord-position`: what consumers store. */
  logposition: string;
  partitionkey: string;
  correlationid: string;
  causationid?: string;
  channel: string;
  actorid?: string;
  apikeyid?: string;
  /** Not in the specification's list: webhooks name the key that caused an event (reference 06 §2). */
  apikeyname?: string;
  traceparent?: string;
  data: D;
}

/** Not a domain event in CloudEvents form: an attribute is missing or malformed. */
export class NotACloudEvent extends Error {
  override readonly name = 'NotACloudEvent';
}

const optionalAttributes = {
  causationid: 'causation_id',
  actorid: 'actor_id',
  apikeyid: 'api_key_id',
  apikeyname: 'api_key_name',
  traceparent: 'traceparent',
} as const satisfies Partial<Record<keyof CloudEvent, keyof EventMetadata>>;

const schemaPattern = /^urn:scrip:schema:([^:]+):([^:]+):([^:]+):(\d+)$/;
const instantPattern = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const positionPattern = /^\d{1,9}-\d{1,20}-\d{1,19}$/;

/** The envelope of a stored event. Pure. Source: reference 06 §9.1. */
export const toCloudEvent = <D>(event: StoredEvent<D>): CloudEvent<D> => {
  const { service, aggregate, type, schemaVersion, metadata } = event;
  const optional = Object.entries(optionalAttributes).flatMap(([attribute, field]) =>
    metadata[field] === undefined ? [] : [[attribute, metadata[field]] as const],
  );
  return {
    specversion: '1.0',
    datacontenttype: 'application/json',
    id: event.id,
    source: `/scrip/${service}`,
    type: `scrip.${service}.${type}`,
    subject: event.streamId,
    time: event.recordedAt,
    dataschema: `urn:scrip:schema:${service}:${aggregate}:${type}:${schemaVersion}`,
    projectid: event.projectId,
    sequence: String(event.version),
    logposition: event.position,
    partitionkey: keyOf(event),
    correlationid: metadata.correlation_id,
    channel: metadata.channel,
    ...Object.fromEntries(optional),
    data: event.data,
  };
};

/** The stored event of an envelope, unknown attributes ignored. Pure. Throws `NotACloudEvent` naming what is missing
 *  or malformed. Source: reference 06 §9.1. */
export const fromCloudEvent = (envelope: Readonly<Record<string, unknown>>): StoredEvent => {
  const text = (attribute: keyof CloudEvent): string => {
    const value = envelope[attribute];
    if (typeof value !== 'string' || value === '') throw new NotACloudEvent(`${attribute} is missing`);
    return value;
  };
  const matching = (attribute: keyof CloudEvent, pattern: RegExp): RegExpExecArray => {
    const match = pattern.exec(text(attribute));
    if (!match) throw new NotACloudEvent(`${attribute} is malformed`);
    return match;
  };
  if (text('specversion') !== '1.0') throw new NotACloudEvent('specversion is not 1.0');
  const [, service = '', aggregate = '', type = '', schemaVersion] = matching('dataschema', schemaPattern);
  if (text('type') !== `scrip.${service}.${type}`) throw new NotACloudEvent('type and dataschema differ');
  const { data } = envelope;
  if (typeof data !== 'object' || data === null) throw new NotACloudEvent('data is missing');
  const optional = Object.entries(optionalAttributes).flatMap(([attribute, field]) => {
    const value = envelope[attribute];
    return typeof value === 'string' ? [[field, value] as const] : [];
  });
  return {
    id: text('id'),
    type,
    schemaVersion: Number(schemaVersion),
    service,
    aggregate,
    projectId: text('projectid'),
    streamId: text('subject'),
    version: Number(matching('sequence', /^\d{1,15}$/)[0]),
    position: matching('logposition', positionPattern)[0],
    recordedAt: matching('time', instantPattern)[0],
    data,
    metadata: {
      correlation_id: text('correlationid'),
      channel: text('channel'),
      ...Object.fromEntries(optional),
    },
  };
};

/** The topic that carries an event. Source: reference 06 §9.1. */
export const topicOfEvent = ({ service, aggregate }: Pick<StoredEvent, 'service' | 'aggregate'>): string =>
  topicOf({ service, aggregate, major: 1 });
