import { Logger } from '@nestjs/common';
import { type LogPosition, type StoredEvent, comparePositions, logStart } from '@scrip/event-store';
import type { DataSource, EntityManager } from 'typeorm';
import { ConsumedBatch } from './consumed-batch';
import type { Consumer } from './consumer';
import { type Mirror, mirrorParkedEvents } from './dead-letter';
import { type Decode, type Delivery, isUndecodable, keyOf } from './delivery';
import { StaleBatch } from './event-batch';
import type { MessagingMetrics } from './messaging-metrics';
import { ParkedKeyReplay, type ReplayedKey } from './parked-key-replay';
import { addParkedEvents, dueKey, errorText, nextDueInMs, parkKey, parkedKeys } from './parked-keys';
import {
  type PartitionOfGroup,
  type PositionRow,
  createPosition,
  movePosition,
  readPosition,
} from './partition-position';
import { pause } from './pause';
import { type NextAttempt, type RetrySchedule, attemptOfUndecodable, nextAttempt } from './retry-schedule';
import { isTransient } from './transient-error';
import { TurnTaking } from './turn-taking';

export interface WorkerSettings {
  retries: RetrySchedule;
  metrics: MessagingMetrics;
  mirror?: Mirror;
}

/** How long a position that moved without an effect may stay in memory: after a crash those entries come again, and
 *  have no effect again. */
const passedFlushMs = 500;

// setTimeout fires at once when the delay does not fit 31 bits; a round that comes too early finds nothing due.
const longestTimerMs = 2 ** 31 - 1;

const runsOfOneKey = (deliveries: readonly Delivery[]): Delivery[][] => {
  const runs: Delivery[][] = [];
  let key: string | undefined;
  for (const delivery of deliveries) {
    if (keyOf(delivery) === key) runs.at(-1)?.push(delivery);
    else runs.push([delivery]);
    key = keyOf(delivery);
  }
  return runs;
};

const lastPosition = (deliveries: readonly Delivery[], otherwise: LogPosition): LogPosition =>
  deliveries.findLast(({ position }) => position !== null)?.position ?? otherwise;

/** Applies the entries of one partition for one consumer, one batch after another: each exactly once, in order within
 *  a key. What fails is set aside with its successors and tried again while other keys go on. Adapters only fetch.
 *  Source: architecture §5, §6, spec 06 §9.4. */
export class PartitionWorker {
  readonly of: PartitionOfGroup;
  private readonly log = new Logger(PartitionWorker.name);
  private readonly turns = new TurnTaking();
  private readonly stopping = new AbortController();
  private readonly replays: ParkedKeyReplay;
  private row: PositionRow = { position: logStart, parkings: 0, parkedKeys: new Set() };
  /** The row may have been moved by a transaction whose end is unknown, or by somebody else. */
  private unsure = true;
  /** At or behind `row.position`: what came after it had no effect, so nothing had to be written yet. */
  private passed: LogPosition = logStart;
  private flushing: NodeJS.Timeout | undefined;
  private timesRewound = 0;
  private tending: NodeJS.Timeout | undefined;
  private tendingAt = Number.POSITIVE_INFINITY;

  constructor(
    readonly consumer: Consumer,
    readonly partition: number,
    private readonly database: DataSource,
    private readonly settings: WorkerSettings,
    decode: Decode,
  ) {
    this.of = { group: consumer.group, topic: consumer.topic, partition };
    this.replays = new ParkedKeyReplay(consumer, this.of, database, decode, settings.retries);
  }

  /** Everything at or below is dealt with, as far as this process knows. */
  get position(): LogPosition {
    return this.passed;
  }

  /** Rises when the group was rewound: whoever fetches must begin again behind `position`. */
  get rewinds(): number {
    return this.timesRewound;
  }

  /** Reads the position, or makes it where the group is new, and begins to look after parked keys. `newest` is asked
   *  only for a new group that starts now. */
  async open(newest: () => Promise<LogPosition>): Promise<LogPosition> {
    await createPosition(this.database, this.of, async () =>
      this.consumer.from === 'now' ? newest() : logStart,
    );
    await this.turns.run(() => this.reread());
    this.tendIn(0);
    return this.position;
  }

  /** Resolves when all entries are applied or set aside, or when the worker was stopped or rewound before. Waits and
   *  tries again, as long as it takes, while the database is away. Entries applied before are dropped. */
  apply(deliveries: readonly Delivery[]): Promise<void> {
    return this.turns.run(() => this.applyAll(deliveries));
  }

  /** Reads the position again, which somebody may have moved or rewound. */
  refresh(): Promise<void> {
    return this.turns.run(() => this.reread());
  }

  /** Tries parked keys again now: the given one, or all. */
  replay(key?: string): Promise<ReplayedKey[]> {
    return this.turns.run(async () => {
      const replayed: ReplayedKey[] = [];
      for (const parked of await parkedKeys(this.database, this.of, key)) {
        replayed.push(await this.replays.replay(parked));
      }
      this.unsure = true;
      return replayed;
    });
  }

  /** Ends waiting, lets a running batch end, and resolves after it. */
  async stop(): Promise<void> {
    this.stopping.abort();
    clearTimeout(this.tending);
    clearTimeout(this.flushing);
    await this.turns.idle();
    await this.flush();
  }

  private async applyAll(deliveries: readonly Delivery[]): Promise<void> {
    const { triesMs } = this.settings.retries;
    const rewindsBefore = this.timesRewound;
    let waiting = deliveries;
    for (let failures = 0; !this.stopping.signal.aborted;) {
      try {
        if (this.unsure) await this.reread();
        if (this.timesRewound !== rewindsBefore) return;
        waiting = this.unapplied(waiting);
        if (waiting.length === 0) return;
        waiting = await this.applyLeading(waiting);
        failures = 0;
      } catch (error) {
        this.unsure = true;
        if (error instanceof StaleBatch) continue;
        this.log.warn(`${this.of.group} failed on ${this.of.topic}: ${errorText(error)}`);
        const tryMs = triesMs[failures];
        if (isTransient(error) && tryMs !== undefined) {
          failures += 1;
          await pause(tryMs, this.stopping.signal);
        } else if (!(await this.applyKeyByKey(waiting))) {
          await pause(triesMs.at(-1) ?? 0, this.stopping.signal);
        }
      }
    }
  }

  /** Applies entries up to the first undecodable one, or parks that one; answers what is left. */
  private async applyLeading(waiting: readonly Delivery[]): Promise<readonly Delivery[]> {
    const isNewTrouble = (entry: Delivery): boolean => isUndecodable(entry) && !this.isParked(entry);
    const [first] = waiting;
    if (first && isUndecodable(first) && isNewTrouble(first)) {
      await this.setAside([first], first.error, attemptOfUndecodable(this.settings.retries));
      return waiting.slice(1);
    }
    const end = waiting.findIndex(isNewTrouble);
    const leading = end < 0 ? waiting : waiting.slice(0, end);
    await this.applyOnce(leading);
    return waiting.slice(leading.length);
  }

  private async applyOnce(entries: readonly Delivery[]): Promise<void> {
    const startedAt = performance.now();
    const successors = entries.filter((entry) => this.isParked(entry));
    const live = entries.filter(
      (entry): entry is StoredEvent => !isUndecodable(entry) && !this.isParked(entry),
    );
    const to = lastPosition(entries, this.passed);
    const transact = (work: (manager: EntityManager) => Promise<void>): Promise<void> =>
      this.transact(to, { parked: false }, async (manager) => {
        await addParkedEvents(manager, this.of, successors);
        await work(manager);
      });
    const [oldest] = live;
    if (oldest) {
      const pass = successors.length > 0 ? null : async () => this.passTo(to);
      await new ConsumedBatch(this.consumer, live, false, transact, pass).through((batch) =>
        this.consumer.handle(batch),
      );
      const durationMs = performance.now() - startedAt;
      const delayMs = Math.max(0, Date.now() - Date.parse(oldest.recordedAt));
      this.settings.metrics.applied({ ...this.of, events: live.length, durationMs, delayMs });
    } else {
      await transact(async () => undefined);
    }
    if (successors.length > 0 && this.settings.mirror) this.tendIn(0);
  }

  /** Runs entries again, key by key in log order, and sets aside the keys that fail. Answers false, and goes no
   *  further, when the world fails for one key after another: that is not the keys' fault. */
  private async applyKeyByKey(waiting: readonly Delivery[]): Promise<boolean> {
    let worldFailures = 0;
    try {
      for (const run of runsOfOneKey(waiting)) {
        if (this.stopping.signal.aborted) return true;
        if (this.unsure) await this.reread();
        const entries = this.unapplied(run);
        if (entries.length === 0) continue;
        if (entries.some((entry) => isUndecodable(entry) && !this.isParked(entry))) return true;
        try {
          await this.applyOnce(entries);
          worldFailures = 0;
        } catch (error) {
          await this.reread();
          if (error instanceof StaleBatch) return true;
          if (this.unapplied(entries).length === 0) continue;
          if (isTransient(error) && (worldFailures += 1) > 1) return false;
          await this.setAside(entries, errorText(error), nextAttempt(this.settings.retries, 1));
        }
      }
      return true;
    } catch (error) {
      this.unsure = true;
      if (error instanceof StaleBatch) return true;
      this.log.warn(`${this.of.group} cannot set keys of ${this.of.topic} aside: ${errorText(error)}`);
      return false;
    }
  }

  private async setAside(entries: readonly Delivery[], error: string, next: NextAttempt): Promise<void> {
    const [first] = entries;
    if (!first) return;
    const key = keyOf(first);
    await this.transact(lastPosition(entries, this.passed), { parked: true }, async (manager) => {
      await parkKey(manager, this.of, { key, error, attempts: 1, next });
      await addParkedEvents(manager, this.of, entries);
    });
    this.row = {
      ...this.row,
      parkings: this.row.parkings + 1,
      parkedKeys: new Set(this.row.parkedKeys).add(key),
    };
    this.log.error(`${this.of.group} set ${key} of ${this.of.topic} aside: ${error}`);
    this.settings.metrics.setAside({ ...this.of, state: next.state, events: entries.length });
    this.tendIn(next.state === 'PARKED' ? 0 : next.delayMs);
  }

  private async transact(
    to: LogPosition,
    change: { parked: boolean },
    work: (manager: EntityManager) => Promise<void>,
  ): Promise<void> {
    const read = this.row;
    await this.database.transaction(async (manager) => {
      await movePosition(manager, this.of, read, to, change);
      await work(manager);
    });
    this.row = { ...read, position: to };
    this.passed = to;
  }

  /** Goes on without writing; the row follows with the next effect, soon, or at the end. */
  private passTo(position: LogPosition): void {
    this.passed = position;
    this.flushing ??= setTimeout(() => {
      this.flushing = undefined;
      void this.turns.run(() => this.flush());
    }, passedFlushMs).unref();
  }

  private async flush(): Promise<void> {
    if (this.passed === this.row.position) return;
    try {
      await movePosition(this.database.manager, this.of, this.row, this.passed, { parked: false });
      this.row = { ...this.row, position: this.passed };
    } catch (error) {
      this.unsure = true;
      if (error instanceof StaleBatch) return;
      this.log.warn(`${this.of.group} could not note its place in ${this.of.topic}: ${errorText(error)}`);
    }
  }

  private async reread(): Promise<void> {
    const before = this.row;
    this.row = await readPosition(this.database, this.of);
    this.unsure = false;
    if (this.row.position !== before.position) this.passed = this.row.position;
    if (comparePositions(this.row.position, before.position) < 0) this.timesRewound += 1;
  }

  /** Drops what is at or below the position, and what comes again out of order: a relay may publish twice. */
  private unapplied(entries: readonly Delivery[]): Delivery[] {
    let reached = this.passed;
    return entries.filter((entry) => {
      if (entry.position === null) return !this.isParked(entry);
      if (comparePositions(entry.position, reached) <= 0) return false;
      reached = entry.position;
      return true;
    });
  }

  private isParked(entry: Delivery): boolean {
    return this.row.parkedKeys.has(keyOf(entry));
  }

  /** Plans the next round, unless an earlier one is planned. */
  private tendIn(ms: number): void {
    const at = Date.now() + ms;
    if (this.stopping.signal.aborted || at >= this.tendingAt) return;
    clearTimeout(this.tending);
    this.tendingAt = at;
    this.tending = setTimeout(
      () => {
        this.tendingAt = Number.POSITIVE_INFINITY;
        void this.turns.run(() => this.tend());
      },
      Math.min(ms, longestTimerMs),
    );
    this.tending.unref();
  }

  /** Tries one parked key whose time has come, mirrors what is parked for good, and plans the next round: a batch of
   *  the others may come in between. */
  private async tend(): Promise<void> {
    if (this.stopping.signal.aborted) return;
    try {
      const parked = await dueKey(this.database, this.of);
      if (parked) {
        const { key, applied, error } = await this.replays.replay(parked);
        this.unsure = true;
        if (error !== undefined) this.noteFailedAgain(parked.attempts + 1, parked.state, error, key);
        else this.log.log(`${this.of.group} applied ${applied} parked events of ${key}`);
      }
      if (this.settings.mirror) await mirrorParkedEvents(this.database, this.of, this.settings.mirror);
      const dueInMs = await nextDueInMs(this.database, this.of);
      if (dueInMs !== undefined) this.tendIn(dueInMs);
    } catch (error) {
      this.log.warn(
        `${this.of.group} could not look after parked keys of ${this.of.topic}: ${errorText(error)}`,
      );
      this.tendIn(this.settings.retries.triesMs.at(-1) ?? 1_000);
    }
  }

  private noteFailedAgain(failures: number, before: NextAttempt['state'], error: string, key: string): void {
    const { state } = nextAttempt(this.settings.retries, failures);
    this.log.warn(`${key} of ${this.of.topic} failed again for ${this.of.group} (${failures}): ${error}`);
    if (state !== before) this.settings.metrics.setAside({ ...this.of, state, events: 0 });
  }
}
