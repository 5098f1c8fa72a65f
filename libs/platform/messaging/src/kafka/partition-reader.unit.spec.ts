import { Logger } from '@nestjs/common';
import type { StoredEvent } from '@scrip/event-store';
import { waitUntil } from '@scrip/testing';
import type { DataSource } from 'typeorm';
import type { Consumer } from '../consumer/consumer';
import type { Workers } from '../feed/event-feed';
import { toEventMessage } from './kafka-message';
import { MemoryBudget } from './memory-budget';
import { type FetchedBatch, PartitionReader } from './partition-reader';
import type { TopicOffsets } from './topic-offsets';

Logger.overrideLogger(false);

const consumer: Consumer = {
  group: 'stats.notes',
  topic: 'scrip.shop.note.v1',
  context: 'stats',
  from: 'beginning',
  handle: async () => undefined,
};

const event = (number: number): StoredEvent => ({
  id: '0197d0a0-0000-7000-8000-000000000001',
  type: 'NoteWritten',
  schemaVersion: 1,
  service: 'shop',
  aggregate: 'note',
  projectId: 'proj_1',
  streamId: 'a',
  version: number,
  position: `1-700-${number}`,
  recordedAt: '2026-03-31T10:00:00.000Z',
  data: { number },
  metadata: { correlation_id: 'v-1', channel: 'API' },
});

/** A topic of one partition, whose first event has the offset `low`, and its reader. */
const startReader = () => {
  const topic = { low: 0, events: [] as number[] };
  const high = (): number => topic.low + topic.events.length;
  const applied: number[] = [];
  const seeks: bigint[] = [];
  const ownerLog: StoredEvent[] = [];
  const worker = {
    of: { group: consumer.group, topic: consumer.topic, partition: 0 },
    rewinds: 0,
    position: '0-0-0',
    reached: { position: '0-0-0', recordedAt: null },
    apply: async (events: StoredEvent[]) => {
      const fresh = events.filter(({ version }) => version > (applied.at(-1) ?? 0));
      applied.push(...fresh.map(({ version }) => version));
      worker.position = event(applied.at(-1) ?? 0).position;
    },
  };
  const reading = {
    workers: { open: async () => worker, close: async () => undefined } as unknown as Workers,
    offsets: {
      ranges: async () => [{ partition: 0, low: BigInt(topic.low), high: BigInt(high()) }],
      startAfter: async () => BigInt(topic.low),
    } as unknown as TopicOffsets,
    budget: new MemoryBudget(1_000_000),
    databaseOf: () => ({ query: async () => [] }) as unknown as DataSource,
    readOwnersLog: async (_topic: string, { after }: { after: string }) =>
      ownerLog.filter(({ version }) => version > Number(after.split('-')[2])),
  };
  const reader = new PartitionReader(consumer, 0, reading, {
    seek: (offset) => void seeks.push(offset),
    pause: () => undefined,
    resume: () => undefined,
  });
  reader.begin(Promise.resolve());
  /** Hands over what lies in the topic from an offset on. */
  const fetched = (from: number): boolean => {
    const messages = topic.events
      .map((number, index) => ({ ...toEventMessage(event(number)), offset: String(topic.low + index) }))
      .filter(({ offset }) => Number(offset) >= from);
    return reader.take({ messages, highWatermark: String(high()) } as unknown as FetchedBatch);
  };
  const placedTimes = (times: number) =>
    waitUntil(() => seeks.length === times, { what: `place number ${times}` });
  const untilApplied = (last: number) => waitUntil(() => applied.at(-1) === last, { what: `event ${last}` });
  return { topic, applied, seeks, ownerLog, reader, fetched, placedTimes, untilApplied };
};

describe('a partition whose reader waits for the offset 3', () => {
  let place: ReturnType<typeof startReader>;

  beforeEach(async () => {
    place = startReader();
    place.topic.events = [1, 2, 3];
    place.ownerLog.push(...[1, 2, 3, 4, 5, 6, 7].map(event));
    await place.placedTimes(1);
    expect(place.fetched(0)).toBe(true);
    await place.untilApplied(3);
  });
  afterEach(() => place.reader.close());

  it('takes what begins there', async () => {
    place.topic.events = [1, 2, 3, 4, 5];
    expect(place.fetched(3)).toBe(true);
    await place.untilApplied(5);
    expect(place.seeks).toEqual([0n]);
  });

  it('takes nothing behind a gap: what retention removed comes from the owner', async () => {
    Object.assign(place.topic, { low: 5, events: [6, 7] });
    expect(place.fetched(5)).toBe(false);
    await place.placedTimes(2);
    expect(place.seeks).toEqual([0n, 5n]);
    expect(place.fetched(5)).toBe(true);
    await place.untilApplied(7);
    expect(place.applied).toEqual([1, 2, 3, 4, 5, 6, 7]);
  });

  it('takes nothing that begins before it: the topic was made anew', async () => {
    place.topic.events = [4, 5, 6, 7];
    expect(place.fetched(0)).toBe(false);
    await place.placedTimes(2);
    expect(place.fetched(0)).toBe(true);
    await place.untilApplied(7);
    expect(place.applied).toEqual([1, 2, 3, 4, 5, 6, 7]);
  });

  describe('when the group joins again', () => {
    beforeEach(() => {
      place.reader.rejoined(false);
      expect(place.seeks).toEqual([0n, 2n]);
    });

    it('goes on where the topic is the same', async () => {
      place.topic.events = [1, 2, 3, 4];
      expect(place.fetched(2)).toBe(true);
      await place.untilApplied(4);
      expect(place.seeks).toHaveLength(2);
    });

    it('goes on where retention has removed what was taken', async () => {
      Object.assign(place.topic, { low: 3, events: [4] });
      expect(place.fetched(3)).toBe(true);
      await place.untilApplied(4);
      expect(place.seeks).toHaveLength(2);
    });

    it('looks for the place again where the topic was made anew, and is as long as before', async () => {
      place.topic.events = [4, 5, 6, 7];
      expect(place.fetched(2)).toBe(false);
      await place.placedTimes(3);
      expect(place.fetched(0)).toBe(true);
      await place.untilApplied(7);
      expect(place.applied).toEqual([1, 2, 3, 4, 5, 6, 7]);
    });
  });
});
