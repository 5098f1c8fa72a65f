import type { StoredEvent } from '@scrip/event-store';
import { notationOf, toEventMessage } from '../kafka/kafka-message';
import type { LogSource } from '../postgres/log-source';
import { NullEventFeed } from './null-event-feed';

const event: StoredEvent = {
  id: '018f0000-0000-7000-8000-000000000001',
  service: 'campaigns',
  projectId: 'proj_1',
  aggregate: 'voucher',
  streamId: 'v_1',
  version: 1,
  type: 'VoucherCreated',
  schemaVersion: 1,
  data: { voucher: { id: 'v_1' } },
  metadata: { correlation_id: 'v-1', channel: 'API' },
  position: '1-700-3',
  recordedAt: '2026-03-31T10:00:00.000Z',
};
const place = JSON.stringify({
  service: 'campaigns',
  aggregate: 'voucher',
  after: '0-0-0',
  position: '1-700-3',
});

const logs = (decode: LogSource['decode']): LogSource => ({
  services: ['campaigns'],
  read: () => Promise.resolve({ entries: [], more: false }),
  heads: () => Promise.resolve(new Map()),
  onWake: () => () => undefined,
  decode,
});

describe('a feed that fetches nothing', () => {
  it('reads again what Kafka could not hand over', async () => {
    const { key, value, headers } = toEventMessage(event);
    const raw = notationOf({ topic: 'scrip.campaigns.voucher.v1', key: Buffer.from(key), value, headers });
    const feed = new NullEventFeed(logs(() => Promise.reject(new Error('not asked'))));
    expect(await feed.decode(raw)).toEqual(event);
  });

  it('reads again what a log could not hand over', async () => {
    const decode = jest.fn(async () => event);
    expect(await new NullEventFeed(logs(decode)).decode(place)).toBe(event);
    expect(decode).toHaveBeenCalledWith(place);
  });

  it('throws as long as it is no event', async () => {
    const undecodable = {
      undecodable: true,
      key: 'k',
      position: null,
      raw: place,
      error: 'no such version',
    } as const;
    const feed = new NullEventFeed(logs(async () => undecodable));
    await expect(feed.decode(place)).rejects.toThrow('no such version');
    const headless = notationOf({
      topic: 'scrip.campaigns.voucher.v1',
      key: null,
      value: Buffer.from('{'),
      headers: {},
    });
    await expect(feed.decode(headless)).rejects.toThrow();
  });
});
