import { Logger } from '@nestjs/common';
import { type LogPosition, comparePositions, logStart } from '@scrip/event-store';
import type { EachBatchPayload } from 'kafkajs';
import type { DataSource } from 'typeorm';
import type { Consumer } from '../consumer/consumer';
import type { Delivery } from '../feed/delivery';
import type { Lag, Workers } from '../feed/event-feed';
import type { PartitionWorker } from '../partition/partition-worker';
import { Pace } from '../partition/pace';
import { pause } from '../partition/pause';
import type { UpcastersOf } from '../feed/newest-version';
import { Continuity } from './continuity';
import { FailuresInARow } from './failures-in-a-row';
import { deliveryOf, rawMessageOf } from './kafka-message';
import type { MemoryBudget } from './memory-budget';
import { type ReadOwnersLog, nextOfOwner, readFromOwner, readInNewestVersion } from './owners-log';
import { PartitionQueue, type QueuedDelivery } from './partition-queue';
import { positionBehind, settleStart, startingOffset } from './starting-now';
import type { TopicOffsets } from './topic-offsets';

/** What all partitions of a process are read with. */
export interface Reading {
  workers: Workers;
  offsets: TopicOffsets;
  budget: MemoryBudget;
  databaseOf: (context: string) => DataSource;
  upcastersOf?: UpcastersOf;
  readOwnersLog?: ReadOwnersLog;
}

/** How a partition's fetching is steered. None of them throws; all do nothing while the group has no connection. */
export interface Fetching {
  seek(offset: bigint): void;
  pause(): void;
  resume(): void;
}

/** A fetched set of one partition. */
export type FetchedBatch = EachBatchPayload['batch'];

/** Events a worker receives at once, at most. */
const batchSize = 500;
/** How many entries before a group's start are looked at for its first position: the last may be undecodable. */
const lookBack = 50n;
const retryMs = 1_000;

/** Feeds the worker of one assigned partition: finds where to begin, takes what is fetched into a queue, and steers
 *  the fetching by how full that is. */
export class PartitionReader {
  private readonly log = new Logger(PartitionReader.name);
  private readonly stopping = new AbortController();
  private readonly queue: PartitionQueue;
  private readonly pace: Pace;
  private worker: PartitionWorker | undefined;
  /** The next offset to take; undefined while the place is looked for, when nothing that is fetched counts. */
  private next: bigint | undefined;
  private readonly continuity = new Continuity();
  /** Where the group began, while entries before it are searched for its first position. */
  private start: { offset: bigint; before: Delivery[] } | undefined;
  /** Set while it is open whether the topic still holds what lies behind the worker's position: what is fetched waits
   *  until it is known. `first` is the position of the first entry that has one. */
  private beginning: { partitions: number; first: LogPosition | undefined } | undefined;
  private rewindsSeen = 0;
  private high = 0n;
  private held = true;
  private failing = false;
  private readonly failures = new FailuresInARow(this.log);
  private signal: (() => void) | undefined;
  private running: Promise<void> | undefined;

  constructor(
    readonly consumer: Consumer,
    readonly partition: number,
    private readonly reading: Reading,
    private readonly fetching: Fetching,
  ) {
    this.queue = new PartitionQueue(reading.budget);
    this.pace = new Pace(consumer);
  }

  /** Begins: the partition must be held back from fetching until `Fetching.resume`. */
  begin(previous: Promise<void>): void {
    this.running = previous.then(() => this.run());
  }

  /** The group has a new connection or assignment: fetching goes on where this reader is. `anew`: offsets may mean
   *  something else now. */
  rejoined(anew: boolean): void {
    if (anew || this.next === undefined) {
      this.hold();
      this.place(undefined);
    } else {
      this.fetching.seek(this.continuity.rejoined(this.next));
    }
    this.signal?.();
  }

  /** Takes what was fetched; answers whether it did. */
  take({ messages, highWatermark }: FetchedBatch): boolean {
    const { next } = this;
    this.high = BigInt(highWatermark);
    if (next === undefined || this.stopping.signal.aborted || this.isShorter(next)) return false;
    if (!this.continuity.isKept(next, messages)) {
      this.searchAnew('no longer holds what comes next');
      return false;
    }
    const fresh: QueuedDelivery[] = [];
    for (const message of messages) {
      const offset = BigInt(message.offset);
      if (offset < next) continue;
      const raw = rawMessageOf(this.consumer.topic, message);
      const place = { partition: this.partition, offset: message.offset };
      const bytes = 500 + (message.value?.length ?? 0);
      fresh.push({ delivery: deliveryOf(raw, place, this.reading.upcastersOf), offset, bytes });
    }
    if (this.beginning)
      this.beginning.first ??=
        fresh.find(({ delivery }) => delivery.position !== null)?.delivery.position ?? undefined;
    const last = messages.at(-1);
    if (last && BigInt(last.offset) >= next) {
      this.next = BigInt(last.offset) + 1n;
      this.continuity.took(last);
    }
    this.enqueue(fresh);
    if (this.queue.isFull) this.hold();
    this.signal?.();
    return true;
  }

  /** The worker's position may have been set back. */
  wake(): void {
    this.signal?.();
  }

  /** Whether it fetches nothing at the moment, so that only the broker can tell what waits. */
  get isHeld(): boolean {
    return this.held;
  }

  /** What the broker says the partition holds. */
  sawRange({ low, high }: { low: bigint; high: bigint }): void {
    this.high = high;
    if (this.next === undefined || this.isShorter(this.next) || low <= this.next) return;
    this.searchAnew('no longer holds what comes next');
  }

  /** What waits, as far as the broker told; undefined where it cannot tell: the place is looked for, something failed,
   *  or there is more and nothing of it arrives. */
  lag(): Lag | undefined {
    if (this.next === undefined || this.start || this.failing) return undefined;
    const dealtWith = this.queue.oldestOffset ?? this.next;
    if (this.high <= dealtWith) return { events: 0, oldestRecordedAt: null };
    if (this.queue.oldestOffset === undefined) return undefined;
    return { events: Number(this.high - dealtWith), oldestRecordedAt: this.queue.oldestRecordedAt };
  }

  /** Takes no more; what the worker has begun goes on. */
  stop(): void {
    this.stopping.abort();
    this.queue.clear();
    this.signal?.();
  }

  /** Stops, lets a running batch end, and gives the worker up. */
  async close(): Promise<void> {
    this.stop();
    if (this.worker) await this.reading.workers.close(this.worker);
    await this.running;
    // It may have been opened meanwhile.
    if (this.worker) await this.reading.workers.close(this.worker);
  }

  /** Whether the topic was made anew: then the reader looks for its place again. */
  private isShorter(next: bigint): boolean {
    if (this.high >= next) return false;
    this.searchAnew('is shorter than it was');
    return true;
  }

  private searchAnew(why: string): void {
    this.log.warn(`${this.consumer.topic} ${why}: looking for the place again`);
    this.rejoined(true);
  }

  private async run(): Promise<void> {
    let explicit = false;
    while (!this.stopping.signal.aborted) {
      try {
        this.worker ??= await this.reading.workers.open(this.consumer, this.partition, async () => logStart);
        const { worker } = this;
        // Before the look at rewinds: what waits was fetched behind the position as it is when it is applied.
        if (!this.queue.isEmpty && this.queue.size < batchSize) await this.pace.turn(this.stopping.signal);
        if (worker.rewinds !== this.rewindsSeen) {
          this.rewindsSeen = worker.rewinds;
          explicit = true;
          this.hold();
          this.place(undefined);
        }
        if (this.next === undefined) {
          await this.findPlace(worker, explicit);
          explicit &&= this.next === undefined;
        } else if (this.start && this.next >= this.start.offset) await this.settle(worker, this.start);
        else if (this.beginning?.first !== undefined) await this.checkBeginning(worker, this.beginning.first);
        else if (!this.start && !this.queue.isEmpty) await this.applyNext(worker);
        else await this.news();
        this.failing = false;
        this.failures.over();
      } catch (error) {
        this.failing = true;
        const { group, topic } = this.consumer;
        this.failures.failed(`${group} cannot read partition ${this.partition} of ${topic}`, error);
        await pause(retryMs, this.stopping.signal);
      }
    }
  }

  private async applyNext(worker: PartitionWorker): Promise<void> {
    await worker.apply(this.queue.take(batchSize));
    this.queue.done();
    if (this.held && this.queue.isLow) this.release();
  }

  /** Looks for the offset behind the worker's position. What only the owner's log still holds is read from there. */
  private async findPlace(worker: PartitionWorker, rewound: boolean): Promise<void> {
    const { readOwnersLog, offsets, databaseOf } = this.reading;
    const { topic, context } = this.consumer;
    const ranges = await offsets.ranges(topic);
    const range = ranges.find(({ partition }) => partition === this.partition);
    if (!range) throw new Error(`${topic} has no such partition`);
    let from = await offsets.startAfter(topic, this.partition, worker.reached);
    const since = rewound ? null : await startingOffset(databaseOf(context), worker.of);
    let beginning: PartitionReader['beginning'];
    if (since !== null && since > range.low && since <= range.high) {
      this.start = { offset: since, before: [] };
      from = since - lookBack > range.low ? since - lookBack : range.low;
    } else if (readOwnersLog && (rewound || (since !== null && since < range.low))) {
      if (!(await this.readOwner(worker, ranges.length, readOwnersLog))) return;
      from = await offsets.startAfter(topic, this.partition, worker.reached);
    } else if (readOwnersLog && since === null && from === range.low) {
      beginning = { partitions: ranges.length, first: undefined };
      // Nothing will be fetched that could tell where the topic begins.
      if (range.low === range.high && !(await this.readOwner(worker, ranges.length, readOwnersLog))) return;
    }
    if (this.stopping.signal.aborted || worker.rewinds !== this.rewindsSeen) return;
    this.high = range.high;
    this.place(from);
    this.beginning = beginning;
    this.fetching.seek(from);
    this.release();
  }

  /** Compares where the topic begins with what the worker needs next: a topic that was made anew, or that retention has
   *  shortened, may begin behind it. Then the owner's log is read first. */
  private async checkBeginning(worker: PartitionWorker, first: LogPosition): Promise<void> {
    const { beginning } = this;
    const { readOwnersLog } = this.reading;
    if (beginning && readOwnersLog && comparePositions(first, worker.position) > 0) {
      const { partitions } = beginning;
      const needed = await nextOfOwner(worker.of, partitions, worker.position, readOwnersLog);
      if (needed !== undefined && comparePositions(first, needed) > 0) {
        const { group, topic } = this.consumer;
        this.log.warn(`${topic} begins behind ${group}, which reads from the owner what is missing`);
        if (!(await this.readOwner(worker, partitions, readOwnersLog))) return;
      }
    }
    if (this.beginning === beginning) this.beginning = undefined;
  }

  /** Returns false when there is something else to do before its end is reached. */
  private readOwner(worker: PartitionWorker, partitions: number, read: ReadOwnersLog): Promise<boolean> {
    const place = this.next;
    const goesOn = (): boolean =>
      !this.stopping.signal.aborted &&
      worker.rewinds === this.rewindsSeen &&
      (this.next === undefined) === (place === undefined);
    return readFromOwner(worker, partitions, readInNewestVersion(read, this.reading.upcastersOf), goesOn);
  }

  /** A group that starts now has seen what was there before: that becomes its position, and it goes on behind. */
  private async settle(
    worker: PartitionWorker,
    { offset, before }: { offset: bigint; before: readonly Delivery[] },
  ): Promise<void> {
    await settleStart(this.reading.databaseOf(this.consumer.context), worker.of, positionBehind(before));
    await worker.refresh();
    this.start = undefined;
    this.place(offset);
    this.fetching.seek(offset);
    this.release();
  }

  private enqueue(fresh: readonly QueuedDelivery[]): void {
    const { start } = this;
    if (!start) return this.queue.push(fresh);
    start.before.push(...fresh.filter(({ offset }) => offset < start.offset).map(({ delivery }) => delivery));
    // What lies behind is fetched again once the position is known.
    if (this.next !== undefined && this.next >= start.offset) this.hold();
  }

  private place(next: bigint | undefined): void {
    this.next = next;
    this.continuity.reset();
    this.queue.clear();
    this.beginning = undefined;
    if (next === undefined) this.start = undefined;
  }

  private hold(): void {
    this.held = true;
    this.fetching.pause();
  }

  private release(): void {
    this.held = false;
    this.fetching.resume();
  }

  private news(): Promise<void> {
    return new Promise((resolve) => {
      if (this.stopping.signal.aborted) return resolve();
      this.signal = () => {
        this.signal = undefined;
        resolve();
      };
    });
  }
}
