import type { Outcome } from '@scrip/contracts/claims';
import type { RedemptionEvent } from '@scrip/contracts/qualification';
import { completeKeys } from '@scrip/edge';
import {
  type AggregateStore,
  type EventStore,
  InjectEventStore,
  type NewStream,
  StaleRow,
  UniqueViolation,
  classifyDatabaseError,
} from '@scrip/event-store';
import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { Fault } from '@scrip/kernel';
import { InjectMetrics, type Metrics } from '@scrip/service';
import type { DataSource, EntityManager } from 'typeorm';
import { admit, objectsCountedBy, readsCounters, withCounters } from '../limits/admission';
import type { RefusedInstead } from '../limits/counted-recording';
import { scopesTable, withoutCounters } from '../limits/counter.table';
import { abandonUncommitted, insertOutcomes, resolveOutcomes, verdictRow } from '../outcomes/outcome.table';
import { type RedemptionState, redemptionAggregate } from '../redemption/redemption.aggregate';
import { ProjectLanes } from './project-lanes';
import type { Recording, RecordingEnd } from './recording';

interface Member extends Recording {
  /** What the last transaction recorded in its place. */
  refusedInstead?: RefusedInstead;
  resolve: (end: RecordingEnd) => void;
  reject: (error: unknown) => void;
}

const failureRetries = 3;

const redemptionIdOf = ({ outcome }: Recording): string => outcome?.redemption_id ?? '';

/** A member's streams, its verdict as a side row of the first. Aborts the statement where it would have to be counted. */
const streamsWithVerdict = (member: Recording): NewStream<RedemptionEvent>[] =>
  member.streams.map((stream, index) => ({
    ...stream,
    context: member.context,
    ...(member.outcome && index === 0
      ? {
          rows: [
            verdictRow(member.outcome),
            ...withoutCounters(member.context.project.id, objectsCountedBy(member)),
            ...(stream.rows ?? []),
          ],
        }
      : {}),
  }));

const verdictOf = ({ outcome }: Recording): Outcome['verdict'] | null => outcome?.verdict ?? null;

/** Writes verdicts, redemptions and failed redemptions. Recordings of one project form one batch at a time, in one
 *  statement or one transaction; projects of different lanes do not wait for each other. Source: architecture §8 step 3. */
@Injectable()
export class Recorder {
  private readonly store: AggregateStore<RedemptionState, RedemptionEvent>;
  private readonly batchDone: (seconds: number) => void;
  private readonly counted: (labels: Record<string, string>, count: number) => void;
  private readonly sized: (size: number) => void;
  private readonly lanes = new ProjectLanes<Member>((members) => this.commit(members));

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
    return new Promise((resolve, reject) => {
      if (this.lanes.add(recording.context.project.id, { ...recording, resolve, reject })) return;
      reject(new Fault('overloaded', 'too many redemptions of the project wait to be recorded'));
    });
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

  /** The usual case in one statement: each member succeeded or failed without a claim, no owner has asked before, and
   *  nothing has to be counted. Null: it is not that case, and nothing was written; where a verdict stands already or a
   *  counter is kept, the statement was aborted. */
  private async atOnce(members: readonly Member[]): Promise<RecordingEnd[] | null> {
    const usual = (member: Member): boolean =>
      member.key === null && member.outcome?.verdict !== 'ABANDONED' && !readsCounters(member);
    if (!members.every(usual)) return null;
    const inIdOrder = [...members].sort((a, b) => (redemptionIdOf(a) < redemptionIdOf(b) ? -1 : 1));
    try {
      await this.store.createTogether(members[0]!.context, inIdOrder.flatMap(streamsWithVerdict));
      return members.map(() => 'recorded');
    } catch (error) {
      const isCounted = error instanceof StaleRow && error.table === scopesTable;
      if (error instanceof UniqueViolation || isCounted) return null;
      throw error;
    }
  }

  /** One transaction for all members; throws without having answered anybody. */
  private async transaction(members: readonly Member[]): Promise<RecordingEnd[]> {
    return this.dataSource.transaction(async (manager) => {
      // Outcomes first: an owner that asks about one of these redemptions waits from here on.
      const written = await insertOutcomes(
        manager,
        members.flatMap(({ outcome }) => outcome ?? []),
      );
      const ends = members.map(({ outcome }): RecordingEnd =>
        outcome?.verdict === 'RECORDED' && !written.has(outcome.redemption_id) ? 'abandoned' : 'recorded',
      );
      const admitted = await admit(manager, members, (index) => ends[index] === 'recorded');
      for (const [index, refusedInstead] of admitted.refused) {
        ends[index] = 'limited';
        members[index]!.refusedInstead = refusedInstead;
      }
      await this.completeKeys(manager, members, ends);
      await abandonUncommitted(
        manager,
        members.flatMap(({ outcome }, index) =>
          outcome && (ends[index] === 'superseded' || ends[index] === 'limited') ? outcome.redemption_id : [],
        ),
      );
      await this.append(
        manager,
        members.flatMap((member, index) => {
          const { context, streams, refusedInstead } = member;
          if (ends[index] === 'recorded')
            return [{ context, streams: withCounters(streams, admitted.rows.get(index)) }];
          return ends[index] === 'limited' ? [{ context, streams: refusedInstead!.streams }] : [];
        }),
      );
      return ends;
    });
  }

  /** Completes the key rows of members that are still to be recorded, each with the answer of its own end; those that lost
   *  theirs leave the batch. */
  private async completeKeys(
    manager: EntityManager,
    members: readonly Member[],
    ends: RecordingEnd[],
  ): Promise<void> {
    const keyed = members.flatMap(({ key, refusedInstead }, index) => {
      if (!key) return [];
      if (ends[index] === 'recorded') return [{ key, index }];
      const answer = ends[index] === 'limited' ? refusedInstead!.answer : null;
      return answer ? [{ key: { ...key, answer }, index }] : [];
    });
    const completed = await completeKeys(
      manager,
      keyed.map(({ key }) => key),
    );
    for (const [n, { index }] of keyed.entries()) if (!completed[n]) ends[index] = 'superseded';
  }

  private async append(
    manager: EntityManager,
    members: readonly Pick<Recording, 'context' | 'streams'>[],
  ): Promise<void> {
    const streams = members.flatMap(({ context, streams: own }) =>
      own.map((stream) => ({ ...stream, context })),
    );
    if (streams.length > 0) await this.store.createMany(manager, members[0]!.context, streams);
  }

  private async afterError(members: readonly Member[], error: unknown): Promise<void> {
    const { kind } = classifyDatabaseError(error);
    if (kind === 'lost' || error instanceof Fault) {
      await Promise.all(members.map((member) => this.concludeUnknown(member, error)));
      return;
    }
    // Certainly rolled back. Members run again one by one, so that an error reaches only the caller that caused it.
    if (members.length > 1) {
      for (const member of members) await this.commit([member]);
      return;
    }
    await this.concludeUnknown(members[0]!, error, kind !== 'transient' && kind !== 'timeout');
  }

  /** The end of a recording whose transaction did not say how it ended: ABANDONED is inserted for its id, which waits
   *  for a backend that is still writing, and what stands then is the answer. `defect`: the error is this member's
   *  own. */
  private async concludeUnknown(member: Member, cause: unknown, defect = false): Promise<void> {
    try {
      const verdict = await this.standingVerdict(member);
      if (defect) return member.reject(cause);
      if (verdictOf(member) === 'RECORDED') {
        if (verdict === 'RECORDED') return this.end(member, 'recorded');
        return this.end(member, (await this.wasLimited(member)) ? 'limited' : 'abandoned');
      }
      this.end(member, await this.repeatFailure(member));
    } catch (error) {
      // The end is unknown: nothing is reverted, the owners will ask.
      member.reject(
        error instanceof Fault
          ? error
          : new Fault('unavailable', 'the end of a recording is unknown', { cause: error }),
      );
    }
  }

  /** Whether the transaction stands that recorded a refusal in the member's place. */
  private async wasLimited({ context, refusedInstead }: Member): Promise<boolean> {
    if (!refusedInstead) return false;
    const ids = refusedInstead.streams.map(({ streamId }) => streamId);
    const found = await this.store.loadMany(context.project.id, ids);
    return ids.every((id) => found.has(id));
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
