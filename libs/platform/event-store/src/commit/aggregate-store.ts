import {
  comesAgain,
  Fault,
  halfForEach,
  type IdSource,
  type Refusal,
  type RequestContext,
  SharedBudget,
  traced,
} from '@scrip/kernel';
import { LRUCache } from 'lru-cache';
import type { QueryResultRow } from 'pg';
import type { EntityManager } from 'typeorm';
import type {
  AggregateDefinition,
  Command,
  Loaded,
  LockedCommand,
  NewStream,
  ReadingCommand,
  StreamChange,
} from '../aggregate/aggregate';
import { BulkAppend } from '../bulk/bulk-append';
import type { StreamWrites } from '../bulk/stream-writes';
import type { StreamWrite } from './append-statement';
import type { Database, Statement } from '../database/database';
import { DeadlineWatch } from './deadline-watch';
import { runQuery } from '../database/run-query';
import { eventIdOf } from '../aggregate/event-id';
import type { EventData } from '../aggregate/event';
import { Mailbox } from './mailbox';
import { PendingCommand } from './pending-command';
import type { EventStoreMetrics } from '../metrics';
import { roughSize } from '../aggregate/rough-size';
import { hasEventsStatement } from '../log/stream-reader';
import {
  loadManyStatement,
  loadPickedStatement,
  loadStatement,
  readState,
  type StreamState,
} from '../aggregate/state-row';
import { StreamCommit } from './stream-commit';
import { StreamWriter, type WriterLimits } from './stream-writer';

/** Bounds on memory and waiting; per aggregate. */
export interface StoreLimits {
  cachedStates: number;
  /** Of all cached states together, in characters of their JSON, about. */
  cachedSize: number;
  waitingPerStream: number;
  /** Of all streams; one project takes at most half. */
  waiting: number;
  /** Writes of different streams that are ready together share statements: over so many lanes, so many in one. */
  writer: WriterLimits;
}

export const defaultLimits: StoreLimits = {
  cachedStates: 5_000,
  cachedSize: 32_000_000,
  waitingPerStream: 4_096,
  waiting: 20_000,
  writer: { lanes: 2, together: 64, patienceMs: 50, mergeFrom: 2 },
};

const loadedOf = <State>({ state, exists: _, ...read }: StreamState<State>): Loaded<State> | undefined =>
  state === undefined ? undefined : { ...read, state };

/** One kind of stream: loads states, and decides and appends. Got from `EventStore.aggregate`. */
export class AggregateStore<State, Event extends EventData> {
  private readonly mailboxes = new Map<string, Mailbox<State, Event>>();
  private readonly cache: LRUCache<string, StreamState<State>>;
  private readonly watch: DeadlineWatch;
  private readonly bulk: BulkAppend<State, Event>;
  private readonly writer: StreamWriter<State, Event>;
  private readonly waiting: SharedBudget;

  constructor(
    readonly definition: AggregateDefinition<State, Event>,
    private readonly database: Database,
    private readonly metrics: EventStoreMetrics,
    private readonly committed: () => void,
    private readonly limits: StoreLimits = defaultLimits,
  ) {
    this.cache = new LRUCache({
      max: limits.cachedStates,
      maxSize: limits.cachedSize,
      sizeCalculation: ({ state }) => Math.ceil(roughSize(state)),
    });
    this.waiting = new SharedBudget(halfForEach(limits.waiting));
    this.watch = new DeadlineWatch(() => (this.metrics.expired += 1));
    this.bulk = new BulkAppend(definition, database, committed);
    const isAlone = () => this.mailboxes.size <= 1;
    this.writer = new StreamWriter(definition, database, metrics, isAlone, limits.writer);
  }

  /** Decides and appends, together with other callers' commands for the stream; the answer comes when it is
   *  durable. Throws `UniqueViolation` or `StaleRow` for this command's own side rows, a `Fault` when the deadline
   *  passes, too many wait, or PostgreSQL is away; after `deadline` and `unavailable` the command may yet have
   *  happened. Repeated under the same `eventIds` it answers as the first time. Source: architecture §4. */
  execute<A, Key extends string = never>(command: Command<State, Event, A, Key>): Promise<A | Refusal<Key>> {
    return this.inStep(command.context, (context) => {
      const traceable = context === command.context ? command : { ...command, context };
      return this.enqueue(PendingCommand.of(this.definition.aggregate, traceable), traceable) as Promise<
        A | Refusal<Key>
      >;
    });
  }

  /** As `execute`, for a decision on rows beside the state, under the lock of the stream's row. Commands with `sideRows`
   *  go together: their rows are read in one statement and changed with the events in another. Without, `decide` reads for
   *  itself and goes alone. Repeated under the same `eventIds` it answers as its `repeated` says. */
  executeLocked<A, Row extends object, Key extends string = never>(
    command: LockedCommand<State, Event, A, Row, Key>,
  ): Promise<A | Refusal<Key>>;
  executeLocked<A, Key extends string = never>(
    command: ReadingCommand<State, Event, A, Key>,
  ): Promise<A | Refusal<Key>>;
  executeLocked<A, Key extends string>(
    command: LockedCommand<State, Event, A, object, Key> | ReadingCommand<State, Event, A, Key>,
  ): Promise<A | Refusal<Key>> {
    return this.inStep(command.context, (context) => {
      const traceable = context === command.context ? command : { ...command, context };
      return this.enqueue(PendingCommand.locked(this.definition.aggregate, traceable), traceable) as Promise<
        A | Refusal<Key>
      >;
    });
  }

  /** The newest committed state, undefined where there is none. */
  async load(projectId: string, streamId: string): Promise<Loaded<State> | undefined> {
    const [row] = await this.database.query(loadStatement(this.definition, projectId, streamId));
    return loadedOf(readState(this.definition, row));
  }

  /** The newest states by id, in one query; absent streams are left out. Committed ones, and those of the transaction of
   *  `manager` when given one. */
  async loadMany(
    projectId: string,
    streamIds: readonly string[],
    manager?: EntityManager,
  ): Promise<Map<string, Loaded<State>>> {
    if (streamIds.length === 0) return new Map<string, Loaded<State>>();
    const statement = loadManyStatement(this.definition, projectId, streamIds);
    return this.read(
      manager
        ? await runQuery<QueryResultRow>(manager, statement.text, [...statement.values])
        : await this.database.query(statement),
    );
  }

  /** Picks rows and loads their states by one statement, in the order of ids. `picking` says which: it returns the column `id`, and its
   *  `$1` is the project. With a manager it may lock the rows, in the manager's transaction: a state that changed before the lock was had is the
   *  one from before, and to commit on it is a conflict of versions. */
  async loadPicked(manager: EntityManager | null, picking: Statement): Promise<Map<string, Loaded<State>>> {
    const statement = loadPickedStatement(this.definition, picking);
    return this.read(
      manager
        ? await runQuery<QueryResultRow>(manager, statement.text, [...statement.values])
        : await this.database.query(statement),
    );
  }

  /** Whether an event was appended above a version. A version that rose without one was raised after a commit whose answer
   *  was lost, and the state is the same. */
  async hasEventsAbove(projectId: string, streamId: string, version: number): Promise<boolean> {
    const { aggregate } = this.definition;
    const [row] = await this.database.query(hasEventsStatement(aggregate, projectId, streamId, version));
    return row?.found === true;
  }

  /** Whether a change was appended before under the same `eventIds`; asks nothing for ids that never come again. In the transaction
   *  of `manager`, which has locked the stream. */
  async wasExecuted(manager: EntityManager, streamId: string, eventIds: IdSource): Promise<boolean> {
    if (!comesAgain(eventIds)) return false;
    const { aggregate } = this.definition;
    const id = eventIdOf(eventIds, { aggregate, streamId, index: 0 });
    const found = await runQuery(manager, 'SELECT 1 FROM events WHERE event_id = $1', [id]);
    return found.length > 0;
  }

  /** Appends the beginnings of many new streams, 5,000 streams or 4 MB a statement; in the caller's transaction when
   *  given a manager, else each statement on its own, two at a time. Throws `UniqueViolation` for a whole statement. */
  createMany(
    manager: EntityManager | null,
    context: RequestContext,
    items: readonly NewStream<Event>[],
  ): Promise<void> {
    return this.inStep(context, (step) => this.bulk.create(manager, step, items));
  }

  /** Appends the beginnings of new streams, all or none, and their side rows with them; in one statement where one holds
   *  them. Throws as `createMany` does; after a lost connection they may have been written. */
  createTogether(context: RequestContext, items: readonly NewStream<Event>[]): Promise<void> {
    return this.inStep(context, (step) => this.bulk.createTogether(step, items));
  }

  /** Spares the next command its load: the caller has just read this state at this version. A state that turns out to be
   *  old costs that command a retry and nothing else. */
  remember(projectId: string, streamId: string, loaded: Loaded<State>): void {
    const key = this.keyOf(projectId, streamId);
    if (this.mailboxes.has(key) || this.cache.has(key)) return;
    this.cache.set(key, { exists: true, ...loaded });
  }

  /** Appends to many existing streams whose states the caller knows, locking their rows in id order; in the caller's
   *  transaction when given a manager, else in one of its own. Throws `VersionConflict`, and then nothing of the
   *  statement was written. */
  async commitMany(
    manager: EntityManager | null,
    context: RequestContext,
    items: readonly StreamChange<State, Event>[],
  ): Promise<void> {
    for (const { streamId } of items) this.cache.delete(this.keyOf(context.project.id, streamId));
    await this.inStep(context, (step) => this.bulk.change(manager, step, items));
  }

  /** The beginnings of new streams, for `EventStore.commitTogether`. */
  creating(items: readonly NewStream<Event>[]): StreamWrites {
    return (context) => this.bulk.creating(context, items);
  }

  /** More events for existing streams, for `EventStore.commitTogether`. Unlike `commitMany` it locks no rows in an order: the
   *  caller's transaction has locked them. */
  changing(items: readonly StreamChange<State, Event>[]): StreamWrites {
    return (context) => {
      for (const { streamId } of items) this.cache.delete(this.keyOf(context.project.id, streamId));
      return this.bulk.changing(context, items);
    };
  }

  /** Events name the step that appended them, so that whatever they cause belongs to it. */
  private inStep<T>(context: RequestContext, work: (context: RequestContext) => Promise<T>): Promise<T> {
    return traced({ name: `append ${this.definition.aggregate}` }, context, work);
  }

  private read(rows: readonly QueryResultRow[]): Map<string, Loaded<State>> {
    const found = new Map<string, Loaded<State>>();
    for (const row of rows) {
      const loaded = loadedOf(readState(this.definition, row));
      if (loaded) found.set(row.stream_id as string, loaded);
    }
    return found;
  }

  private keyOf(projectId: string, streamId: string): string {
    return `${projectId}\n${streamId}`;
  }

  private async enqueue(
    member: PendingCommand<State, Event>,
    { context, streamId }: { context: RequestContext; streamId: string },
  ): Promise<unknown> {
    if (member.expired) throw new Fault('deadline', 'the deadline passed before the decision');
    const stream = { key: this.keyOf(context.project.id, streamId), projectId: context.project.id, streamId };
    const depth = this.mailboxes.get(stream.key)?.depth ?? 0;
    const leave = depth < this.limits.waitingPerStream ? this.waiting.take(stream.projectId) : null;
    if (!leave) {
      this.metrics.overloaded += 1;
      throw new Fault('overloaded', `too many commands wait for ${this.definition.aggregate} streams`);
    }
    this.metrics.mailboxDepth += 1;
    this.watch.watch(member);
    try {
      (this.mailboxes.get(stream.key) ?? this.open(stream)).add(member);
      return await member.promise;
    } finally {
      this.watch.release(member);
      leave();
      this.metrics.mailboxDepth -= 1;
    }
  }

  private open(stream: { key: string; projectId: string; streamId: string }): Mailbox<State, Event> {
    const { definition, database, cache, metrics, committed } = this;
    const write = (streamWrite: StreamWrite<State>) => this.writer.write(streamWrite);
    const around = { definition, database, cache, write, metrics, committed };
    const mailbox = new Mailbox<State, Event>(
      (batch) => new StreamCommit(around, stream).run(batch),
      () => {
        this.mailboxes.delete(stream.key);
        metrics.activeStreams -= 1;
      },
    );
    this.mailboxes.set(stream.key, mailbox);
    metrics.activeStreams += 1;
    return mailbox;
  }
}
