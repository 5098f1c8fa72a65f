import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { LocationUsersPort } from '@scrip/contracts/auth';
import type { ProductCollectionSnapshot } from '@scrip/contracts/catalog';
import { runQuery } from '@scrip/event-store';
import type { Refusal, RequestContext } from '@scrip/kernel';
import { filtersOf, unknownLocation } from '@scrip/list-query';
import { LocationMatcher } from '@scrip/metadata';
import { InjectJobQueue, JobQueue } from '@scrip/service';
import type { DataSource, EntityManager } from 'typeorm';
import { locationsOfCollection } from './collection-filter';
import type { CollectionState } from './collection.decider';
import { collectionJobs } from './collection.jobs';

/** Writes of a project's filters run one after another, until their transactions end. */
export const lockFilters = async (read: EntityManager, projectId: string): Promise<void> => {
  await runQuery(read, `SELECT pg_advisory_xact_lock(hashtext('scrip.product-collections'), hashtext($1))`, [
    projectId,
  ]);
};

/** The locations that filters of collections refer to. Source: reference 07 §9, ADR 113. */
@Injectable()
export class CollectionLocations {
  constructor(
    @InjectDataSource('catalog') private readonly dataSource: DataSource,
    @InjectJobQueue('catalog') private readonly queue: JobQueue,
    private readonly locations: LocationMatcher,
  ) {}

  /** Notes at auth what a filter refers to, behind `lockFilters` and before the filter is stored. Refuses a location that does not
   *  exist. */
  async use(
    context: RequestContext,
    collection: Pick<ProductCollectionSnapshot, 'id' | 'filter'>,
  ): Promise<Refusal<'invalid_payload'> | null> {
    const use = { user: 'products_collection', user_id: collection.id } as const;
    const ids = locationsOfCollection(collection);
    return unknownLocation(
      filtersOf(collection.filter ?? {}),
      await this.locations.use(context, { ...use, ids }),
    );
  }

  /** See `LocationUsersPort.refersToLocation`. */
  readonly refers: LocationUsersPort['refersToLocation'] = ({ project }, { location_id, ids }) =>
    this.dataSource.transaction(async (manager) => {
      await lockFilters(manager, project.id);
      return { ids: await referring(manager, { projectId: project.id, location_id, ids }) };
    });

  /** See `LocationUsersPort.retestLocation`. */
  readonly retest: LocationUsersPort['retestLocation'] = async ({ project }, { location_id }) => {
    const ids = await referring(this.dataSource, { projectId: project.id, location_id });
    const entries = ids.map((id) => collectionJobs.retestEntry({ project_id: project.id, id }));
    if (entries.length > 0) await this.queue.addMany(collectionJobs.retestJob, entries);
    return { begun: entries.length };
  };
}

/** The collections, of those asked for or of all, that refer to a location. */
const referring = async (
  on: DataSource | EntityManager,
  {
    projectId,
    location_id,
    ids = null,
  }: { projectId: string; location_id: string; ids?: readonly string[] | null },
): Promise<string[]> => {
  const rows = await runQuery<{ state: CollectionState }>(
    on,
    `SELECT state FROM product_collections
     WHERE project_id = $1 AND NOT deleted AND ($2::text[] IS NULL OR id = ANY($2)) ORDER BY id`,
    [projectId, ids],
  );
  return rows
    .map(({ state }) => state.collection)
    .filter((collection) => locationsOfCollection(collection).includes(location_id))
    .map(({ id }) => id);
};
