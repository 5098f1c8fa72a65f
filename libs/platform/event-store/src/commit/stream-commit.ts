import { Fault } from '@scrip/kernel';
import type { AggregateDefinition } from '../aggregate/aggregate';
import { appendStatement, type StreamWrite } from './append-statement';
import { type DecidedBatch, DecidedBatchBuilder, writeOf, writes } from './decided-batch';
import type { Connection, Database, RunStatement } from '../database/database';
import { type ClassifiedError, classifyDatabaseError, refusedChange } from '../database/database-error';
import type { EventData } from '../aggregate/event';
import { InDoubt } from './in-doubt';
import { LoadedSideRows } from './loaded-side-rows';
import type { PendingCommand } from './pending-command';
import type { EventStoreMetrics } from '../metrics';
import { executedBefore } from './replayed-command';
import { type StreamState, absent, loadStatement, lockStatement, readState } from '../aggregate/state-row';

/** What the streams of one aggregate share. */
export interface CommitDependencies<State, Event extends EventData> {
  definition: AggregateDefinition<State, Event>;
  database: Database;
  cache: {
    get(key: string): StreamState<State> | undefined;
    set(key: string, state: StreamState<State>): unknown;
    delete(key: string): unknown;
  };
  /** Makes the write of a decided batch; returns its epoch, undefined where the version was another one. */
  write: (write: StreamWrite<State>) => Promise<number | undefined>;
  metrics: EventStoreMetrics;
  committed: () => void;
}

const retryMaxMs = 30_000;
const lockMaxMs = 5_000;

/** A write failed; `uncertain` when its commit may nevertheless have happened, or may still. */
class WriteFailed<State, Event extends EventData> {
  constructor(
    readonly batch: DecidedBatch<State, Event>,
    readonly cause: unknown,
    readonly uncertain: boolean,
  ) {}
}

const pause = (delayMs: number): Promise<void> => new Promise((resume) => setTimeout(resume, delayMs));

type Members<State, Event extends EventData> = readonly PendingCommand<State, Event>[];

/** Commits one batch of members of one stream; every member has its answer when `run` returns, which never throws. */
export class StreamCommit<State, Event extends EventData> {
  private readonly key: string;
  private readonly doubt = new InDoubt<State, Event>();
  private readonly giveUpAt = performance.now() + retryMaxMs;
  private underLock = false;
  private delayMs = 5;
  private failure: WriteFailed<State, Event> | undefined;

  constructor(
    private readonly around: CommitDependencies<State, Event>,
    private readonly stream: { key: string; projectId: string; streamId: string },
  ) {
    this.key = stream.key;
  }

  async run(members: Members<State, Event>): Promise<void> {
    let left = members;
    while (left.some(({ answered }) => !answered)) {
      // While a commit is in doubt its members stay together, or they would decide differently without each other.
      if (!this.doubt.open) left = left.filter(({ answered }) => !answered);
      try {
        left = await this.step(left);
      } catch (error) {
        await this.afterError(left, error);
      }
    }
  }

  private async step(members: Members<State, Event>): Promise<Members<State, Event>> {
    if (this.doubt.open) {
      const isResolved = await this.resolveDoubt();
      if (isResolved) return members.filter((member) => !member.answered);
    }
    if (this.failure) {
      await this.refuse(members, this.failure);
      return [];
    }
    this.underLock ||= members.some(({ locks }) => locks);
    const batch = await (this.underLock ? this.writeUnderLock(members) : this.write(members));
    if (!batch) {
      this.around.metrics.versionConflicts += 1;
      this.underLock = true;
      return members;
    }
    this.doubt.close();
    this.replyTo(batch);
    return members.filter((member) => !batch.replies.has(member));
  }

  /** True when one of the commits in doubt stands. */
  private async resolveDoubt(): Promise<boolean> {
    const { database, definition } = this.around;
    const resolved = await this.doubt.resolve(
      database,
      definition.table,
      this.stream,
      this.lockTimeoutMs([]),
    );
    if (resolved.end === 'absent') return false;
    this.doubt.close();
    this.failure = undefined;
    if (resolved.end === 'closed') return false;
    this.replyTo(resolved.batch);
    return true;
  }

  /** Decides on the cached state and commits in one statement. Undefined: the state was another one. */
  private async write(members: Members<State, Event>): Promise<DecidedBatch<State, Event> | undefined> {
    const { cache, database } = this.around;
    const cached = cache.get(this.key);
    const base = cached ?? (await this.load(database.query));
    const batch = await this.decide(database.query, base, members);
    cache.delete(this.key);
    // What is only answered must be as true as what is written: another process may have changed the stream.
    if (!writes(batch)) {
      const current = cached ? await this.load(database.query) : base;
      cache.set(this.key, current);
      return isSame(current, base) ? batch : undefined;
    }
    const epoch = await this.around.write(writeOf(batch, this.stream)).catch(async (cause: unknown) => {
      if (await this.wasCreatedMeanwhile(database.query, batch, cause)) return undefined;
      const uncertain = !(cause instanceof Fault) && classifyDatabaseError(cause).kind === 'lost';
      throw new WriteFailed(batch, cause, uncertain);
    });
    if (epoch === undefined) return undefined;
    this.keep({ ...batch.result, epoch });
    return batch;
  }

  /** A state that was not read from a row lacks what its aggregate reads beside it. */
  private keep(state: StreamState<State>): void {
    const { cache, definition } = this.around;
    if (definition.basis === undefined || state.basis !== undefined) cache.set(this.key, state);
  }

  /** Locks the state row, decides on what the lock returned, and commits. Undefined: another transaction created the
   *  row. */
  private writeUnderLock(members: Members<State, Event>): Promise<DecidedBatch<State, Event> | undefined> {
    const { cache, database } = this.around;
    const [exclusive] = members.filter(({ decideReading }) => decideReading !== null);
    cache.delete(this.key);
    const work = (connection: Connection) => this.transaction(connection, exclusive ? [exclusive] : members);
    return exclusive ? database.withManager(work) : database.withConnection(work);
  }

  private async transaction(
    { client, manager }: Connection,
    members: Members<State, Event>,
  ): Promise<DecidedBatch<State, Event> | undefined> {
    const { database, definition } = this.around;
    let batch: DecidedBatch<State, Event> | undefined;
    let committing = false;
    try {
      const lockTimeout = `SET LOCAL lock_timeout = '${this.lockTimeoutMs(members)}ms'`;
      if (manager) {
        await manager.queryRunner!.startTransaction();
        await client.query(lockTimeout);
      } else await client.query(`BEGIN; ${lockTimeout}`);
      await database.run(client, lockStatement(definition, this.stream.projectId, this.stream.streamId));
      const run = database.on(client);
      const base = await this.load(run);
      // No row was there when the doubt was looked into: this is the creation in doubt, which must be looked for again.
      if (this.doubt.open && base.exists) {
        await endTransaction({ client, manager }, 'ROLLBACK');
        return undefined;
      }
      batch = await this.decide(run, base, members, manager);
      const statement = writes(batch) ? appendStatement(definition, writeOf(batch, this.stream)) : null;
      const [written] = statement === null ? [batch.base] : await run<{ epoch: number }>(statement);
      committing = statement !== null && written !== undefined;
      await endTransaction({ client, manager }, committing ? 'COMMIT' : 'ROLLBACK');
      if (!written) return undefined;
      this.keep({ ...batch.result, epoch: written.epoch });
      return batch;
    } catch (cause) {
      const lost = classifyDatabaseError(cause).kind === 'lost';
      if (!lost) await client.query('ROLLBACK').catch(() => undefined); // the first error tells more
      // On the connection that it has: who holds one and asks for another waits for those who do the same.
      if (batch && (await this.wasCreatedMeanwhile(database.on(client), batch, cause))) return undefined;
      throw batch ? new WriteFailed(batch, cause, committing && lost) : cause;
    }
  }

  /** Whether a unique index refused a creation because the stream itself was created at the same time. PostgreSQL then
   *  goes on from the primary key to the other indexes of the row, and names the one that waits first. */
  private async wasCreatedMeanwhile(
    run: RunStatement,
    { base }: Pick<DecidedBatch<State, Event>, 'base'>,
    cause: unknown,
  ): Promise<boolean> {
    if (base.exists || cause instanceof Fault || classifyDatabaseError(cause).kind !== 'unique') return false;
    const { exists } = await this.load(run);
    return exists;
  }

  private async decide(
    run: RunStatement,
    base: StreamState<State>,
    members: Members<State, Event>,
    read?: Connection['manager'],
  ): Promise<DecidedBatch<State, Event>> {
    const { definition } = this.around;
    const replayed = await executedBefore(run, definition, this.stream, base, members);
    const beside = await LoadedSideRows.load(run, this.stream, members);
    const builder = new DecidedBatchBuilder(definition, base, beside);
    for (const member of members) {
      const before = replayed.get(member);
      if (before) {
        builder.answer(member, before(beside.of(member) as never[]));
        continue;
      }
      const early =
        member.decideReading && read
          ? await finishedDecision(member.decideReading(builder.current, read))
          : null;
      const decide = early ?? (() => member.decide!(builder.current, beside.of(member) as never[]));
      if (!builder.add(member, decide)) break;
    }
    return builder.finish();
  }

  private async load(run: RunStatement): Promise<StreamState<State>> {
    const { definition } = this.around;
    const [row] = await run(loadStatement(definition, this.stream.projectId, this.stream.streamId));
    return readState(definition, row);
  }

  private replyTo(batch: DecidedBatch<State, Event>): void {
    const { metrics, committed } = this.around;
    for (const [member, reply] of batch.replies) member.answerWith(reply);
    metrics.decisions += batch.replies.size;
    if (!writes(batch)) return;
    metrics.commits += 1;
    metrics.events += batch.events.length;
    committed();
  }

  private async afterError(members: Members<State, Event>, error: unknown): Promise<void> {
    const failed = error instanceof WriteFailed ? (error as WriteFailed<State, Event>) : undefined;
    const cause = failed ? failed.cause : error;
    const unavailable = cause instanceof Fault && cause.kind === 'unavailable';
    const { kind } = unavailable ? { kind: 'lost' } : classifyDatabaseError(cause);
    if (failed?.uncertain) {
      this.around.metrics.inDoubtCommits += 1;
      this.doubt.add(failed.batch);
    }
    if (kind === 'lost' || kind === 'transient' || kind === 'timeout') {
      this.underLock ||= kind !== 'lost' || this.doubt.open;
      await this.waitBeforeRetry(members, cause);
      return;
    }
    const failure =
      failed ??
      new WriteFailed(new DecidedBatchBuilder(this.around.definition, absent).finish(), cause, false);
    // Before anybody hears a "no", the commit in doubt must not stand: look again.
    if (this.doubt.open) this.failure = failure;
    else await this.refuse(members, failure as WriteFailed<State, Event>);
  }

  private async waitBeforeRetry(members: Members<State, Event>, cause: unknown): Promise<void> {
    if (performance.now() + this.delayMs >= this.giveUpAt) {
      const error = new Fault('unavailable', 'PostgreSQL did not tell the end of a commit in time', {
        cause,
      });
      for (const member of members) member.answerWith({ error });
      return;
    }
    await pause(this.delayMs);
    this.delayMs = Math.min(this.delayMs * 2, 250);
  }

  /** Ends a batch that the database refused: a single member gets the error, several are run again one by one. */
  private async refuse(
    members: Members<State, Event>,
    { batch, cause }: WriteFailed<State, Event>,
  ): Promise<void> {
    const [only, ...others] = members;
    if (!only) return;
    if (others.length === 0) {
      only.answerWith(this.refusalOf(classifyDatabaseError(cause), batch.result.state, cause));
      this.around.metrics.decisions += 1;
      return;
    }
    this.around.metrics.isolatedBatches += 1;
    for (const member of members) await new StreamCommit(this.around, this.stream).run([member]);
  }

  private refusalOf(classified: ClassifiedError, state: State | undefined, cause: unknown) {
    const refusal = this.around.definition.conflicts?.[classified.constraint ?? ''];
    return refusal && classified.kind === 'unique' && state !== undefined
      ? { answer: refusal(state) }
      : { error: refusedChange(classified, cause) };
  }

  // Never 0, which would mean no timeout at all.
  private lockTimeoutMs(members: Members<State, Event>): number {
    const leftMs = Math.max(...members.map(({ context }) => context.deadlineAt)) - Date.now();
    return members.length === 0 ? lockMaxMs : Math.min(lockMaxMs, Math.max(1, leftMs));
  }
}

const isSame = (one: StreamState<unknown>, other: StreamState<unknown>): boolean =>
  one.version === other.version && one.epoch === other.epoch && one.basis === other.basis;

const endTransaction = async ({ client, manager }: Connection, end: 'COMMIT' | 'ROLLBACK'): Promise<void> => {
  if (!manager) await client.query(end);
  else if (end === 'COMMIT') await manager.queryRunner!.commitTransaction();
  else await manager.queryRunner!.rollbackTransaction();
};

/** An asynchronous decision as a function that returns or throws it. */
const finishedDecision = <T>(decision: Promise<T>): Promise<() => T> =>
  decision.then(
    (decided) => () => decided,
    (error: unknown) => () => {
      throw error;
    },
  );
