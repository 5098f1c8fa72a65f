import type { LogPosition, StoredEvent } from '@scrip/event-store';
import { keyOf } from '../feed/delivery';
import { partitionOfKey } from '../kafka/partitioning';
import { type StoredPlace, WaitingEvents } from './waiting-events';

const positionOf = (number: number): LogPosition => `1-700-${number}`;
const numberOf = (position: LogPosition): number => Number(position.split('-')[2]);

/** A log of `size` events, numbered from 1, of a hundred streams in turn; one is appended each second. */
const entry = (number: number): StoredEvent => ({
  id: `id-${number}`,
  type: 'NoteWritten',
  schemaVersion: 1,
  service: 'shop',
  aggregate: 'note',
  projectId: 'proj_1',
  streamId: `s${number % 100}`,
  version: number,
  position: positionOf(number),
  recordedAt: new Date(Date.UTC(2026, 2, 31, 10) + number * 1_000).toISOString(),
  data: {},
  metadata: { correlation_id: 'v-1', channel: 'API' },
});

const logOf = (size: number) => {
  const log = { size, reads: 0 };
  const read = async (_topic: string, { after, limit }: { after: LogPosition; limit: number }) => {
    log.reads += 1;
    const from = numberOf(after) + 1;
    return Array.from({ length: Math.min(limit, log.size - from + 1) }, (_, index) => entry(from + index));
  };
  return { log, waiting: new WaitingEvents(read) };
};

const place = (position: number, partition = 0, partitions = 1): StoredPlace => ({
  group: 'stats.notes',
  topic: 'scrip.shop.note.v1',
  partition,
  partitions,
  position: positionOf(position),
});

describe('what waits behind a stored position', () => {
  it('is counted in the log of the owner, with the age of the oldest', async () => {
    const { waiting } = logOf(20);
    expect(await waiting.behind(place(17))).toEqual({
      events: 3,
      oldestRecordedAt: '2026-03-31T10:00:18.000Z',
    });
  });

  it('is nothing where the position is the head', async () => {
    const { waiting } = logOf(20);
    expect(await waiting.behind(place(20))).toEqual({ events: 0, oldestRecordedAt: null });
  });

  it('is what belongs into the partition, and no more', async () => {
    const mine = Array.from({ length: 100 }, (_, index) => entry(index + 1)).filter(
      (event) => partitionOfKey(keyOf(event), 6) === 4,
    );
    const { waiting } = logOf(100);
    expect(await waiting.behind(place(0, 4, 6))).toEqual({
      events: mine.length,
      oldestRecordedAt: mine[0]?.recordedAt,
    });
  });

  it('is counted page by page, each once, and not beyond ten thousand', async () => {
    const { log, waiting } = logOf(800);
    const look = async (): Promise<number> => (await waiting.behind(place(0))).events;
    expect([await look(), await look(), await look()]).toEqual([500, 800, 800]);
    log.size = 100_000;
    for (let looks = 0; looks < 30; looks += 1) await look();
    const { reads } = log;
    expect(await look()).toBe(10_300);
    expect(log.reads).toBe(reads);
  });

  it('is counted anew when the position has moved', async () => {
    const { waiting } = logOf(20);
    expect((await waiting.behind(place(10))).events).toBe(10);
    expect((await waiting.behind(place(19))).events).toBe(1);
    expect((await waiting.behind(place(20))).events).toBe(0);
  });

  it('is counted once by looks at the same time', async () => {
    const { log, waiting } = logOf(20);
    const looks = await Promise.all([waiting.behind(place(0)), waiting.behind(place(0))]);
    expect(looks.map(({ events }) => events)).toEqual([20, 20]);
    expect(log.reads).toBe(1);
  });

  it('is unknown while the owner does not answer', async () => {
    const waiting = new WaitingEvents(() => Promise.reject(new Error('unavailable')));
    await expect(waiting.behind(place(0))).rejects.toThrow('unavailable');
    await expect(waiting.behind(place(0))).rejects.toThrow('unavailable');
  });
});
