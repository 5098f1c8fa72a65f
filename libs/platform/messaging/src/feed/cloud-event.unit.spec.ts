import type { StoredEvent } from '@scrip/event-store';
import { NotACloudEvent, fromCloudEvent, toCloudEvent, topicOfEvent } from './cloud-event';

const event: StoredEvent = {
  id: '0197d0a0-0000-7000-8000-000000000001',
  type: 'VoucherCreated',
  schemaVersion: 2,
  service: 'campaigns',
  aggregate: 'voucher',
  projectId: 'proj_1',
  streamId: 'v_1',
  version: 3,
  position: '1-700-42',
  recordedAt: '2026-03-31T10:00:00.123Z',
  data: { code: 'SPRING', amount: 500 },
  metadata: { correlation_id: 'v-1', channel: 'API', api_key_id: 'key_1', api_key_name: 'shop' },
};

describe('toCloudEvent', () => {
  it('maps a stored event to the attributes of the topic', () => {
    expect(toCloudEvent(event)).toEqual({
      specversion: '1.0',
      datacontenttype: 'application/json',
      id: '0197d0a0-0000-7000-8000-000000000001',
      source: '/scrip/campaigns',
      type: 'scrip.campaigns.VoucherCreated',
      subject: 'v_1',
      time: '2026-03-31T10:00:00.123Z',
      dataschema: 'urn:scrip:schema:campaigns:voucher:VoucherCreated:2',
      projectid: 'proj_1',
      sequence: '3',
      logposition: '1-700-42',
      partitionkey: 'proj_1|v_1',
      correlationid: 'v-1',
      channel: 'API',
      apikeyid: 'key_1',
      apikeyname: 'shop',
      data: { code: 'SPRING', amount: 500 },
    });
  });

  it('names the topic', () => {
    expect(topicOfEvent(event)).toBe('scrip.campaigns.voucher.v1');
  });
});

describe('fromCloudEvent', () => {
  it.each<[string, StoredEvent]>([
    ['few metadata', event],
    [
      'all metadata',
      {
        ...event,
        metadata: {
          ...event.metadata,
          causation_id: 'c-1',
          actor_id: 'user_1',
          traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
        },
      },
    ],
  ])('gives back the event that was mapped, with %s', (_what, stored) => {
    expect(fromCloudEvent(JSON.parse(JSON.stringify(toCloudEvent(stored))))).toEqual(stored);
  });

  it('ignores attributes it does not know', () => {
    expect(fromCloudEvent({ ...toCloudEvent(event), sampledrate: '10' })).toEqual(event);
  });

  const required = [
    ...['specversion', 'id', 'type', 'subject', 'time', 'dataschema', 'projectid', 'sequence'],
    ...['logposition', 'correlationid', 'channel', 'data'],
  ];
  it.each(required)('refuses an envelope without %s', (attribute) => {
    const { [attribute]: _left, ...rest } = { ...toCloudEvent(event) } as Record<string, unknown>;
    expect(() => fromCloudEvent(rest)).toThrow(new NotACloudEvent(`${attribute} is missing`));
  });

  it.each([
    ['specversion', '2.0', 'specversion is not 1.0'],
    ['logposition', '1-700', 'logposition is malformed'],
    ['sequence', '-1', 'sequence is malformed'],
    ['time', 'yesterday', 'time is malformed'],
    ['dataschema', 'urn:scrip:schema:campaigns:voucher:VoucherCreated', 'dataschema is malformed'],
    ['type', 'scrip.loyalty.VoucherCreated', 'type and dataschema differ'],
    ['data', 'text', 'data is missing'],
  ])('refuses %s = %s', (attribute, value, message) => {
    expect(() => fromCloudEvent({ ...toCloudEvent(event), [attribute]: value })).toThrow(
      new NotACloudEvent(message),
    );
  });
});
