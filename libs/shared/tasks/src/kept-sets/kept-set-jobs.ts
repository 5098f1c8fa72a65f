import {
  Inject,
  Injectable,
  type OnApplicationBootstrap,
  type OnModuleDestroy,
  type Type,
} from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { ContextName } from '@scrip/contracts/registry';
import type { BusinessClock, RequestContext } from '@scrip/kernel';
import { nextReview } from '@scrip/list-query';
import {
  InjectBusinessClock,
  InjectJobQueue,
  type JobDefinition,
  type JobEntry,
  JobHandler,
  JobQueue,
  Periodic,
  type RunningJob,
  defineJob,
  jobsSchema,
} from '@scrip/service';
import type { DataSource } from 'typeorm';
import { InternalContexts } from '../internal-contexts';
import type { KeptSet, KeptSets } from './kept-sets';
import {
  hasWalker,
  isUnderWalk,
  type KeptSetTables,
  keptState,
  setsKept,
  setsWithoutWalker,
} from './kept-sets.reads';

/** The set that a job works on: `project_id`, and the set's id as `<what>_id`. */
type KeptSetPayload = Readonly<Record<string, string>>;

/** What a context says of the sets that it keeps. */
export interface KeptSetParts<State extends object> {
  context: ContextName;
  /** What a set is called: `segment`. Part of the names of its jobs, which may wait while a process is updated. */
  what: string;
  /** A provider of the context. */
  sets: Type<KeptSets<State>>;
  tables: Omit<KeptSetTables, 'setColumn' | 'jobs'>;
  /** Whether `KeptSets.changesWithTheDay` may say so, told without asking anybody. */
  mayChangeWithTheDay(state: State): boolean;
}

/** Runs the jobs of kept sets. */
export interface KeptSetJobs {
  build(payload: KeptSetPayload, job: RunningJob): Promise<void>;
  review(payload: KeptSetPayload, job: RunningJob): Promise<void>;
  retest(payload: KeptSetPayload, job: RunningJob): Promise<void>;
}

const secondMs = 1_000;
const hourMs = 3_600 * secondMs;
/** From the start of a process to its first look for jobs that are missing. */
const firstLookMs = 10 * secondMs;

/** The jobs of the sets that a context keeps, as a provider for its module, and what begins a walk: a build goes through all
 *  records, a review does it again within an hour and at the beginning of each day, for filters by days, and a retest once, for
 *  filters whose meaning changed, behind a build that is under way. A walk that nothing goes on with, as a killed process leaves that of
 *  a review or retest, gets a build. Soon after the start and every hour jobs are added that ended with their last attempt, or never
 *  were. The context has `jobs: true`. Source: ADR 111. */
export const keptSetJobs = <State extends object>({
  context,
  what,
  sets,
  tables: storedIn,
  mayChangeWithTheDay,
}: KeptSetParts<State>): {
  jobs: Type<KeptSetJobs>;
  buildJob: JobDefinition<KeptSetPayload>;
  buildEntry: (set: KeptSet) => JobEntry<KeptSetPayload>;
  retestJob: JobDefinition<KeptSetPayload>;
  retestEntry: (set: KeptSet) => JobEntry<KeptSetPayload>;
} => {
  const setColumn = `${what}_id`;
  const tables: KeptSetTables = { ...storedIn, setColumn, jobs: `${jobsSchema(context)}.jobs` };
  const buildJob = defineJob<KeptSetPayload>(context, `build-${what}`);
  const reviewJob = defineJob<KeptSetPayload>(context, `review-${what}`);
  const retestJob = defineJob<KeptSetPayload>(context, `retest-${what}`);

  const setOf = (payload: KeptSetPayload): KeptSet => ({
    project_id: payload['project_id'] ?? '',
    id: payload[setColumn] ?? '',
  });
  const entryOf = (kind: 'build' | 'review' | 'retest', { project_id, id }: KeptSet, runAt?: Date) => ({
    payload: { project_id, [setColumn]: id },
    jobKey: `${kind} ${project_id} ${id}`, // As `kept-sets.reads.ts` looks for it.
    ...(runAt ? { runAt } : {}),
  });

  @Injectable()
  class JobsOfContext implements KeptSetJobs, OnApplicationBootstrap, OnModuleDestroy {
    private readonly rounds = new Periodic({
      name: `${what} jobs`,
      everyMs: hourMs,
      firstMs: firstLookMs,
      run: () => this.addMissing(),
    });

    constructor(
      @InjectDataSource(context) private readonly dataSource: DataSource,
      @InjectJobQueue(context) private readonly queue: JobQueue,
      @InjectBusinessClock() private readonly clock: BusinessClock,
      private readonly contexts: InternalContexts,
      @Inject(sets) private readonly kept: KeptSets<State>,
    ) {}

    onApplicationBootstrap(): void {
      this.rounds.start();
    }

    onModuleDestroy(): Promise<void> {
      return this.rounds.stop();
    }

    @JobHandler(buildJob)
    async build(payload: KeptSetPayload, { abortSignal }: RunningJob): Promise<void> {
      const set = setOf(payload);
      const of = await this.contexts.of(set.project_id);
      if (!of) return;
      await this.kept.beforeWalk?.();
      while (await this.kept.walk(of, set.id)) abortSignal.throwIfAborted();
      if (await this.isReviewed(of, set)) await this.planReview(of, set);
    }

    @JobHandler(reviewJob)
    async review(payload: KeptSetPayload, { abortSignal }: RunningJob): Promise<void> {
      const set = setOf(payload);
      const of = await this.contexts.of(set.project_id);
      if (!of) return;
      // The end of a build plans the next review.
      if (await isUnderWalk(this.dataSource, tables, set)) return this.goOn(set);
      if (!(await this.isReviewed(of, set))) return;
      await this.kept.review(of, set.id, abortSignal);
      await this.planReview(of, set);
    }

    @JobHandler(retestJob)
    async retest(payload: KeptSetPayload, { abortSignal }: RunningJob): Promise<void> {
      const set = setOf(payload);
      const of = await this.contexts.of(set.project_id);
      if (!of) return;
      // A step of a build may know the old meaning of the filter still, and store what it found where the retest was already.
      if (await isUnderWalk(this.dataSource, tables, set)) {
        await this.goOn(set);
        return this.retestLater(set);
      }
      await this.kept.review(of, set.id, abortSignal);
      // Days may begin at another time now, or begin to matter.
      if (await this.isReviewed(of, set)) await this.planReview(of, set);
    }

    /** Has a walk that is under way go on where no build does it: an attempt before this one may have begun it and ended. */
    private async goOn(set: KeptSet): Promise<void> {
      if (await hasWalker(this.dataSource, tables, set)) return;
      const { payload, ...options } = entryOf('build', set);
      await this.queue.add(buildJob, payload, options);
    }

    private async retestLater(set: KeptSet): Promise<void> {
      // Machine time: when a job runs.
      const { payload, ...options } = entryOf('retest', set, new Date(Date.now() + secondMs));
      await this.queue.add(retestJob, payload, options);
    }

    private async isReviewed(of: RequestContext, set: KeptSet): Promise<boolean> {
      const state = await keptState<State>(this.dataSource, tables, set);
      return state !== undefined && this.kept.changesWithTheDay(of, state);
    }

    private async planReview({ project }: RequestContext, set: KeptSet): Promise<void> {
      const runAt = nextReview(this.clock.now(project), project.timezone);
      const { payload, ...options } = entryOf('review', set, runAt);
      await this.queue.add(reviewJob, payload, options);
    }

    /** Adds what is missing: builds now, reviews within an hour. */
    private async addMissing(): Promise<void> {
      for await (const walked of setsWithoutWalker(this.dataSource, tables))
        await this.queue.addMany(
          buildJob,
          walked.map((set) => entryOf('build', set)),
        );
      for await (const kept of setsKept<State>(this.dataSource, tables)) {
        // Machine time: when a job runs.
        const runAt = new Date(Date.now() + hourMs);
        const reviews = kept.filter(({ state }) => mayChangeWithTheDay(state));
        const entries = reviews.map((set) => entryOf('review', set, runAt));
        await this.queue.addMany(reviewJob, entries, undefined, 'preserve_run_at');
      }
    }
  }

  return {
    jobs: JobsOfContext,
    buildJob,
    buildEntry: (set) => entryOf('build', set),
    retestJob,
    retestEntry: (set) => entryOf('retest', set),
  };
};
