import { Logger } from '@nestjs/common';
import type { LogPosition, StoredEvent } from '@scrip/event-store';
import { waitUntil } from '@scrip/testing';
import type { Delivery } from '../feed/delivery';
import type { LogEntries, LogPage, LogSource } from './log-source';
import { LogTail } from './log-tail';
import { type FedWorker, TopicReader } from './topic-reader';

Logger.overrideLogger(false);

const positionOf = (number: number): LogPosition => `1-700-${number}`;
const numberOf = (position: LogPosition): number => Number(position.split('-')[2]);

const entry = (number: number): StoredEvent => ({
  id: `id-${number}`,
  type: 'NoteWritten',
  schemaVersion: 1,
  service: 'shop',
  aggregate: number % 10 === 0 ? 'parcel' : 'note',
  projectId: 'proj_1',
  streamId: 'a',
  version: number,
  position: positionOf(number),
  recordedAt: '2026-03-31T10:00:00.000Z',
  data: {},
  metadata: { correlation_id: 'v-1', channel: 'API' },
});

/** A log of `size` readable entries, numbered from 1; every tenth is of another aggregate. */
class MemoryLog implements LogSource {
  readonly services = ['shop'];
  readonly reads: LogPage[] = [];
  beforeAnswer: (page: LogPage) => Promise<void> | void = () => undefined;

  constructor(public size: number) {}

  /** Entries that a page holds, however many are asked for: as where they are large. */
  pageMax = Number.POSITIVE_INFINITY;

  async read(_service: string, page: LogPage): Promise<LogEntries> {
    this.reads.push(page);
    const entries: Delivery[] = [];
    const limit = Math.min(page.limit, this.pageMax);
    for (let number = numberOf(page.after) + 1; number <= this.size && entries.length < limit; number += 1) {
      const candidate = entry(number);
      if (!page.aggregates || page.aggregates.includes(candidate.aggregate)) entries.push(candidate);
    }
    await this.beforeAnswer(page);
    return { entries, more: entries.length === limit };
  }
  beforeHeads: () => Promise<void> | void = () => undefined;
  async heads(): Promise<Map<string, LogPosition>> {
    await this.beforeHeads();
    return new Map([['shop', positionOf(this.size)]]);
  }
  onWake = () => () => undefined;
  decode = () => Promise.reject(new Error('nothing to decode'));
}

/** Takes what it is fed, as soon as `gate` opens. */
class RecordingWorker implements FedWorker {
  readonly of = { group: 'stats.notes', topic: 'scrip.shop.note.v1', partition: 0 };
  readonly batches: number[] = [];

  constructor(readonly fills?: readonly string[]) {}

  get consumer(): FedWorker['consumer'] {
    const fills = this.fills && { fills: this.fills };
    return {
      ...this.of,
      ...{ context: 'stats', from: 'beginning', ...fills },
      handle: () => Promise.resolve(),
    };
  }

  position = positionOf(0);
  rewinds = 0;
  applied: number[] = [];
  gate: Promise<void> = Promise.resolve();

  async apply(entries: readonly Delivery[]): Promise<void> {
    await this.gate;
    this.batches.push(entries.length);
    this.applied.push(...entries.map(({ position }) => numberOf(position ?? '')));
  }
}

const notesUpTo = (size: number): number[] =>
  Array.from({ length: size }, (_, index) => index + 1).filter((number) => number % 10 !== 0);

let stops: (() => void | Promise<void>)[];
beforeEach(() => {
  stops = [];
});
afterEach(async () => {
  for (const stop of stops) await stop();
});

const prepare = (log: MemoryLog, worker: RecordingWorker, tailFrom = log.size) => {
  const tail = new LogTail('shop', log, positionOf(tailFrom));
  tail.start();
  const begin = (): TopicReader => {
    const reader = new TopicReader(worker, log, tail);
    stops.push(
      () => reader.stop(),
      () => tail.stop(),
    );
    return reader;
  };
  return { tail, begin };
};

const follow = (log: MemoryLog, worker: RecordingWorker) => {
  const { tail, begin } = prepare(log, worker);
  return { tail, reader: begin() };
};

const gate = (): { passed: Promise<void>; open: () => void } => {
  let open: () => void = () => undefined;
  const passed = new Promise<void>((resolve) => (open = resolve));
  return { passed, open };
};

const untilApplied = (worker: RecordingWorker, count: number): Promise<unknown> =>
  waitUntil(() => worker.applied.length >= count, { what: `${count} entries` });

const ownReads = (log: MemoryLog): number => log.reads.filter(({ aggregates }) => aggregates).length;

describe('a reader', () => {
  it('reads what it missed itself, then takes what is new from the tail', async () => {
    const [log, worker] = [new MemoryLog(1_000), new RecordingWorker()];
    const { tail } = follow(log, worker);
    await untilApplied(worker, 900);
    const readsBefore = ownReads(log);
    log.size = 1_100;
    tail.wake();
    await untilApplied(worker, 990);
    expect(worker.applied).toEqual(notesUpTo(1_100));
    expect(ownReads(log)).toBe(readsBefore);
  });

  it.each([1, 7])('misses nothing of a log whose pages hold %i large entries each', async (pageMax) => {
    const [log, worker] = [new MemoryLog(50), new RecordingWorker()];
    log.pageMax = pageMax;
    const { tail } = follow(log, worker);
    await untilApplied(worker, 45);
    log.size = 100;
    tail.wake();
    await untilApplied(worker, 90);
    expect(worker.applied).toEqual(notesUpTo(100));
  });

  it('misses nothing that the tail read while it caught up', async () => {
    const [log, worker] = [new MemoryLog(5), new RecordingWorker()];
    const tails: LogTail[] = [];
    // The log grows, and the tail reads on, after the reader's page was read and before the reader has it.
    log.beforeAnswer = async (page) => {
      const [tail] = tails;
      if (!page.aggregates || log.size > 5 || !tail) return;
      log.size = 9;
      tail.wake();
      await waitUntil(() => tail.position === positionOf(9), { what: 'the tail to pass by' });
    };
    const { tail, begin } = prepare(log, worker);
    tails.push(tail);
    begin();
    await untilApplied(worker, 9);
    expect(worker.applied).toEqual(notesUpTo(9));
    expect(tail.position).toBe(positionOf(9));
  });

  it('misses nothing when it falls too far behind the tail to wait in memory', async () => {
    const [log, worker] = [new MemoryLog(0), new RecordingWorker()];
    let open: () => void = () => undefined;
    worker.gate = new Promise((resolve) => (open = resolve));
    const { tail, reader } = follow(log, worker);
    await waitUntil(() => ownReads(log) === 1, { what: 'the reader to follow' });
    log.size = 10_000;
    tail.wake();
    await waitUntil(() => tail.position === positionOf(10_000), { what: 'the tail to reach the end' });
    // What waits is in the log, not here: the log tells how much.
    expect(reader.lag()).toBeUndefined();
    open();
    await untilApplied(worker, 9_000);
    expect(worker.applied).toEqual(notesUpTo(10_000));
  });

  it('misses nothing when the tail skips ahead just after it caught up', async () => {
    const [log, worker] = [new MemoryLog(1_000), new RecordingWorker()];
    const [asked, answer] = [gate(), gate()];
    log.beforeHeads = () => (asked.open(), answer.passed);
    log.beforeAnswer = ({ aggregates }) => (aggregates ? asked.passed : undefined);
    const { tail, begin } = prepare(log, worker, 0);
    begin();
    tail.wake();
    await untilApplied(worker, 900);
    log.size = 1_020;
    answer.open();
    await untilApplied(worker, 918);
    expect(worker.applied).toEqual(notesUpTo(1_020));
  });

  it('begins again behind the position of a worker that was rewound', async () => {
    const [log, worker] = [new MemoryLog(20), new RecordingWorker()];
    const { reader } = follow(log, worker);
    await untilApplied(worker, 18);
    worker.applied = [];
    worker.rewinds += 1;
    reader.wake();
    await untilApplied(worker, 18);
    expect(worker.applied).toEqual(notesUpTo(20));
  });

  it('knows how many events wait, and how old the oldest is', async () => {
    const [log, worker] = [new MemoryLog(20), new RecordingWorker()];
    let open: () => void = () => undefined;
    worker.gate = new Promise((resolve) => (open = resolve));
    const { reader } = follow(log, worker);
    await waitUntil(() => (reader.lag()?.events ?? 0) > 0, { what: 'the batch' });
    expect(reader.lag()).toEqual({ events: 18, oldestRecordedAt: '2026-03-31T10:00:00.000Z' });
    open();
    await waitUntil(() => reader.lag()?.events === 0, { what: 'the batch to end' });
    expect(reader.lag()).toEqual({ events: 0, oldestRecordedAt: null });
  });

  it('does not know what waits while the log cannot be read', async () => {
    const [log, worker] = [new MemoryLog(20), new RecordingWorker()];
    const { tail, reader } = follow(log, worker);
    await waitUntil(() => reader.lag()?.events === 0, { what: 'the reader to follow' });
    log.beforeAnswer = () => Promise.reject(new Error('too many connections'));
    log.size = 30;
    tail.wake();
    await waitUntil(() => reader.lag() === undefined, { what: 'the failure to be noticed' });
    log.beforeAnswer = () => undefined;
    await untilApplied(worker, 27);
    await waitUntil(() => reader.lag()?.events === 0, { what: 'the reader to see again' });
  });
});

describe('a steady stream', () => {
  /** Sizes of the batches that six events make, each read by itself. */
  const batchesOf = async (worker: RecordingWorker): Promise<number[]> => {
    const log = new MemoryLog(0);
    const { tail } = follow(log, worker);
    await waitUntil(() => ownReads(log) === 1, { what: 'the reader to follow' });
    for (const number of [1, 2, 3, 4, 5, 6]) {
      log.size = number;
      tail.wake();
      await waitUntil(() => tail.position === positionOf(number), { what: `event ${number} to be read` });
    }
    await untilApplied(worker, 6);
    return worker.batches;
  };

  it('reaches a consumer with effects event by event', async () => {
    expect(await batchesOf(new RecordingWorker())).toEqual([1, 1, 1, 1, 1, 1]);
  });

  it('reaches a projection in fewer batches, the first event at once', async () => {
    const batches = await batchesOf(new RecordingWorker(['notes']));
    expect(batches[0]).toBe(1);
    expect(batches.length).toBeLessThan(6);
  });
});

describe('a tail', () => {
  it('skips pages that no reader takes, and lets those look again who follow its old place', async () => {
    const log = new MemoryLog(0);
    const tail = new LogTail('shop', log, positionOf(0));
    tail.start();
    stops.push(() => tail.stop());
    const offers: [number, number, number][] = [];
    tail.listen({
      offer: (from, to, entries) => {
        offers.push([numberOf(from), numberOf(to), entries.length]);
        return false;
      },
    });
    log.size = 5_000;
    tail.wake();
    await waitUntil(() => tail.position === positionOf(5_000), { what: 'the tail to reach the end' });
    expect(offers).toEqual([
      [0, 500, 500],
      [5_000, 5_000, 0],
    ]);
  });
});
