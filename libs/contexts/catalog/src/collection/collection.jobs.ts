import { Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { runQuery } from '@scrip/event-store';
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
import { membersChangeWithTheDay, membersMayChangeWithTheDay } from './collection-filter';
import { CollectionItems } from './collection-items';
import { CollectionTests } from './collection-tests';
import type { CollectionState } from './collection.decider';

/** A collection to work on. */
export interface KeptCollection {
  project_id: string;
  collection_id: string;
}

/** Goes on to find what belongs to a collection. */
export const buildCollection = defineJob<KeptCollection>('catalog', 'build-collection');

/** Tests everything against a filter by days. */
export const reviewCollection = defineJob<KeptCollection>('catalog', 'review-collection');

/** Removes what is kept of a deleted collection. */
export const removeCollection = defineJob<KeptCollection>('catalog', 'remove-collection');

const hourMs = 3_600_000;

/** An entry of a job on a collection: one at a time of each kind. */
export const entryOf = (kind: 'build' | 'review' | 'remove', collection: KeptCollection, runAt?: Date) => ({
  payload: collection,
  jobKey: `${kind} ${collection.project_id} ${collection.collection_id}`,
  ...(runAt ? { runAt } : {}),
});

/** Works on collections in the background: chunk by chunk, so that a process killed at any point leaves what it has done, and
 *  the next attempt goes on. */
@Injectable()
export class CollectionJobs implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly rounds = new Periodic({
    name: CollectionJobs.name,
    everyMs: hourMs,
    run: () => this.addMissing(),
  });

  constructor(
    @InjectDataSource('catalog') private readonly dataSource: DataSource,
    @InjectJobQueue('catalog') private readonly queue: JobQueue,
    @InjectBusinessClock() private readonly clock: BusinessClock,
    private readonly contexts: InternalContexts,
    private readonly items: CollectionItems,
    private readonly tests: CollectionTests,
  ) {}

  onApplicationBootstrap(): void {
    this.rounds.start();
  }

  onModuleDestroy(): Promise<void> {
    return this.rounds.stop();
  }

  @JobHandler(buildCollection)
  async build(collection: KeptCollection, { abortSignal }: RunningJob): Promise<void> {
    const context = await this.contexts.of(collection.project_id);
    if (!context) return;
    while (await this.items.walk(context, collection.collection_id)) abortSignal.throwIfAborted();
    await this.planReview(collection);
  }

  @JobHandler(reviewCollection)
  async review(collection: KeptCollection, job: RunningJob): Promise<void> {
    const context = await this.contexts.of(collection.project_id);
    if (!context || !(await this.changesWithTheDay(context, collection))) return;
    await this.items.beginWalk(collection.project_id, collection.collection_id);
    await this.build(collection, job);
  }

  @JobHandler(removeCollection)
  remove({ project_id, collection_id }: KeptCollection): Promise<void> {
    return this.items.removeAll(project_id, collection_id);
  }

  /** Adds the next review of a collection whose records change with the day. */
  private async planReview(collection: KeptCollection): Promise<void> {
    const context = await this.contexts.of(collection.project_id);
    if (!context || !(await this.changesWithTheDay(context, collection))) return;
    const { project } = context;
    const runAt = nextReview(this.clock.now(project), project.timezone);
    const { payload, ...options } = entryOf('review', collection, runAt);
    await this.queue.add(reviewCollection, payload, options);
  }

  private async changesWithTheDay(
    context: RequestContext,
    { project_id, collection_id }: KeptCollection,
  ): Promise<boolean> {
    const [row] = await runQuery<{ state: CollectionState }>(
      this.dataSource,
      'SELECT state FROM product_collections WHERE project_id = $1 AND id = $2 AND NOT deleted',
      [project_id, collection_id],
    );
    if (row === undefined) return false;
    return membersChangeWithTheDay(row.state.collection, (await this.tests.now(context)).typeOf);
  }

  /** Adds what ended with its last attempt, or was never added: builds now, reviews within an hour. */
  private async addMissing(): Promise<void> {
    const builds = await runQuery<KeptCollection>(
      this.dataSource,
      'SELECT project_id, collection_id FROM collection_walks',
    );
    await this.queue.addMany(
      buildCollection,
      builds.map((one) => entryOf('build', one)),
    );
    const rows = await runQuery<KeptCollection & { state: CollectionState }>(
      this.dataSource,
      `SELECT project_id, id AS collection_id, state FROM product_collections
       WHERE NOT deleted AND type = 'AUTO_UPDATE'`,
    );
    // Machine time: when a job runs.
    const runAt = new Date(Date.now() + hourMs);
    const reviews = rows
      .filter(({ state }) => membersMayChangeWithTheDay(state.collection))
      .map(({ project_id, collection_id }) => entryOf('review', { project_id, collection_id }, runAt));
    await this.queue.addMany(reviewCollection, reviews, undefined, 'preserve_run_at');
  }
}
