import { Logger } from '@nestjs/common';
import { type LogPosition, comparePositions } from '@scrip/event-store';
import { type Delivery, isUndecodable } from '../feed/delivery';
import type { Lag } from '../feed/event-feed';
import { errorText } from '../parking/parked-keys';
import type { PartitionWorker } from '../partition/partition-worker';
import { Pace } from '../partition/pace';
import { pause } from '../partition/pause';
import { parseTopic } from '../feed/topic-name';
import type { LogSource } from './log-source';
import type { LogTail, TailListener } from './log-tail';

/** Events a worker receives at once, at most. */
const batchSize = 500;
/** Events that wait in memory; a reader further behind reads the log itself. */
const bufferMax = 2_000;
const retryMs = 1_000;

/** What a reader needs of the worker it feeds. */
export type FedWorker = Pick<PartitionWorker, 'of' | 'consumer' | 'position' | 'rewinds' | 'apply'>;

/** Feeds one worker: from the shared tail when it has caught up, else from the log by its own reads. */
export class TopicReader implements TailListener {
  private readonly log = new Logger(TopicReader.name);
  private readonly service: string;
  private readonly aggregate: string;
  private readonly stopping = new AbortController();
  private waiting: Delivery[] = [];
  private applying: readonly Delivery[] = [];
  private loadedTo: LogPosition;
  private following = false;
  private rewindsSeen: number;
  private signal: (() => void) | undefined;
  private readonly leaveTail: () => void;
  private readonly pace: Pace;

  constructor(
    private readonly worker: FedWorker,
    private readonly logs: LogSource,
    private readonly tail: LogTail,
  ) {
    const { service, aggregate } = parseTopic(worker.of.topic);
    this.service = service;
    this.aggregate = aggregate;
    this.loadedTo = worker.position;
    this.rewindsSeen = worker.rewinds;
    this.pace = new Pace(worker.consumer);
    this.leaveTail = tail.listen(this);
    void this.run();
  }

  offer(from: LogPosition, to: LogPosition, entries: readonly Delivery[]): boolean {
    if (!this.following) return false;
    if (comparePositions(this.loadedTo, from) < 0 || this.waiting.length >= bufferMax) {
      this.following = false;
    } else {
      this.take(entries);
      if (comparePositions(to, this.loadedTo) > 0) this.loadedTo = to;
    }
    this.signal?.();
    return this.following;
  }

  /** Stops fetching; what the worker has begun goes on. */
  stop(): void {
    this.stopping.abort();
    this.leaveTail();
    this.signal?.();
  }

  /** The worker's position may have been set back. */
  wake(): void {
    this.signal?.();
  }

  /** Undefined while it catches up, or while the log cannot be read. */
  lag(): Lag | undefined {
    if (!this.following || this.tail.isBlind) return undefined;
    const oldest = [this.applying, this.waiting].flat().find((entry) => !isUndecodable(entry));
    return {
      events: this.applying.length + this.waiting.length,
      oldestRecordedAt: oldest && !isUndecodable(oldest) ? oldest.recordedAt : null,
    };
  }

  private async run(): Promise<void> {
    while (!this.stopping.signal.aborted) {
      try {
        // Before the look at rewinds: what waits was read behind the position as it is when it is applied.
        if (this.following && this.waiting.length > 0) await this.rest();
        if (this.worker.rewinds !== this.rewindsSeen) this.beginAgain();
        if (this.waiting.length > 0) await this.applyNext();
        else if (!this.following) await this.catchUp();
        else await this.news();
      } catch (error) {
        this.log.warn(`${this.worker.of.group} cannot read ${this.worker.of.topic}: ${errorText(error)}`);
        await pause(retryMs, this.stopping.signal);
      }
    }
  }

  private async rest(): Promise<void> {
    if (this.waiting.length < batchSize) await this.pace.turn(this.stopping.signal);
  }

  private async applyNext(): Promise<void> {
    this.applying = this.waiting.splice(0, batchSize);
    await this.worker.apply(this.applying);
    this.applying = [];
  }

  private async catchUp(): Promise<void> {
    const offered = this.tail.position;
    const page = { after: this.loadedTo, limit: batchSize, aggregates: [this.aggregate] };
    const { entries, more } = await this.logs.read(this.service, page);
    this.waiting.push(...entries);
    this.loadedTo = entries.at(-1)?.position ?? this.loadedTo;
    if (more) return;
    // What the tail had offered before the read was readable then, so the read has seen all of it.
    if (comparePositions(offered, this.loadedTo) > 0) this.loadedTo = offered;
    this.following = comparePositions(this.loadedTo, this.tail.position) >= 0;
  }

  private take(entries: readonly Delivery[]): void {
    for (const entry of entries) {
      if (entry.aggregate !== this.aggregate || entry.position === null) continue;
      if (comparePositions(entry.position, this.loadedTo) > 0) {
        this.waiting.push(entry);
      }
    }
  }

  private beginAgain(): void {
    this.rewindsSeen = this.worker.rewinds;
    this.waiting = [];
    this.loadedTo = this.worker.position;
    this.following = false;
  }

  private news(): Promise<void> {
    return new Promise((resolve) => {
      this.signal = () => {
        this.signal = undefined;
        resolve();
      };
    });
  }
}
