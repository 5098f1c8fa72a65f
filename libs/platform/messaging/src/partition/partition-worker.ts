import { Logger } from '@nestjs/common';
import { type LogPosition, type StoredEvent, comparePositions, logStart } from '@scrip/event-store';
import type { DataSource, EntityManager } from 'typeorm';
import { ConsumedBatch } from '../consumer/consumed-batch';
import type { Consumer } from '../consumer/consumer';
import { type Decode, type Delivery, isUndecodable, keyOf } from '../feed/delivery';
import { StaleBatch } from '../feed/event-batch';
import { ParkedKeyReplay, type ReplayedKey } from '../parking/parked-key-replay';
import { ParkedKeyRounds } from '../parking/parked-key-rounds';
import { addParkedEvents, errorText, parkKey, parkedKeys } from '../parking/parked-keys';
import { PartitionOffset } from './partition-offset';
import { type PartitionOfGroup, type Offset, createPosition } from './partition-position';
import { pause } from './pause';
import { type NextAttempt, attemptOfUndecodable, holdMs, nextAttempt } from './retry-schedule';
import { isTransient, tookTooLong } from './transient-error';
import { SerialQueue } from './serial-queue';
import type { WorkerSettings } from './worker-settings';

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

const halvesOf = (entries: readonly Delivery[]): Delivery[][] => {
  const middle = Math.ceil(entries.length / 2);
  return [entries.slice(0, middle), entries.slice(middle)];
};

/** Applies the entries of one partition for one consumer, one batch after another: each exactly once, in order within
 *  a key. A key whose event fails by itself is set aside with its successors and tried again while other keys go on. A
 *  fault of something that the handler needs holds the partition until it is over. Adapters only fetch.
 *  Source: architecture §5, §6, reference 06 §9.4. */
export class PartitionWorker {
  readonly of: PartitionOfGroup;
  private readonly log = new Logger(PartitionWorker.name);
  private readonly turns = new SerialQueue();
  private readonly stopping = new AbortController();
  private readonly place: PartitionOffset;
  private readonly replays: ParkedKeyReplay;
  private readonly rounds: ParkedKeyRounds;

  constructor(
    readonly consumer: Consumer,
    readonly partition: number,
    private readonly database: DataSource,
    private readonly settings: WorkerSettings,
    decode: Decode,
  ) {
    this.of = { group: consumer.group, topic: consumer.topic, partition };
    this.place = new PartitionOffset(this.of, database);
    this.replays = new ParkedKeyReplay(consumer, this.of, database, decode, settings);
    this.rounds = new ParkedKeyRounds(
      this.of,
      database,
      settings,
      this.replays,
      (work) => this.turns.run(work),
      () => this.place.doubt(),
    );
  }

  /** Everything at or below is dealt with, as far as this process knows. */
  get position(): LogPosition {
    return this.place.reached.position;
  }

  /** The same, with the time at which the last event dealt with was appended. */
  get reached(): Offset {
    return this.place.reached;
  }

  /** Rises when the group was rewound: a fetch must begin again behind `position`. */
  get rewinds(): number {
    return this.place.rewinds;
  }

  /** Reads the position, or makes it where the group is new, and begins to look after parked keys. `newest` is asked
   *  only for a new group that starts now. */
  async open(newest: () => Promise<LogPosition>): Promise<LogPosition> {
    await createPosition(this.database, this.of, async () =>
      this.consumer.from === 'now' ? newest() : logStart,
    );
    await this.turns.run(() => this.place.reread());
    this.rounds.planIn(0);
    return this.position;
  }

  /** Resolves when all entries are applied or set aside, or when the worker was stopped or rewound before. Waits and
   *  tries again, as long as it takes, while the database is away. Entries applied before are dropped. */
  apply(deliveries: readonly Delivery[]): Promise<void> {
    // Read before waiting: the deliveries were fetched behind the position of this moment.
    const { rewinds } = this;
    return this.turns.run(() => this.applyAll(deliveries, rewinds));
  }

  /** Whether a stored row says something that this worker does not know: its position was set back, or what is parked
   *  was changed. */
  isOvertakenBy(row: { position: LogPosition; parkings: number }): boolean {
    return comparePositions(row.position, this.position) < 0 || row.parkings !== this.place.parkings;
  }

  /** Reads the position again, which another process may have moved or rewound, and looks after what is parked now. */
  async refresh(): Promise<void> {
    await this.turns.run(() => this.place.reread());
    this.rounds.planIn(0);
  }

  /** Tries parked keys again now: the given one, or all. */
  replay(key?: string): Promise<ReplayedKey[]> {
    return this.turns.run(async () => {
      const replayed: ReplayedKey[] = [];
      for (const parked of await parkedKeys(this.database, this.of, key)) {
        replayed.push(await this.replays.replay(parked));
      }
      this.place.doubt();
      return replayed;
    });
  }

  /** Ends waiting, lets a running batch end, and resolves after it. */
  async stop(): Promise<void> {
    this.stopping.abort();
    this.place.stop();
    await Promise.all([this.rounds.stop(), this.turns.idle()]);
    await this.turns.idle();
    await this.place.flush();
  }

  private async applyAll(deliveries: readonly Delivery[], rewindsBefore: number): Promise<void> {
    const { triesMs } = this.settings.retries;
    let waiting = deliveries;
    for (let failures = 0; !this.stopping.signal.aborted;) {
      try {
        await this.place.settle();
        if (this.rewinds !== rewindsBefore) return;
        waiting = this.place.unapplied(waiting);
        if (waiting.length === 0) return;
        waiting = await this.applyLeading(waiting);
        failures = 0;
      } catch (error) {
        this.place.doubt();
        if (error instanceof StaleBatch) continue;
        this.log.warn(`${this.of.group} failed on ${this.of.topic}: ${errorText(error)}`);
        const tryMs = triesMs[failures];
        if (isTransient(error) && tryMs !== undefined) {
          failures += 1;
          await pause(tryMs, this.stopping.signal);
        } else if (!(await this.applyKeyByKey(waiting, rewindsBefore))) {
          await pause(holdMs(this.settings.retries), this.stopping.signal);
        }
      }
    }
  }

  /** Applies entries up to the first undecodable one, or parks that one; answers what is left. */
  private async applyLeading(waiting: readonly Delivery[]): Promise<readonly Delivery[]> {
    const isNewTrouble = (entry: Delivery): boolean => isUndecodable(entry) && !this.place.isParked(entry);
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
    const successors = entries.filter((entry) => this.place.isParked(entry));
    const live = entries.filter(
      (entry): entry is StoredEvent => !isUndecodable(entry) && !this.place.isParked(entry),
    );
    const to = this.place.behind(entries);
    const transact = (work: (manager: EntityManager) => Promise<void>): Promise<void> =>
      this.place.transact(to, { parked: false }, async (manager) => {
        await addParkedEvents(manager, this.of, successors);
        await work(manager);
      });
    const flushSoon = (): void => void this.turns.run(() => this.place.flush());
    const [oldest] = live;
    if (oldest) {
      const pass = successors.length > 0 ? null : async () => this.place.passTo(to, flushSoon);
      await new ConsumedBatch(this.consumer, live, false, transact, pass).through((batch) =>
        this.consumer.handle(batch),
      );
      const durationMs = performance.now() - startedAt;
      const delayMs = Math.max(0, Date.now() - Date.parse(oldest.recordedAt));
      this.settings.metrics.applied({ ...this.of, events: live.length, durationMs, delayMs });
    } else {
      await transact(async () => undefined);
    }
    if (successors.length > 0 && this.settings.mirror) this.rounds.planIn(0);
  }

  /** Runs entries again, key by key in log order, and parks the keys whose events fail by themselves. A run that takes
   *  too long is halved: it would take too long each time. Returns false where the partition must be held: at the first
   *  fault, a fault of parking included (that key and all behind it stay as they are), and where the first entry is
   *  undecodable and could not be parked before. */
  private async applyKeyByKey(waiting: readonly Delivery[], rewindsBefore: number): Promise<boolean> {
    let cameFurther = false;
    try {
      const runs = runsOfOneKey(waiting);
      for (let run = runs.shift(); run; run = runs.shift()) {
        if (this.stopping.signal.aborted) return true;
        await this.place.settle();
        if (this.rewinds !== rewindsBefore) return true;
        const entries = this.place.unapplied(run);
        if (entries.some((entry) => isUndecodable(entry) && !this.place.isParked(entry))) return cameFurther;
        cameFurther = true;
        if (entries.length === 0) continue;
        try {
          await this.applyOnce(entries);
        } catch (error) {
          await this.place.reread();
          if (error instanceof StaleBatch || this.rewinds !== rewindsBefore) return true;
          if (this.place.unapplied(entries).length === 0) continue;
          if (entries.length > 1 && tookTooLong(error)) runs.unshift(...halvesOf(entries));
          else if (isTransient(error)) return false;
          else await this.setAside(entries, errorText(error), nextAttempt(this.settings.retries, 1));
        }
      }
      return true;
    } catch (error) {
      this.place.doubt();
      if (error instanceof StaleBatch) return true;
      this.log.warn(`${this.of.group} cannot set keys of ${this.of.topic} aside: ${errorText(error)}`);
      return false;
    }
  }

  private async setAside(entries: readonly Delivery[], error: string, next: NextAttempt): Promise<void> {
    const [first] = entries;
    if (!first) return;
    const key = keyOf(first);
    await this.place.transact(this.place.behind(entries), { parked: true }, async (manager) => {
      await parkKey(manager, this.of, { key, error, attempts: 1, next });
      await addParkedEvents(manager, this.of, entries);
    });
    this.place.addParked(key);
    this.log.error(`${this.of.group} set ${key} of ${this.of.topic} aside: ${error}`);
    this.settings.metrics.setAside({ ...this.of, state: next.state, events: entries.length });
    this.rounds.planIn(next.state === 'PARKED' ? 0 : next.delayMs);
  }
}
