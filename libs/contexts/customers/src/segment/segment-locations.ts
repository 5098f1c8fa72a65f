import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { LocationUsersPort } from '@scrip/contracts/auth';
import type { SegmentSnapshot } from '@scrip/contracts/customers';
import type { RequestContext } from '@scrip/kernel';
import { filtersOf, locationsOf, unknownLocation } from '@scrip/list-query';
import { LocationMatcher } from '@scrip/metadata';
import { InjectJobQueue, JobQueue } from '@scrip/service';
import type { DataSource, EntityManager } from 'typeorm';
import { segmentJobs } from './membership.jobs';
import type { SegmentRefusal, SegmentState } from './segment.decider';

const refersTo = ({ filter }: SegmentSnapshot, locationId: string): boolean =>
  filter !== null && locationsOf(filtersOf(filter)).includes(locationId);

/** Writes of a project's filters run one after another, until their transactions end. */
export const lockFilters = async (read: EntityManager, projectId: string): Promise<void> => {
  await read.query(`SELECT pg_advisory_xact_lock(hashtext('scrip.segments'), hashtext($1))`, [projectId]);
};

/** The locations that filters of segments refer to. Source: reference 07 §9, ADR 113. */
@Injectable()
export class SegmentLocations {
  constructor(
    @InjectDataSource('customers') private readonly dataSource: DataSource,
    @InjectJobQueue('customers') private readonly queue: JobQueue,
    private readonly locations: LocationMatcher,
  ) {}

  /** Notes at auth what a filter refers to, behind `lockFilters` and before the filter is stored. Refuses a location that does not
   *  exist. */
  async use(
    context: RequestContext,
    id: string,
    filter: SegmentSnapshot['filter'],
  ): Promise<SegmentRefusal | null> {
    if (filter === null) return null;
    const filters = filtersOf(filter);
    const ids = locationsOf(filters);
    return unknownLocation(filters, await this.locations.use(context, { user: 'segment', user_id: id, ids }));
  }

  /** See `LocationUsersPort.refersToLocation`. */
  readonly refers: LocationUsersPort['refersToLocation'] = ({ project }, { location_id, ids }) =>
    this.dataSource.transaction(async (manager) => {
      await lockFilters(manager, project.id);
      const rows = await manager.query<{ state: SegmentState }[]>(
        'SELECT state FROM segments WHERE project_id = $1 AND id = ANY($2) AND NOT deleted ORDER BY id',
        [project.id, ids],
      );
      const referring = rows.filter(({ state }) => refersTo(state.segment, location_id));
      return { ids: referring.map(({ state }) => state.segment.id) };
    });

  /** See `LocationUsersPort.retestLocation`: members of auto-update segments are kept, others are tested when they are asked
   *  for. */
  readonly retest: LocationUsersPort['retestLocation'] = async ({ project }, { location_id }) => {
    const rows = await this.dataSource.query<{ state: SegmentState }[]>(
      `SELECT state FROM segments WHERE project_id = $1 AND NOT deleted AND type = 'auto-update'`,
      [project.id],
    );
    const entries = rows
      .filter(({ state }) => refersTo(state.segment, location_id))
      .map(({ state }) => segmentJobs.retestEntry({ project_id: project.id, id: state.segment.id }));
    if (entries.length > 0) await this.queue.addMany(segmentJobs.retestJob, entries);
    return { begun: entries.length };
  };
}
