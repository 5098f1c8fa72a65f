import type { DataSource } from 'typeorm';
import type { AggregateDefinition } from './aggregate';
import { AggregateStore, type StoreLimits, defaultLimits } from './aggregate-store';
import { Database } from './database';
import { checkEpoch, raiseEpoch } from './epoch';
import type { EventData, StoredEvent } from './event';
import { headStatement, horizonAgeStatement, readLogStatement } from './log-reader';
import { formatPosition, type LogPosition, logStart, type PositionParts } from './log-position';
import { EventStoreMetrics } from './metrics';
import { ensurePartitions } from './partitions';
import { readStreamStatement, toStoredEvent } from './stream-reader';
import { type Difference, verifyAggregate } from './verify-state';

/** The events of one context, in the schema of its DataSource. */
export class EventStore {
  readonly metrics = new EventStoreMetrics();
  private readonly database: Database;
  private readonly stores = new Map<string, AggregateStore<never, never>>();
  private readonly listeners = new Set<() => void>();
  private waking = false;

  /** `service` is the context's name; `dataSource` is connected to its schema, migrated. */
  constructor(
    readonly service: string,
    dataSource: DataSource,
    private readonly limits: StoreLimits = defaultLimits,
  ) {
    this.database = new Database(dataSource, checkEpoch);
  }

  /** Checks the epoch and creates the next partitions. To be called before the first append of a process. */
  async start(now: Date = new Date()): Promise<void> {
    await this.database.withConnection(checkEpoch);
    await this.maintain(now);
  }

  /** Creates the next months' partitions and forgets old receipts; to be called daily. */
  maintain(now: Date = new Date()): Promise<void> {
    return ensurePartitions(this.database, now);
  }

  /** The store of one kind of stream. One definition for each aggregate name: asking again gives the same store. */
  aggregate<State, Event extends EventData>(
    definition: AggregateDefinition<State, Event>,
  ): AggregateStore<State, Event> {
    const known = this.stores.get(definition.aggregate) as unknown as
      AggregateStore<State, Event> | undefined;
    if (known && known.definition !== definition)
      throw new TypeError(`two definitions of ${definition.aggregate}`);
    const store =
      known ??
      new AggregateStore(definition, this.database, this.metrics, () => this.committed(), this.limits);
    this.stores.set(definition.aggregate, store as unknown as AggregateStore<never, never>);
    return store;
  }

  /** The next events after a position (null: from the beginning) in log order, which keeps each stream's order. An
   *  event may appear later than its commit, but never before a position that was already read past. */
  async readLog(query: {
    after: LogPosition | null;
    limit: number;
    aggregates?: readonly string[];
  }): Promise<StoredEvent[]> {
    const rows = await this.database.query(readLogStatement({ ...query, after: query.after ?? logStart }));
    return rows.map((row) => this.stored(row));
  }

  /** One stream's events, oldest first. */
  async readStream(aggregate: string, projectId: string, streamId: string): Promise<StoredEvent[]> {
    const rows = await this.database.query(
      readStreamStatement({ aggregate, projectId, streamIds: [streamId] }),
    );
    return rows.map((row) => this.stored(row));
  }

  /** The position of the last event that can be read now; `logStart` when there is none. */
  async head(): Promise<LogPosition> {
    const [last] = await this.database.query<PositionParts & Record<string, unknown>>(headStatement);
    return last ? formatPosition(last) : logStart;
  }

  /** Seconds for which the oldest writing transaction of the server has kept readers from newer events. */
  async horizonAgeSeconds(): Promise<number> {
    const [row] = await this.database.query<{ seconds: number }>(horizonAgeStatement);
    return row?.seconds ?? 0;
  }

  /** Folds every stream of every aggregate used here again and compares; also finds streams without a row. */
  async verifyState(): Promise<Difference[]> {
    const differences: Difference[] = [];
    for (const { definition } of this.stores.values()) {
      differences.push(...(await verifyAggregate(this.database, definition)));
    }
    return differences;
  }

  /** Begins a new epoch, after files were restored; waits for appenders and keeps them out meanwhile. Answers it. */
  raiseEpoch(): Promise<number> {
    return raiseEpoch(this.database);
  }

  /** Calls `listener` soon after commits of this process, once for many; it must not throw. Answers how to stop. */
  onCommit(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** To be called after the commit of a transaction that this store was given a manager of: such a commit is not seen
   *  here, and readers would find it only with their next poll. */
  wakeReaders(): void {
    this.committed();
  }

  private committed(): void {
    if (this.waking || this.listeners.size === 0) return;
    this.waking = true;
    setImmediate(() => {
      this.waking = false;
      for (const listener of this.listeners) listener();
    });
  }

  private stored(row: Record<string, unknown>): StoredEvent {
    const store = this.stores.get(row.aggregate as string);
    return toStoredEvent(row, this.service, store?.definition.upcasters);
  }
}
