import { Logger } from '@nestjs/common';
import type { LogPosition } from '@scrip/event-store';
import { type Refusal, refuse } from '@scrip/kernel';
import type { DataSource } from 'typeorm';
import type { Consumer } from '../consumer/consumer';
import type { Mirror } from '../parking/dead-letter';
import type { Decode } from '../feed/delivery';
import type { EventFeed, Lag, Workers } from '../feed/event-feed';
import type { UpcastersOf } from '../feed/newest-version';
import { type ConsumerStatus, type MessagingMetrics, noMessagingMetrics } from '../messaging-metrics';
import type { ReplayedKey } from '../parking/parked-key-replay';
import { partitionsOf } from '../rebuild/places';
import { Rebuild, type Rebuilt } from '../rebuild/rebuild';
import { errorText } from '../parking/parked-keys';
import type { PartitionOfGroup } from './partition-position';
import { PartitionWorker } from './partition-worker';
import { type RetrySchedule, defaultRetrySchedule } from './retry-schedule';
import { type ReadLogOfTopic, type StoredPlace, WaitingEvents } from './waiting-events';
import type { WorkerSettings } from './worker-settings';

export interface WorkersOptions {
  /** The DataSource of a context, in whose schema its groups keep positions and parked events. */
  databaseOf: (context: string) => DataSource;
  retries?: RetrySchedule;
  metrics?: MessagingMetrics;
  mirror?: Mirror;
  /** Steps to the newest schema version of a topic's events; none unless given. */
  upcastersOf?: UpcastersOf;
  /** Reads a topic from its owner, to tell the lag where the adapter cannot; without it that is unknown then. */
  readLogOfTopic?: ReadLogOfTopic;
}

/** What a replay by command did for one key. */
export type Replayed = PartitionOfGroup & ReplayedKey;

const placeOf = ({ group, topic, partition }: PartitionOfGroup): string => `${group} ${topic} ${partition}`;

/** `isStarting`: a group that starts now, whose first position is not known yet. */
type StatusRow = Omit<ConsumerStatus, 'running' | 'lagEvents' | 'lagSeconds'> & { isStarting: boolean };

const nothingWaits: Lag = { events: 0, oldestRecordedAt: null };

const secondsSince = (instant: string | null): number =>
  instant === null ? 0 : Math.max(0, Date.now() - Date.parse(instant)) / 1_000;

const statusSql = `
  SELECT consumer_group AS "group", topic, partition, position, starting_offset IS NOT NULL AS "isStarting",
    (SELECT count(*)::int FROM parked_keys k
      WHERE (k.consumer_group, k.topic, k.partition) = (p.consumer_group, p.topic, p.partition)) AS "parkedKeys",
    (SELECT count(*)::int FROM parked_events e
      WHERE (e.consumer_group, e.topic, e.partition) = (p.consumer_group, p.topic, p.partition)) AS "parkedEvents"
  FROM consumer_positions p WHERE consumer_group = ANY($1) ORDER BY 1, 2, 3`;

/** All workers of a process, and the commands of operators over its consumers. */
export class PartitionWorkers implements Workers {
  private readonly log = new Logger(PartitionWorkers.name);
  private readonly opened = new Map<string, PartitionWorker>();
  private readonly settings: WorkerSettings;
  private readonly waiting: WaitingEvents | undefined;

  constructor(
    private readonly consumers: () => readonly Consumer[],
    private readonly feed: EventFeed,
    private readonly options: WorkersOptions,
  ) {
    const { retries = defaultRetrySchedule, metrics = noMessagingMetrics, mirror, upcastersOf } = options;
    this.settings = {
      retries,
      metrics,
      ...(mirror ? { mirror } : {}),
      ...(upcastersOf ? { upcastersOf } : {}),
    };
    this.waiting = options.readLogOfTopic && new WaitingEvents(options.readLogOfTopic);
  }

  async open(
    consumer: Consumer,
    partition: number,
    newest: () => Promise<LogPosition>,
  ): Promise<PartitionWorker> {
    const worker = this.make(consumer, partition);
    await worker.open(newest);
    this.opened.set(placeOf(worker.of), worker);
    return worker;
  }

  async close(worker: PartitionWorker): Promise<void> {
    if (this.opened.get(placeOf(worker.of)) === worker) this.opened.delete(placeOf(worker.of));
    await worker.stop();
  }

  async noticeMoves(): Promise<void> {
    const positions = await Promise.all(this.contexts().map((context) => this.positionRows(context)));
    for (const { position, parkings, ...of } of positions.flat()) {
      const worker = this.opened.get(placeOf(of));
      if (worker?.isOvertakenBy({ position, parkings: Number(parkings) })) await worker.refresh();
    }
  }

  /** Ends all workers, each after its running batch. */
  async closeAll(): Promise<void> {
    await Promise.all([...this.opened.values()].map((worker) => this.close(worker)));
  }

  /** Tries parked keys again now, one after another: of a group, of one of its topics, or one key. Answers what
   *  became of each; refuses `consumer_group_not_found`. Safe beside running consumers and other replays. */
  async replayParked(which: { group: string; topic?: string; key?: string }): Promise<Replayed[] | Refusal> {
    const consumers = this.of(which.group).filter(({ topic }) => !which.topic || topic === which.topic);
    if (consumers.length === 0) return refuse('consumer_group_not_found', which.group);
    const replayed: Replayed[] = [];
    for (const consumer of consumers) {
      for (const partition of await partitionsOf(this.options.databaseOf(consumer.context), consumer)) {
        const of = { group: consumer.group, topic: consumer.topic, partition };
        const worker = this.opened.get(placeOf(of)) ?? this.make(consumer, partition);
        for (const key of await worker.replay(which.key)) replayed.push({ ...of, ...key });
      }
    }
    return replayed;
  }

  /** Builds the group's tables anew from the logs of its topics' owners, beside those in use, and swaps them with its
   *  positions and parked keys; see `Rebuild`. Refuses `consumer_group_not_found`, `consumer_group_not_rebuildable` where
   *  a handler of the group does not say what it fills or the owners cannot be read here, and what `Rebuild.run` refuses.
   *  Source: architecture §5. */
  async rebuild(group: string): Promise<Rebuilt | Refusal> {
    const consumers = this.of(group);
    const [first] = consumers;
    if (!first) return refuse('consumer_group_not_found', group);
    const tables = [...new Set(consumers.flatMap(({ fills }) => fills ?? []))];
    const { databaseOf, readLogOfTopic: read } = this.options;
    if (!read || consumers.some(({ fills }) => !fills?.length))
      return refuse('consumer_group_not_rebuildable', group);
    const { mirror: _later, ...settings } = this.settings;
    const database = databaseOf(first.context);
    const decode: Decode = (raw) => this.feed.decode(raw);
    const rebuilt = await new Rebuild({ group, consumers, tables, database, read, decode, settings }).run();
    await Promise.all(
      [...this.opened.values()].filter(({ of }) => of.group === group).map((one) => one.refresh()),
    );
    return rebuilt;
  }

  /** Positions, lag and parked counts of every consumer that ever ran here or elsewhere. One query per context, and a
   *  read of the owner's log for each reader of which the adapter cannot tell. */
  async status(): Promise<ConsumerStatus[]> {
    const rows = await Promise.all(this.contexts().map((context) => this.statusRows(context)));
    const all: ConsumerStatus[] = [];
    for (const { isStarting, ...row } of rows.flat()) {
      const worker = this.opened.get(placeOf(row));
      const position = worker?.position ?? row.position;
      // Every partition has a row from the moment on at which a group first joined.
      const partitions = rows.flat().filter(({ group, topic }) => group === row.group && topic === row.topic);
      const lag = isStarting
        ? nothingWaits
        : (this.feed.lagOf(row) ?? (await this.waits({ ...row, position, partitions: partitions.length })));
      all.push({
        ...row,
        running: worker !== undefined,
        lagEvents: lag?.events ?? null,
        lagSeconds: lag ? secondsSince(lag.oldestRecordedAt) : null,
      });
    }
    return all;
  }

  /** What the owner's log holds behind a place; undefined where the owner cannot be asked. */
  private async waits(place: StoredPlace): Promise<Lag | undefined> {
    try {
      return await this.waiting?.behind(place);
    } catch (error) {
      this.log.warn(`cannot tell how far ${place.group} is behind in ${place.topic}: ${errorText(error)}`);
      return undefined;
    }
  }

  private contexts(): string[] {
    return [...new Set(this.consumers().map(({ context }) => context))];
  }

  private groupsOf(context: string): string[] {
    return this.consumers().flatMap((consumer) => (consumer.context === context ? [consumer.group] : []));
  }

  private statusRows(context: string): Promise<StatusRow[]> {
    return this.options.databaseOf(context).query<StatusRow[]>(statusSql, [this.groupsOf(context)]);
  }

  private positionRows(
    context: string,
  ): Promise<(PartitionOfGroup & { position: LogPosition; parkings: string })[]> {
    return this.options.databaseOf(context).query(
      `SELECT consumer_group AS "group", topic, partition, position, parkings FROM consumer_positions
         WHERE consumer_group = ANY($1)`,
      [this.groupsOf(context)],
    );
  }

  private of(group: string): Consumer[] {
    return this.consumers().filter((consumer) => consumer.group === group);
  }

  private make(consumer: Consumer, partition: number): PartitionWorker {
    const database = this.options.databaseOf(consumer.context);
    return new PartitionWorker(consumer, partition, database, this.settings, (raw) => this.feed.decode(raw));
  }
}
