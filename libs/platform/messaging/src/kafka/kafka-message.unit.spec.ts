import type { StoredEvent } from '@scrip/event-store';
import { toCloudEvent } from '../feed/cloud-event';
import {
  deliveryOf,
  eventOfMessage,
  messageBytes,
  messageOfNotation,
  notationOf,
  rawMessageOf,
  toEventMessage,
} from './kafka-message';

const topic = 'scrip.campaigns.voucher.v1';

const event: StoredEvent = {
  id: '0192f0c1-7777-7000-8000-000000000001',
  type: 'VoucherCreated',
  schemaVersion: 1,
  service: 'campaigns',
  aggregate: 'voucher',
  projectId: 'proj_1',
  streamId: 'v_1',
  version: 3,
  position: '2-812-12345',
  recordedAt: '2026-03-31T10:00:00.123Z',
  data: { code: 'Ä-1' },
  metadata: { correlation_id: 'v-1', channel: 'API', api_key_name: 'Köln', traceparent: '00-a-b-01' },
};

/** What the broker makes of a message. */
const arrived = ({ key, value, headers }: ReturnType<typeof toEventMessage>) => ({
  key: Buffer.from(key),
  value,
  headers: Object.fromEntries(Object.entries(headers).map(([name, text]) => [name, Buffer.from(text)])),
});

const raw = rawMessageOf(topic, arrived(toEventMessage(event)));
const place = { partition: 4, offset: '17' };

describe('a message', () => {
  it("carries an event in CloudEvents' structured mode", () => {
    const { key, value, headers, timestamp } = toEventMessage(event);
    expect([key, headers, timestamp]).toEqual([
      'proj_1|v_1',
      { 'content-type': 'application/cloudevents+json' },
      '1774951200123',
    ]);
    expect(JSON.parse(value.toString())).toEqual({
      specversion: '1.0',
      id: event.id,
      source: '/scrip/campaigns',
      type: 'scrip.campaigns.VoucherCreated',
      subject: 'v_1',
      time: event.recordedAt,
      dataschema: 'urn:scrip:schema:campaigns:voucher:VoucherCreated:1',
      projectid: 'proj_1',
      sequence: '3',
      logposition: '2-812-12345',
      partitionkey: 'proj_1|v_1',
      correlationid: 'v-1',
      channel: 'API',
      apikeyname: 'Köln',
      traceparent: '00-a-b-01',
      datacontenttype: 'application/json',
      data: { code: 'Ä-1' },
    });
  });

  it('gives the same event back', () => {
    expect(eventOfMessage(raw)).toEqual(event);
    expect(deliveryOf(raw, place)).toEqual(event);
  });

  it("is read in CloudEvents' binary mode too, as earlier releases wrote it", () => {
    const { data, datacontenttype, ...attributes } = toCloudEvent(event);
    const headers = Object.fromEntries(
      Object.entries(attributes).map(([name, text]) => [`ce_${name}`, Buffer.from(text)]),
    );
    const binary = rawMessageOf(topic, {
      key: raw.key,
      value: Buffer.from(JSON.stringify(data)),
      headers: { 'content-type': Buffer.from(datacontenttype), ...headers },
    });
    expect(eventOfMessage(binary)).toEqual(event);
    expect(deliveryOf({ ...binary, value: Buffer.from('{') }, place)).toMatchObject({
      undecodable: true,
      key: 'proj_1|v_1',
      position: '2-812-12345',
    });
  });

  it('is brought to the newest schema version when it is read', () => {
    const upcasters = {
      VoucherCreated: [(data: Record<string, unknown>) => ({ ...data, label: data.code })],
    };
    const newest = eventOfMessage(raw, (of) => (of === topic ? upcasters : undefined));
    expect(newest).toEqual({ ...event, schemaVersion: 2, data: { code: 'Ä-1', label: 'Ä-1' } });
  });

  it('is counted with all that a record needs, rather too large than too small, and not by much', () => {
    const message = toEventMessage(event);
    const { key, value } = arrived(message);
    const header = Object.entries(message.headers).flat().join('').length;
    const least = key.length + value.length + header;
    expect(messageBytes(message)).toBeGreaterThan(least + 20);
    expect(messageBytes(message)).toBeLessThan(least + 80);
  });
});

describe('what is no event', () => {
  /** An envelope without a type: no event, but its position can be read. */
  const envelopeWith = (change: object): Buffer =>
    Buffer.from(JSON.stringify({ ...toCloudEvent(event), type: undefined, ...change }));
  const broken = rawMessageOf(topic, { ...arrived(toEventMessage(event)), value: envelopeWith({}) });

  it('waits under its key and place as far as they can be read', () => {
    expect(deliveryOf(broken, place)).toMatchObject({
      undecodable: true,
      aggregate: 'voucher',
      key: 'proj_1|v_1',
      position: '2-812-12345',
      error: 'NotACloudEvent: type is missing',
    });
  });

  it.each([
    ['without a position', envelopeWith({ logposition: undefined })],
    ['with a position that no log gave out', envelopeWith({ logposition: '12' })],
    ['where it is no JSON', Buffer.from('{"specversion"')],
    ['where it is no object', Buffer.from('12')],
  ])('is named by its offset %s', (_case, value) => {
    const message = rawMessageOf(topic, { key: Buffer.from('proj_1|v_1'), value, headers: {} });
    expect(deliveryOf(message, place)).toMatchObject({ key: 'partition 4, offset 17', position: null });
  });

  it.each([
    ['is short enough', 'k'.repeat(500), 'k'.repeat(500)],
    ['is too long for an index', 'k'.repeat(501), 'partition 4, offset 17'],
    ['holds a character that no text of PostgreSQL takes', 'proj_1|\0', 'partition 4, offset 17'],
  ])('waits under its key where that %s', (_case, key, expected) => {
    const message = { ...broken, key: Buffer.from(key) };
    expect(deliveryOf(message, place)).toMatchObject({ key: expected, position: '2-812-12345' });
  });

  it("is what another aggregate's topic carries by mistake", () => {
    const elsewhere = { ...raw, topic: 'scrip.campaigns.campaign.v1' };
    expect(deliveryOf(elsewhere, place)).toMatchObject({
      undecodable: true,
      error: 'NotACloudEvent: belongs to campaigns voucher',
    });
  });

  it('is noted byte for byte, so that later code can read it', () => {
    const odd = {
      ...raw,
      key: Buffer.from([0, 255]),
      headers: { ...raw.headers, twice: [Buffer.from('1'), Buffer.from([7, 0])] },
    };
    expect(messageOfNotation(notationOf(odd))).toEqual(odd);
    expect(messageOfNotation(notationOf({ topic, key: null, value: null, headers: {} }))).toEqual({
      topic,
      key: null,
      value: null,
      headers: {},
    });
    expect(eventOfMessage(messageOfNotation(notationOf(raw)))).toEqual(event);
  });
});
