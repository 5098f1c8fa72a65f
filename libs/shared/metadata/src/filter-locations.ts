import type { LocationUser, LocationUsersPort } from '@scrip/contracts/auth';
import type { Refusal, RequestContext } from '@scrip/kernel';
import { filtersOf, locationsOf, type StoredFilter, unknownLocation } from '@scrip/list-query';
import type { DataSource, EntityManager } from 'typeorm';
import type { LocationMatcher } from './location-matcher';

/** A segment or collection with a filter. `isKept`: what belongs to it is stored. */
export interface FilteredSet {
  id: string;
  filter: StoredFilter | null;
  isKept: boolean;
}

/** What a context says of its sets that have filters. */
export interface FilterOwner<State> {
  user: LocationUser;
  /** The state table of the sets, and the condition that those with filters meet. */
  table: string;
  hasFilter: string;
  setOf(state: State): FilteredSet;
  /** Begins to test all records against sets once more. */
  retest(sets: readonly { project_id: string; id: string }[]): Promise<void>;
}

/** Writes of a project's filters in one context run one after another, until their transactions end. `table`: of the sets. */
export const lockFilters = async (read: EntityManager, table: string, projectId: string): Promise<void> => {
  await read.query('SELECT pg_advisory_xact_lock(hashtext($1), hashtext($2))', [
    `scrip.${table.replaceAll('_', '-')}`,
    projectId,
  ]);
};

/** The locations that filters of a context refer to. Source: reference 07 §9, ADR 113. */
export class FilterLocations<State> {
  constructor(
    private readonly dataSource: DataSource,
    private readonly locations: LocationMatcher,
    private readonly owner: FilterOwner<State>,
  ) {}

  /** Notes at auth what a filter refers to, behind `lockFilters` and before the filter is stored. Refuses a location that does not
   *  exist. */
  async use(
    context: RequestContext,
    id: string,
    filter: StoredFilter | null,
  ): Promise<Refusal<'invalid_payload'> | null> {
    if (filter === null) return null;
    const filters = filtersOf(filter);
    const use = { user: this.owner.user, user_id: id, ids: locationsOf(filters) };
    return unknownLocation(filters, await this.locations.use(context, use));
  }

  /** See `LocationUsersPort.refersToLocation`. */
  readonly refers: LocationUsersPort['refersToLocation'] = ({ project }, { location_id, ids }) =>
    this.dataSource.transaction(async (manager) => {
      await lockFilters(manager, this.owner.table, project.id);
      const referring = await this.referring(manager, project.id, location_id, ids);
      return { ids: referring.map(({ id }) => id) };
    });

  /** See `LocationUsersPort.retestLocation`: what is not kept is tested when it is asked for. */
  readonly retest: LocationUsersPort['retestLocation'] = async ({ project }, { location_id }) => {
    const referring = await this.referring(this.dataSource, project.id, location_id);
    const kept = referring.filter(({ isKept }) => isKept);
    if (kept.length > 0) await this.owner.retest(kept.map(({ id }) => ({ project_id: project.id, id })));
    return { begun: kept.length };
  };

  /** The sets, of those asked for or of all, that refer to a location. */
  private async referring(
    on: DataSource | EntityManager,
    projectId: string,
    locationId: string,
    ids: readonly string[] | null = null,
  ): Promise<FilteredSet[]> {
    const { table, hasFilter, setOf } = this.owner;
    const rows = await on.query<{ state: State }[]>(
      `SELECT state FROM ${table}
       WHERE project_id = $1 AND NOT deleted AND ${hasFilter} AND ($2::text[] IS NULL OR id = ANY($2)) ORDER BY id`,
      [projectId, ids],
    );
    return rows
      .map(({ state }) => setOf(state))
      .filter(({ filter }) => filter !== null && locationsOf(filtersOf(filter)).includes(locationId));
  }
}
