import { Logger } from '@nestjs/common';
import { type LogPosition, comparePositions, logStart } from '@scrip/event-store';
import { type Refusal, refuse } from '@scrip/kernel';
import type { DataSource, EntityManager } from 'typeorm';
import type { Consumer } from './consumer';
import type { Mirror } from './dead-letter';
import type { EventFeed, Workers } from './event-feed';
import { type ConsumerStatus, type MessagingMetrics, noMessagingMetrics } from './messaging-metrics';
import type { ReplayedKey } from './parked-key-replay';
import type { PartitionOfGroup } from './partition-position';
import { PartitionWorker } from './partition-worker';
import { type RetrySchedule, defaultRetrySchedule } from './retry-schedule';
import type { WorkerSettings } from './worker-settings';

export interface WorkersOptions {
  /** The DataSource of a context, in whose schema its groups keep positions and parked events. */
  databaseOf: (context: string) => DataSource;
  retries?: RetrySchedule;
  metrics?: MessagingMetrics;
  mirror?: Mirror;
}

/** What a replay by command did for one key. */
export type Replayed = PartitionOfGroup & ReplayedKey;

const placeOf = ({ group, topic, partition }: PartitionOfGroup): string => `${group} ${topic} ${partition}`;

type StatusRow = Omit<ConsumerStatus, 'running' | 'lagEvents' | 'lagSeconds'>;

const statusSql = `
  SELECT consumer_group AS "group", topic, partition, position,
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

  constructor(
    private readonly consumers: () => readonly Consumer[],
    private readonly feed: EventFeed,
    private readonly options: WorkersOptions,
  ) {
    const { retries = defaultRetrySchedule, metrics = noMessagingMetrics, mirror } = options;
    this.settings = { retries, metrics, ...(mirror ? { mirror } : {}) };
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

  async noticeRewinds(): Promise<void> {
    const positions = await Promise.all(this.contexts().map((context) => this.positionRows(context)));
    for (const { position, ...of } of positions.flat()) {
      const worker = this.opened.get(placeOf(of));
      if (worker && comparePositions(position, worker.position) < 0) await worker.refresh();
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
      for (const partition of await this.partitionsOf(consumer)) {
        const of = { group: consumer.group, topic: consumer.topic, partition };
        const worker = this.opened.get(placeOf(of)) ?? this.make(consumer, partition);
        for (const key of await worker.replay(which.key)) replayed.push({ ...of, ...key });
      }
    }
    return replayed;
  }

  /** Empties the group's tables and feeds it everything again from the beginning of the logs; parked events of the
   *  group are dropped, since they come again. Refuses `consumer_group_not_found`, and
   *  `consumer_group_not_rebuildable` where a handler of the group declares no reset. Source: architecture §5. */
  async rebuild(group: string): Promise<{ group: string; topics: string[] } | Refusal> {
    const consumers = this.of(group);
    const [first] = consumers;
    if (!first) return refuse('consumer_group_not_found', group);
    const resets = new Set(consumers.map(({ reset }) => reset));
    if (resets.has(undefined)) return refuse('consumer_group_not_rebuildable', group);
    await this.options.databaseOf(first.context).transaction(async (manager) => {
      await this.rewindPositions(manager, group);
      for (const reset of resets) await reset?.(manager);
    });
    this.log.log(`${group} is rebuilt from the beginning of its logs`);
    await Promise.all(
      [...this.opened.values()].filter(({ of }) => of.group === group).map((one) => one.refresh()),
    );
    await this.feed.rewind(group);
    return { group, topics: consumers.map(({ topic }) => topic) };
  }

  /** Positions, lag and parked counts of every consumer that ever ran here or elsewhere. One query per context. */
  async status(): Promise<ConsumerStatus[]> {
    const rows = await Promise.all(this.contexts().map((context) => this.statusRows(context)));
    return rows.flat().map((row) => {
      const worker = this.opened.get(placeOf(row));
      const { events, oldestRecordedAt } = worker
        ? this.feed.lagOf(worker)
        : { events: 0, oldestRecordedAt: null };
      const lagSeconds =
        oldestRecordedAt === null ? 0 : Math.max(0, Date.now() - Date.parse(oldestRecordedAt)) / 1000;
      return { ...row, running: worker !== undefined, lagEvents: events, lagSeconds };
    });
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

  private positionRows(context: string): Promise<(PartitionOfGroup & { position: LogPosition })[]> {
    return this.options.databaseOf(context).query(
      `SELECT consumer_group AS "group", topic, partition, position FROM consumer_positions
         WHERE consumer_group = ANY($1)`,
      [this.groupsOf(context)],
    );
  }

  private async rewindPositions(manager: EntityManager, group: string): Promise<void> {
    await manager.query(
      `SELECT 1 FROM consumer_positions WHERE consumer_group = $1 ORDER BY topic, partition FOR UPDATE`,
      [group],
    );
    await manager.query(`DELETE FROM parked_events WHERE consumer_group = $1`, [group]);
    await manager.query(`DELETE FROM parked_keys WHERE consumer_group = $1`, [group]);
    await manager.query(
      `UPDATE consumer_positions SET position = $2, recorded_at = NULL, starting_offset = NULL, parkings = parkings + 1
       WHERE consumer_group = $1`,
      [group, logStart],
    );
  }

  private async partitionsOf({ context, group, topic }: Consumer): Promise<number[]> {
    const rows = await this.options
      .databaseOf(context)
      .query<{ partition: number }[]>(
        `SELECT partition FROM consumer_positions WHERE consumer_group = $1 AND topic = $2 ORDER BY 1`,
        [group, topic],
      );
    return rows.map(({ partition }) => partition);
  }

  private of(group: string): Consumer[] {
    return this.consumers().filter((consumer) => consumer.group === group);
  }

  private make(consumer: Consumer, partition: number): PartitionWorker {
    const database = this.options.databaseOf(consumer.context);
    return new PartitionWorker(consumer, partition, database, this.settings, (raw) => this.feed.decode(raw));
  }
}
