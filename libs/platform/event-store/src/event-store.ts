import { Logger } from '@nestjs/common';
import { type RequestContext, traced } from '@scrip/kernel';
import type { DataSource, EntityManager } from 'typeorm';
import type { AggregateDefinition } from './aggregate/aggregate';
import { type LoneWrites, runAlone, runTogether, type StreamWrites } from './bulk/stream-writes';
import { AggregateStore, type StoreLimits, defaultLimits } from './commit/aggregate-store';
import { Database } from './database/database';
import { checkEpoch, raiseEpoch } from './log/epoch';
import type { EventData, StoredEvent } from './aggregate/event';
import { horizonAgeSeconds } from './log/horizon-age';
import { headStatement, readLogStatement } from './log/log-reader';
import { formatPosition, type LogPosition, logStart, type PositionParts } from './log/log-position';
import { EventStoreMetrics } from './metrics';
import { ensurePartitions } from './log/partitions';
import { RecordedSince } from './log/recorded-since';
import { readStreamStatement, toStoredEvent } from './log/stream-reader';
import { type Difference, type VerifyProgress, verifyAggregate } from './verify/verify-state';

/** Which part of a log to read, see `EventStore.readLog`. `maxBytes` bounds what a page holds in memory. */
export interface LogRange {
  after: LogPosition | null;
  limit: number;
  aggregates?: readonly string[];
  maxBytes?: number;
}

/** Events of a log, and whether there may be more behind them that can be read now. */
export interface LogPage {
  events: StoredEvent[];
  more: boolean;
}

/** The events of one context, in the schema of its DataSource. */
export class EventStore {
  readonly metrics = new EventStoreMetrics();
  private readonly database: Database;
  private readonly stores = new Map<string, AggregateStore<never, never>>();
  private readonly recordedSince = new RecordedSince();
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

  /** Checks the epoch and creates the next partitions. To be called before the first append of a process. Returns
   *  false where partitions are missing: `maintain` should run again soon. Throws where the epoch cannot be checked. */
  async start(now: Date = new Date()): Promise<boolean> {
    await this.database.withConnection(checkEpoch);
    return this.maintain(now);
  }

  /** Creates the next months' partitions and forgets old receipts; to be called daily. Returns false where that was not
   *  possible now. Never throws: events without a partition of their month are stored as well. */
  async maintain(now: Date = new Date()): Promise<boolean> {
    try {
      return await ensurePartitions(this.database, now);
    } catch (error) {
      new Logger('EventStore').warn(`maintenance of ${this.service} failed: ${String(error)}`);
      return false;
    }
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

  /** Writes streams of several aggregates in the transaction of `manager`, by one statement unless there are too many for one. Throws
   *  `VersionConflict`, `UniqueViolation` and `StaleRow`; the transaction has to be rolled back then. */
  async commitTogether(
    manager: EntityManager,
    context: RequestContext,
    writes: readonly StreamWrites[],
  ): Promise<void> {
    const connection = await this.database.connectionOf(manager);
    await traced({ name: 'append together' }, context, (step) => runTogether(connection, step, writes));
  }

  /** As `commitTogether`, by one statement without a transaction around it: all is written, or nothing. A stream that another
   *  transaction has locked counts as changed, so that the statement waits for `first` only. Throws `StaleRow` where streams changed,
   *  and `UniqueViolation`; after a lost connection all may have been written. */
  async appendTogether(context: RequestContext, writes: LoneWrites): Promise<void> {
    await traced({ name: 'append together' }, context, (step) =>
      this.database.withConnection((connection) => runAlone(connection, step, writes)),
    );
    this.committed();
  }

  /** The next events after a position (null: from the beginning) in log order, which keeps each stream's order. An
   *  event may appear later than its commit, but never before a position that was already read past. With `maxBytes` a
   *  page may be shorter than `limit` although there is more: ask `readPage`. */
  async readLog(query: LogRange): Promise<StoredEvent[]> {
    return (await this.readPage(query)).events;
  }

  /** As `readLog`, and whether there may be more: `limit` or `maxBytes` ended the page. A page holds at most `maxBytes`
   *  and one event, of at most 900 KB; compressed events are estimated. */
  async readPage(query: LogRange): Promise<LogPage> {
    const after = query.after ?? logStart;
    const recordedAfter = await this.recordedSince.behind(after, this.database.query);
    const rows = await this.database.query(readLogStatement({ ...query, after, recordedAfter }));
    const events = rows.map((row) => this.stored(row));
    const last = rows.at(-1);
    if (last) this.recordedSince.note(events.at(-1)!.position, last.recorded_at as Date);
    const isFull = query.maxBytes !== undefined && Number(last?.bytes_to_here ?? 0) >= query.maxBytes;
    return { events, more: isFull || rows.length === query.limit };
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
  horizonAgeSeconds(): Promise<number> {
    return horizonAgeSeconds(this.database.query);
  }

  /** Folds every stream of every aggregate used here again and compares; also finds streams without a row. For a store
   *  without writers. Calls `progress` every 500 streams. */
  async verifyState(progress?: (progress: VerifyProgress) => void): Promise<Difference[]> {
    const differences: Difference[] = [];
    for (const { definition } of this.stores.values()) {
      differences.push(...(await verifyAggregate(this.database, definition, progress)));
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
