import { Logger } from '@nestjs/common';
import { logStart } from '@scrip/event-store';
import { type Refusal, refuse } from '@scrip/kernel';
import { DataSource, type DataSourceOptions } from 'typeorm';
import type { Consumer } from '../consumer/consumer';
import type { Decode } from '../feed/delivery';
import { WatchedConnection, settingsOf } from '../locks/watched-connection';
import { PartitionWorker } from '../partition/partition-worker';
import type { ReadLogOfTopic } from '../partition/waiting-events';
import type { WorkerSettings } from '../partition/worker-settings';
import { confined } from './confined';
import { FanOut } from './fan-out';
import { ShadowTables } from './shadow-tables';
import { adoptPlaces, copyPlaces, excludeConsumers, parkedMore, partitionsOf } from './places';

/** What a rebuild needs. `consumers` are those of one group; `tables` are what they fill. */
export interface RebuildOptions {
  group: string;
  consumers: readonly Consumer[];
  tables: readonly string[];
  /** The context's DataSource. */
  database: DataSource;
  read: ReadLogOfTopic;
  decode: Decode;
  settings: WorkerSettings;
}

/** What was rebuilt, and from how many events. */
export interface Rebuilt {
  group: string;
  topics: string[];
  events: number;
}

/** How long consumers of the context may be kept out while the last events are read, and the tries for that. */
const lastPartMs = 10_000;
const swapTries = 20;
/** The server ends a swap that takes longer, and the old tables stay. */
const swapMs = 60_000;
const lockTimeoutMs = 5_000;

const lockSql = `SELECT pg_try_advisory_lock(hashtextextended('scrip.rebuild ' || $1, 0)) AS locked`;

/** `lock_not_available` and `deadlock_detected`. */
const busyStates: readonly unknown[] = ['55P03', '40P01'];
const isBusy = (error: unknown): boolean => busyStates.includes((error as { code?: unknown }).code);

/** Connections of their own, on which a table's name means its copy. No entities: they would name the schema. */
const openBeside = (database: DataSource, { searchPath }: ShadowTables): Promise<DataSource> => {
  const { extra, ...options } = database.options as DataSourceOptions & { extra?: { options?: string } };
  return new DataSource({
    ...options,
    entities: [],
    migrations: [],
    extra: { ...extra, options: `${extra?.options ?? ''} -c search_path=${searchPath}` },
  } as DataSourceOptions).initialize();
};

/** Builds the tables of a group anew beside those in use, from the logs of its topics' owners, and puts them in their
 *  place together with the group's positions, in one transaction. Until then the old ones are read and filled as
 *  before; a run that ends early leaves them in use. Source: architecture §5. */
export class Rebuild {
  private readonly log = new Logger(Rebuild.name);
  private readonly fanOuts: ReadonlyMap<string, FanOut>;
  private events = 0;
  private strayed: Error | undefined;

  constructor(private readonly options: RebuildOptions) {
    const { consumers, read } = options;
    this.fanOuts = new Map(consumers.map(({ topic }) => [topic, new FanOut(topic, read)]));
  }

  /** Refuses `consumer_group_rebuilding` while another run is under way, and `consumer_group_rebuild_fails` where more
   *  keys would be parked than are now. Throws `CannotSwap`, and faults of the database and of owners. */
  async run(): Promise<Rebuilt | Refusal> {
    const { database, group, consumers, tables } = this.options;
    const lock = new WatchedConnection(settingsOf(database));
    await lock.open();
    try {
      const [tried] = await lock.query<{ locked: boolean }>(lockSql, [group]);
      if (!tried?.locked) return refuse('consumer_group_rebuilding', group);
      const shadows = await ShadowTables.create(database, group, tables);
      try {
        const refused = await this.build(shadows, lock.lost);
        if (refused) return refused;
      } finally {
        if (!lock.lost.aborted) await shadows.drop(database.manager);
      }
    } finally {
      await lock.close();
    }
    return { group, topics: consumers.map(({ topic }) => topic), events: this.events };
  }

  private async build(shadows: ShadowTables, lost: AbortSignal): Promise<Refusal | undefined> {
    const { database, group } = this.options;
    await copyPlaces(database.manager, shadows, group);
    const beside = await openBeside(database, shadows);
    try {
      const untilTheEnd = (): boolean => this.mayGoOn(lost);
      await this.feed(shadows, beside, untilTheEnd);
      await shadows.analyze(database);
      for (let tries = 1; ; tries += 1) {
        await this.feed(shadows, beside, untilTheEnd);
        const end = await this.trySwap(shadows, beside, lost);
        if (end !== 'again') return end === 'swapped' ? undefined : end;
        if (tries === swapTries)
          throw new Error(`${group} is not rebuilt: no quiet moment in ${tries} tries`);
      }
    } finally {
      await beside.destroy();
    }
  }

  /** Keeps the context's consumers out, feeds what arrived since, and swaps. `again`: others kept the tables, or
   *  more had arrived than may be waited for. */
  private async trySwap(
    shadows: ShadowTables,
    beside: DataSource,
    lost: AbortSignal,
  ): Promise<'swapped' | 'again' | Refusal> {
    const { database, group } = this.options;
    const runner = database.createQueryRunner();
    await runner.startTransaction();
    try {
      await excludeConsumers(runner.manager, { lockTimeoutMs, transactionMs: swapMs });
      const until = performance.now() + lastPartMs;
      const isAtEnd = await this.feed(shadows, beside, () => this.mayGoOn(lost) && performance.now() < until);
      if (!isAtEnd) return 'again';
      const fails = await parkedMore(runner.manager, shadows, group);
      if (fails) return refuse('consumer_group_rebuild_fails', fails);
      await shadows.swap(runner.manager);
      await adoptPlaces(runner.manager, shadows, group);
      await shadows.drop(runner.manager);
      this.mayGoOn(lost);
      await runner.commitTransaction();
      return 'swapped';
    } catch (error) {
      if (!isBusy(error)) throw error;
      this.log.log(`${group} is in use: the swap is tried again`);
      return 'again';
    } finally {
      if (runner.isTransactionActive) await runner.rollbackTransaction().catch(() => undefined); // the first error tells more
      await runner.release();
    }
  }

  /** Feeds every topic up to its end; returns whether it was reached. */
  private async feed(shadows: ShadowTables, beside: DataSource, goesOn: () => boolean): Promise<boolean> {
    const { consumers } = this.options;
    for (const consumer of consumers) {
      const workers = await this.workersOf(consumer, shadows, beside);
      try {
        if (workers.length === 0) continue;
        const fed = await this.fanOuts.get(consumer.topic)?.feed(workers, goesOn);
        this.events += fed?.entries ?? 0;
        if (!fed?.isAtEnd) return false;
      } finally {
        await Promise.all(workers.map((worker) => worker.stop()));
      }
    }
    return true;
  }

  private async workersOf(
    consumer: Consumer,
    shadows: ShadowTables,
    beside: DataSource,
  ): Promise<PartitionWorker[]> {
    const { decode, settings } = this.options;
    const within = confined(consumer, shadows.schema, (error) => void (this.strayed ??= error));
    const workers = (await partitionsOf(beside, consumer)).map(
      (partition) => new PartitionWorker(within, partition, beside, settings, decode),
    );
    for (const worker of workers) await worker.open(async () => logStart);
    return workers;
  }

  private mayGoOn(lost: AbortSignal): boolean {
    if (this.strayed) throw this.strayed;
    if (lost.aborted)
      throw new Error(`${this.options.group} is not rebuilt: the connection of its lock is gone`);
    return true;
  }
}
