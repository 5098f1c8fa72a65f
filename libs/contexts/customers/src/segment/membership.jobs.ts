import { Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { SegmentSnapshot } from '@scrip/contracts/customers';
import type { BusinessClock, RequestContext } from '@scrip/kernel';
import { nextReview } from '@scrip/list-query';
import {
  InjectBusinessClock,
  InjectJobQueue,
  JobHandler,
  JobQueue,
  Periodic,
  type RunningJob,
  defineJob,
} from '@scrip/service';
import { InternalContexts } from '@scrip/tasks';
import type { DataSource } from 'typeorm';
import { Memberships } from './memberships';
import { untilOthersSee } from './until-others-see';
import { changesWithTheDay, mayChangeWithTheDay } from './segment-filter';
import { SegmentTests } from './segment-tests';
import type { SegmentState } from './segment.decider';

/** A segment to work on. */
export interface KeptSegment {
  project_id: string;
  segment_id: string;
}

/** Finds the first members of an auto-update segment. */
export const buildSegment = defineJob<KeptSegment>('customers', 'build-segment');

/** Tests all customers against a filter by days. */
export const reviewSegment = defineJob<KeptSegment>('customers', 'review-segment');

const hourMs = 3_600_000;
const rowsTogether = 500;

const jobOf = (kind: string, segment: KeptSegment, runAt?: Date) => ({
  payload: segment,
  jobKey: `${kind} ${segment.project_id} ${segment.segment_id}`,
  ...(runAt ? { runAt } : {}),
});

/** Entries that begin builds. */
export const buildEntry = (segment: KeptSegment) => jobOf('build', segment);

/** Works on the members of auto-update segments in the background: chunk by chunk, so that a process killed at any point leaves
 *  what it has done, and the next attempt goes on. */
@Injectable()
export class MembershipJobs implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly rounds = new Periodic({
    name: MembershipJobs.name,
    everyMs: hourMs,
    run: () => this.addMissing(),
  });

  constructor(
    @InjectDataSource('customers') private readonly dataSource: DataSource,
    @InjectJobQueue('customers') private readonly queue: JobQueue,
    @InjectBusinessClock() private readonly clock: BusinessClock,
    private readonly contexts: InternalContexts,
    private readonly memberships: Memberships,
    private readonly tests: SegmentTests,
  ) {}

  onApplicationBootstrap(): void {
    this.rounds.start();
  }

  onModuleDestroy(): Promise<void> {
    return this.rounds.stop();
  }

  @JobHandler(buildSegment)
  async build(segment: KeptSegment, { abortSignal }: RunningJob): Promise<void> {
    const context = await this.contexts.of(segment.project_id);
    if (!context) return;
    await untilOthersSee(this.dataSource);
    while (await this.memberships.build(context, segment.segment_id)) abortSignal.throwIfAborted();
    await this.planReview(segment);
  }

  @JobHandler(reviewSegment)
  async review(kept: KeptSegment, { abortSignal }: RunningJob): Promise<void> {
    const context = await this.contexts.of(kept.project_id);
    const segment = (await this.memberships.kept(kept.project_id)).find(({ id }) => id === kept.segment_id);
    if (!context || !segment || !(await this.changesWithTheDay(context, segment))) return;
    for (let after: string | null = ''; after !== null; abortSignal.throwIfAborted())
      after = await this.memberships.testNext(context, segment, after);
    await this.planReview(kept);
  }

  /** Adds the next review of a segment whose members change with the day. */
  private async planReview(kept: KeptSegment): Promise<void> {
    const context = await this.contexts.of(kept.project_id);
    const segment = (await this.memberships.kept(kept.project_id)).find(({ id }) => id === kept.segment_id);
    if (!context || !segment || !(await this.changesWithTheDay(context, segment))) return;
    const { project } = context;
    const runAt = nextReview(this.clock.now(project), project.timezone);
    const { payload, ...options } = jobOf('review', kept, runAt);
    await this.queue.add(reviewSegment, payload, options);
  }

  private async changesWithTheDay(context: RequestContext, { filter }: SegmentSnapshot): Promise<boolean> {
    return filter !== null && changesWithTheDay(filter, (await this.tests.now(context)).typeOf);
  }

  /** Adds what ended with its last attempt, or was never added: builds now, reviews within an hour. */
  private async addMissing(): Promise<void> {
    const builds = 'SELECT project_id, segment_id, NULL::jsonb AS state FROM segment_builds';
    for await (const rows of this.inChunks<KeptSegment>(builds))
      await this.queue.addMany(
        buildSegment,
        rows.map(({ project_id, segment_id }) => buildEntry({ project_id, segment_id })),
      );
    const kept = `SELECT project_id, id AS segment_id, state FROM segments WHERE NOT deleted AND type = 'auto-update'`;
    for await (const rows of this.inChunks<KeptSegment & { state: SegmentState }>(kept)) {
      // Machine time: when a job runs.
      const runAt = new Date(Date.now() + hourMs);
      const reviews = rows
        .filter(({ state }) => mayChangeWithTheDay(state.segment.filter ?? {}))
        .map(({ project_id, segment_id }) => jobOf('review', { project_id, segment_id }, runAt));
      await this.queue.addMany(reviewSegment, reviews, undefined, 'preserve_run_at');
    }
  }

  /** The rows of a query, some hundred at a time in the order of their segments. */
  private async *inChunks<Row extends KeptSegment>(sql: string): AsyncGenerator<Row[]> {
    let last: KeptSegment | undefined = { project_id: '', segment_id: '' };
    while (last) {
      const rows: Row[] = await this.dataSource.query<Row[]>(
        `SELECT * FROM (${sql}) t WHERE (project_id, segment_id) > ($1, $2)
         ORDER BY project_id, segment_id LIMIT ${rowsTogether}`,
        [last.project_id, last.segment_id],
      );
      yield rows;
      last = rows.length < rowsTogether ? undefined : rows.at(-1);
    }
  }
}
