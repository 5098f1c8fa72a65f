import { Logger } from '@nestjs/common';
import type { DataSource } from 'typeorm';
import { mirrorParkedEvents } from './dead-letter';
import type { ParkedKeyReplay } from './parked-key-replay';
import { dueKey, errorText, nextDueInMs } from './parked-keys';
import type { PartitionOfGroup } from '../partition/partition-position';
import { SerialQueue } from '../partition/serial-queue';
import { holdMs, nextAttempt } from '../partition/retry-schedule';
import type { WorkerSettings } from '../partition/worker-settings';

// setTimeout fires at once when the delay does not fit 31 bits; a round that comes too early finds nothing due.
const longestTimerMs = 2 ** 31 - 1;

/** Looks after the parked keys of one partition whenever one is due: tries it again, and mirrors what is parked for
 *  good. */
export class ParkedKeyRounds {
  private readonly log = new Logger(ParkedKeyRounds.name);
  private timer: NodeJS.Timeout | undefined;
  private plannedAt = Number.POSITIVE_INFINITY;
  private ended = false;
  private readonly queue = new SerialQueue();

  constructor(
    private readonly of: PartitionOfGroup,
    private readonly database: DataSource,
    private readonly settings: WorkerSettings,
    private readonly replays: ParkedKeyReplay,
    /** Runs a try when no batch runs. */
    private readonly inTurn: (work: () => Promise<void>) => Promise<void>,
    /** Told after each try: it has moved the position row. */
    private readonly tried: () => void,
  ) {}

  /** Plans the next round, unless an earlier one is planned. */
  planIn(ms: number): void {
    const at = performance.now() + ms;
    if (this.ended || at >= this.plannedAt) return;
    clearTimeout(this.timer);
    this.plannedAt = at;
    this.timer = setTimeout(
      () => {
        this.plannedAt = Number.POSITIVE_INFINITY;
        void this.queue.run(() => this.round());
      },
      Math.min(ms, longestTimerMs),
    );
    this.timer.unref();
  }

  /** Begins nothing more, and resolves after what has begun. */
  async stop(): Promise<void> {
    this.ended = true;
    clearTimeout(this.timer);
    await this.queue.idle();
  }

  /** Tries one key and plans the next round: a batch of the others may come in between, also while letters are sent. */
  private async round(): Promise<void> {
    if (this.ended) return;
    try {
      await this.inTurn(() => this.tryDueKey());
      if (this.settings.mirror) await mirrorParkedEvents(this.database, this.of, this.settings.mirror);
      const dueInMs = await nextDueInMs(this.database, this.of);
      if (dueInMs !== undefined) this.planIn(dueInMs);
    } catch (error) {
      this.log.warn(
        `${this.of.group} could not look after parked keys of ${this.of.topic}: ${errorText(error)}`,
      );
      this.planIn(holdMs(this.settings.retries));
    }
  }

  private async tryDueKey(): Promise<void> {
    const { group, topic } = this.of;
    const parked = await dueKey(this.database, this.of);
    if (!parked) return;
    const { key, applied, attempts, error } = await this.replays.replay(parked);
    this.tried();
    if (error === undefined) return this.log.log(`${group} applied ${applied} parked events of ${key}`);
    this.log.warn(`${key} of ${topic} failed again for ${group} (${attempts}): ${error}`);
    if (attempts === parked.attempts) return;
    const { state } = nextAttempt(this.settings.retries, attempts);
    if (state !== parked.state) this.settings.metrics.setAside({ ...this.of, state, events: 0 });
  }
}
