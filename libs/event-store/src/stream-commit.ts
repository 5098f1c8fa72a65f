import { Fault } from '@scrip/kernel';
import type { AggregateDefinition } from './aggregate';
import { appendStatement } from './append-statement';
import { type Attempt, AttemptBuilder, writeOf, writes } from './attempt';
import type { Connection, Database, RunStatement } from './database';
import { type ClassifiedError, classifyDatabaseError, refusedChange } from './database-error';
import type { EventData } from './event';
import { InDoubt } from './in-doubt';
import type { Member } from './member';
import type { EventStoreMetrics } from './metrics';
import { executedBefore } from './replayed-command';
import { type StreamState, absent, loadStatement, lockStatement, readState } from './state-row';

/** What the streams of one aggregate share. */
export interface CommitSurroundings<State, Event extends EventData> {
  definition: AggregateDefinition<State, Event>;
  database: Database;
  cache: {
    get(key: string): StreamState<State> | undefined;
    set(key: string, state: StreamState<State>): unknown;
    delete(key: string): unknown;
  };
  metrics: EventStoreMetrics;
  committed: () => void;
}

const maxRetryMs = 30_000;
const maxLockMs = 5_000;

/** A write failed; `uncertain` when its commit may nevertheless have happened, or may still. */
class WriteFailed<State, Event extends EventData> {
  constructor(
    readonly attempt: Attempt<State, Event>,
    readonly cause: unknown,
    readonly uncertain: boolean,
  ) {}
}

const pause = (delayMs: number): Promise<void> => new Promise((resume) => setTimeout(resume, delayMs));

type Members<State, Event extends EventData> = readonly Member<State, Event>[];

/** Commits one batch of members of one stream; every member has its answer when `run` returns, which never throws. */
export class StreamCommit<State, Event extends EventData> {
  private readonly key: string;
  private readonly doubt = new InDoubt<State, Event>();
  private readonly giveUpAt = Date.now() + maxRetryMs;
  private underLock = false;
  private delayMs = 5;
  private failure: WriteFailed<State, Event> | undefined;

  constructor(
    private readonly around: CommitSurroundings<State, Event>,
    private readonly stream: { key: string; projectId: string; streamId: string },
  ) {
    this.key = stream.key;
  }

  async run(members: Members<State, Event>): Promise<void> {
    let left = members;
    while (left.some(({ settled }) => !settled)) {
      // While a commit is in doubt its members stay together, or they would decide differently without each other.
      if (!this.doubt.open) left = left.filter(({ settled }) => !settled);
      try {
        left = await this.step(left);
      } catch (error) {
        await this.afterError(left, error);
      }
    }
  }

  private async step(members: Members<State, Event>): Promise<Members<State, Event>> {
    if (this.doubt.open) {
      const settled = await this.resolveDoubt();
      if (settled) return members.filter((member) => !member.settled);
    }
    if (this.failure) {
      await this.refuse(members, this.failure);
      return [];
    }
    this.underLock ||= members.some(({ decideLocked }) => decideLocked !== null);
    const attempt = await (this.underLock ? this.writeUnderLock(members) : this.write(members));
    if (!attempt) {
      this.around.metrics.versionConflicts += 1;
      this.underLock = true;
      return members;
    }
    this.doubt.close();
    this.settle(attempt);
    return members.filter((member) => !attempt.outcomes.has(member));
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
    this.settle(resolved.attempt);
    return true;
  }

  /** Decides on the cached state and commits in one statement. Undefined: the state was another one. */
  private async write(members: Members<State, Event>): Promise<Attempt<State, Event> | undefined> {
    const { cache, database, definition } = this.around;
    const cached = cache.get(this.key);
    const base = cached ?? (await this.load(database.query));
    const attempt = await this.decide(database.query, base, members);
    cache.delete(this.key);
    // What is only answered must be as true as what is written: another process may have changed the stream.
    if (!writes(attempt)) {
      const current = cached ? await this.load(database.query) : base;
      cache.set(this.key, current);
      return current.version === base.version ? attempt : undefined;
    }
    const statement = appendStatement(definition, writeOf(attempt, this.stream));
    const written = await database
      .withConnection(({ client }) => database.run(client, statement))
      .catch((cause: unknown) => {
        const uncertain = !(cause instanceof Fault) && classifyDatabaseError(cause).kind === 'lost';
        throw new WriteFailed(attempt, cause, uncertain);
      });
    if (written.rowCount === 0) return undefined;
    cache.set(this.key, attempt.result);
    return attempt;
  }

  /** Locks the state row, decides on what the lock returned, and commits. Undefined: somebody else created the row. */
  private writeUnderLock(members: Members<State, Event>): Promise<Attempt<State, Event> | undefined> {
    const { cache, database } = this.around;
    const [exclusive] = members.filter(({ decideLocked }) => decideLocked !== null);
    cache.delete(this.key);
    const work = (connection: Connection) => this.transaction(connection, exclusive ? [exclusive] : members);
    return exclusive ? database.withManager(work) : database.withConnection(work);
  }

  private async transaction(
    { client, manager }: Connection,
    members: Members<State, Event>,
  ): Promise<Attempt<State, Event> | undefined> {
    const { cache, database, definition } = this.around;
    let attempt: Attempt<State, Event> | undefined;
    let committing = false;
    try {
      if (manager) await manager.queryRunner!.startTransaction();
      else await client.query('BEGIN');
      await client.query(`SET LOCAL lock_timeout = '${this.lockTimeoutMs(members)}ms'`);
      await database.run(client, lockStatement(definition, this.stream.projectId, this.stream.streamId));
      const run = database.on(client);
      attempt = await this.decide(run, await this.load(run), members, manager);
      const statement = writes(attempt) ? appendStatement(definition, writeOf(attempt, this.stream)) : null;
      const written = statement === null || (await database.run(client, statement)).rowCount === 1;
      committing = statement !== null && written;
      const end = committing ? 'COMMIT' : 'ROLLBACK';
      if (!manager) await client.query(end);
      else
        await (committing
          ? manager.queryRunner!.commitTransaction()
          : manager.queryRunner!.rollbackTransaction());
      if (!written) return undefined;
      cache.set(this.key, attempt.result);
      return attempt;
    } catch (cause) {
      const lost = classifyDatabaseError(cause).kind === 'lost';
      if (!lost) await client.query('ROLLBACK').catch(() => undefined); // the first error tells more
      throw attempt ? new WriteFailed(attempt, cause, committing && lost) : cause;
    }
  }

  private async decide(
    run: RunStatement,
    base: StreamState<State>,
    members: Members<State, Event>,
    read?: Connection['manager'],
  ): Promise<Attempt<State, Event>> {
    const { definition } = this.around;
    const replayed = await executedBefore(run, definition, this.stream, base, members);
    const builder = new AttemptBuilder(definition, base);
    for (const member of members) {
      const before = replayed.get(member);
      if (before) {
        builder.answer(member, before);
        continue;
      }
      const early =
        member.decideLocked && read
          ? await settledDecision(member.decideLocked(builder.current, read))
          : null;
      if (!builder.add(member, early ?? (() => member.decide!(builder.current)))) break;
    }
    return builder.finish();
  }

  private async load(run: RunStatement): Promise<StreamState<State>> {
    const { definition } = this.around;
    const [row] = await run(loadStatement(definition, this.stream.projectId, this.stream.streamId));
    return readState(definition, row);
  }

  private settle(attempt: Attempt<State, Event>): void {
    const { metrics, committed } = this.around;
    for (const [member, outcome] of attempt.outcomes) member.settle(outcome);
    metrics.decisions += attempt.outcomes.size;
    if (!writes(attempt)) return;
    metrics.commits += 1;
    metrics.events += attempt.events.length;
    committed();
  }

  private async afterError(members: Members<State, Event>, error: unknown): Promise<void> {
    const failed = error instanceof WriteFailed ? (error as WriteFailed<State, Event>) : undefined;
    const cause = failed ? failed.cause : error;
    const unavailable = cause instanceof Fault && cause.kind === 'unavailable';
    const { kind } = unavailable ? { kind: 'lost' } : classifyDatabaseError(cause);
    if (failed?.uncertain) {
      this.around.metrics.inDoubtCommits += 1;
      this.doubt.add(failed.attempt);
    }
    if (kind === 'lost' || kind === 'transient' || kind === 'timeout') {
      this.underLock ||= kind !== 'lost' || this.doubt.open;
      await this.waitBeforeRetry(members, cause);
      return;
    }
    const failure =
      failed ?? new WriteFailed(new AttemptBuilder(this.around.definition, absent).finish(), cause, false);
    // Before anybody hears a "no", the commit in doubt must not stand: look again.
    if (this.doubt.open) this.failure = failure;
    else await this.refuse(members, failure as WriteFailed<State, Event>);
  }

  private async waitBeforeRetry(members: Members<State, Event>, cause: unknown): Promise<void> {
    if (Date.now() + this.delayMs >= this.giveUpAt) {
      const error = new Fault('unavailable', 'PostgreSQL did not tell the end of a commit in time', {
        cause,
      });
      for (const member of members) member.settle({ error });
      return;
    }
    await pause(this.delayMs);
    this.delayMs = Math.min(this.delayMs * 2, 250);
  }

  /** The database refused the batch: one member's own fault is told to him, and nobody else's fault is told to many. */
  private async refuse(
    members: Members<State, Event>,
    { attempt, cause }: WriteFailed<State, Event>,
  ): Promise<void> {
    const [only, ...others] = members;
    if (!only) return;
    if (others.length === 0) {
      only.settle(this.refusalOf(classifyDatabaseError(cause), attempt.result.state, cause));
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
    return members.length === 0 ? maxLockMs : Math.min(maxLockMs, Math.max(1, leftMs));
  }
}

/** An asynchronous decision as a function that returns or throws it. */
const settledDecision = <T>(decision: Promise<T>): Promise<() => T> =>
  decision.then(
    (decided) => () => decided,
    (error: unknown) => () => {
      throw error;
    },
  );
