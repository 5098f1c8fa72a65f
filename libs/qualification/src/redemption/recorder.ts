import type { Outcome, RedemptionEvent } from '@scrip/contracts';
import {
  type AggregateStore,
  type EventStore,
  InjectEventStore,
  type NewStream,
  UniqueViolation,
  classifyDatabaseError,
} from '@scrip/event-store';
import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { Fault, type RequestContext } from '@scrip/kernel';
import { InjectMetrics, type Metrics } from '@scrip/service';
import type { DataSource, EntityManager } from 'typeorm';
import { abandonUncommitted, insertOutcomes, resolveOutcomes, verdictRow } from '../outcomes/outcome-table';
import { type RedemptionState, redemptionAggregate } from './redemption.aggregate';

/** The key row of a keyed command, completed in the transaction of its verdict. */
export interface KeyCompletion {
  completeInTransaction(manager: EntityManager, answer: { status: number; body: unknown }): Promise<boolean>;
}

/** What one request wants recorded. */
export interface Recording {
  context: RequestContext;
  /** Null where no claim was ever sent: a failed attempt then needs no verdict. */
  outcome: Outcome | null;
  streams: readonly NewStream<RedemptionEvent>[];
  /** Null without an Idempotency-Key. */
  key: { row: KeyCompletion; answer: { status: number; body: unknown } } | null;
}

/** `recorded`: it stands as wished. `abandoned`: somebody else had abandoned the redemption; nothing was written.
 *  `superseded`: another execution answered under the same Idempotency-Key; the verdict, if any, is ABANDONED. */
export type RecordingEnd = 'recorded' | 'abandoned' | 'superseded';

interface Member extends Recording {
  resolve: (end: RecordingEnd) => void;
  reject: (error: unknown) => void;
}

const membersPerBatch = 256;
const waitingMax = 10_000;
const failureRetries = 3;

const redemptionIdOf = ({ outcome }: Recording): string => outcome?.redemption_id ?? '';

/** A member's streams, its verdict as a side row of the first. */
const streamsWithVerdict = ({ context, outcome, streams }: Recording): NewStream<RedemptionEvent>[] =>
  streams.map((stream, index) => ({
    ...stream,
    context,
    ...(outcome && index === 0 ? { rows: [verdictRow(outcome), ...(stream.rows ?? [])] } : {}),
  }));

const verdictOf = ({ outcome }: Recording): Outcome['verdict'] | null => outcome?.verdict ?? null;

/** Writes verdicts, redemptions and failed attempts. The recordings of this process form one batch at a time: the next
 *  one takes everybody who came meanwhile, in one statement or one transaction. Source: architecture §8.3. */
@Injectable()
export class Recorder {
  private readonly store: AggregateStore<RedemptionState, RedemptionEvent>;
  private readonly batchDone: (seconds: number) => void;
  private readonly counted: (labels: Record<string, string>, count: number) => void;
  private readonly sized: (size: number) => void;
  private waiting: Member[] = [];
  private running = false;

  constructor(
    @InjectDataSource('qualification') private readonly dataSource: DataSource,
    @InjectEventStore('qualification') private readonly events: EventStore,
    @InjectMetrics() metrics: Metrics,
  ) {
    this.store = events.aggregate(redemptionAggregate);
    this.batchDone = metrics.durations(
      'scrip_recording_batch_duration_seconds',
      'One transaction of the recorder',
    );
    this.sized = metrics.gauge('scrip_recording_batch_size', 'Requests recorded by the last transaction');
    const recordings = metrics.counter('scrip_recordings_total', 'Recorded requests by their end', ['end']);
    this.counted = (labels, count) => recordings(labels, count);
  }

  /** Answers when the end is durable. Throws `Fault` `unavailable` when the end cannot be known, `overloaded` when too
   *  many wait, and what PostgreSQL says of data it refuses; the verdict is then ABANDONED if one could be written. */
  record(recording: Recording): Promise<RecordingEnd> {
    if (this.waiting.length >= waitingMax) {
      return Promise.reject(new Fault('overloaded', 'too many redemptions wait to be recorded'));
    }
    return new Promise((resolve, reject) => {
      this.waiting.push({ ...recording, resolve, reject });
      if (this.running) return;
      this.running = true;
      // Whoever answers in the same turn of the event loop joins the first batch.
      setImmediate(() => void this.run());
    });
  }

  private async run(): Promise<void> {
    while (this.waiting.length > 0) await this.commit(this.waiting.splice(0, membersPerBatch));
    this.running = false;
  }

  private async commit(members: readonly Member[]): Promise<void> {
    const startedAt = performance.now();
    try {
      const ends = (await this.atOnce(members)) ?? (await this.transaction(members));
      this.events.wakeReaders();
      members.forEach((member, index) => this.end(member, ends[index]!));
    } catch (error) {
      await this.afterError(members, error);
    } finally {
      this.sized(members.length);
      this.batchDone((performance.now() - startedAt) / 1_000);
    }
  }

  private end(member: Member, end: RecordingEnd): void {
    this.counted({ end }, 1);
    member.resolve(end);
  }

  /** The usual case in one statement: everybody succeeded or failed without a claim, and nobody has asked before. Limits,
   *  when they come, are not the usual case. Null:
   *  it is not that case, and nothing was written; where a verdict stands already, the statement was aborted. */
  private async atOnce(members: readonly Member[]): Promise<RecordingEnd[] | null> {
    const [{ context } = { context: null }] = members;
    const usual = ({ key, outcome, context: own }: Member): boolean =>
      key === null && outcome?.verdict !== 'ABANDONED' && own.project.id === context?.project.id;
    if (!context || !members.every(usual)) return null;
    const inIdOrder = [...members].sort((a, b) => (redemptionIdOf(a) < redemptionIdOf(b) ? -1 : 1));
    try {
      await this.store.createTogether(context, inIdOrder.flatMap(streamsWithVerdict));
      return members.map(() => 'recorded');
    } catch (error) {
      if (error instanceof UniqueViolation) return null;
      throw error;
    }
  }

  /** One transaction for all members; throws without having answered anybody. */
  private async transaction(members: readonly Member[]): Promise<RecordingEnd[]> {
    return this.dataSource.transaction(async (manager) => {
      // Outcomes first: whoever asks about one of these redemptions waits from here on.
      const written = await insertOutcomes(
        manager,
        members.flatMap(({ outcome }) => outcome ?? []),
      );
      const ends = members.map(({ outcome }): RecordingEnd =>
        outcome?.verdict === 'RECORDED' && !written.has(outcome.redemption_id) ? 'abandoned' : 'recorded',
      );
      // Limits belong here: the counter rows of all members that are left are locked in key order, members are admitted
      // in memory, and whoever is refused joins `superseded` below with a failure record in place of its streams.
      const superseded = await this.completeKeys(manager, members, ends);
      await abandonUncommitted(manager, superseded);
      await this.append(
        manager,
        members.filter((_, index) => ends[index] === 'recorded'),
      );
      return ends;
    });
  }

  /** Completes the key rows of members that are still to be recorded; those that lost theirs leave the batch. Answers
   *  the redemptions whose uncommitted verdict must become ABANDONED. */
  private async completeKeys(
    manager: EntityManager,
    members: readonly Member[],
    ends: RecordingEnd[],
  ): Promise<string[]> {
    const lost: string[] = [];
    for (const [index, { key, outcome }] of members.entries()) {
      if (!key || ends[index] !== 'recorded') continue;
      if (await key.row.completeInTransaction(manager, key.answer)) continue;
      ends[index] = 'superseded';
      if (outcome) lost.push(outcome.redemption_id);
    }
    return lost;
  }

  private async append(manager: EntityManager, members: readonly Member[]): Promise<void> {
    const byProject = new Map<string, Member[]>();
    for (const member of members) {
      const { id } = member.context.project;
      byProject.set(id, [...(byProject.get(id) ?? []), member]);
    }
    for (const [, [first, ...others]] of byProject) {
      const streams = [first!, ...others].flatMap(({ context, streams: own }) =>
        own.map((stream) => ({ ...stream, context })),
      );
      await this.store.createMany(manager, first!.context, streams);
    }
  }

  private async afterError(members: readonly Member[], error: unknown): Promise<void> {
    const { kind } = classifyDatabaseError(error);
    if (kind === 'lost' || error instanceof Fault) {
      await Promise.all(members.map((member) => this.concludeUnknown(member, error)));
      return;
    }
    // Rolled back for sure. One by one, so that one caller's fault is nobody else's.
    if (members.length > 1) {
      for (const member of members) await this.commit([member]);
      return;
    }
    await this.concludeUnknown(members[0]!, error, kind !== 'transient' && kind !== 'timeout');
  }

  /** The end of a recording whose transaction did not say how it ended: ABANDONED is inserted for its id, which waits
   *  for a backend that is still writing, and what stands then is the answer. `defect`: nobody else is to blame. */
  private async concludeUnknown(member: Member, cause: unknown, defect = false): Promise<void> {
    try {
      const verdict = await this.standingVerdict(member);
      if (defect) return member.reject(cause);
      if (verdictOf(member) === 'RECORDED') {
        return this.end(member, verdict === 'RECORDED' ? 'recorded' : 'abandoned');
      }
      this.end(member, await this.repeatFailure(member));
    } catch (error) {
      // Nobody knows the end: nothing is reverted, the owners will ask.
      member.reject(
        error instanceof Fault
          ? error
          : new Fault('unavailable', 'the end of a recording is unknown', { cause: error }),
      );
    }
  }

  private async standingVerdict({ outcome }: Recording): Promise<Outcome['verdict'] | null> {
    if (!outcome) return null;
    const [standing] = await resolveOutcomes(this.dataSource.manager, [outcome.redemption_id]);
    return standing?.verdict ?? null;
  }

  /** Writes a failure record again unless it stands. Its verdict, where it has one, stands already. `superseded`: the
   *  key belongs to another execution by now, and nothing was written. */
  private async repeatFailure(member: Member): Promise<RecordingEnd> {
    for (let round = 1; ; round += 1) {
      const ids = member.streams.map(({ streamId }) => streamId);
      const found = await this.store.loadMany(member.context.project.id, ids);
      if (ids.every((id) => found.has(id))) return 'recorded';
      try {
        const [end] = await this.transaction([member]);
        this.events.wakeReaders();
        return end!;
      } catch (error) {
        if (round === failureRetries) throw error;
      }
    }
  }
}
