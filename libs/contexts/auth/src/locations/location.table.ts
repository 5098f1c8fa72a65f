import type { Shape } from '@scrip/locations';
import type { Queries } from '../users/user.table';

/** A named part of the globe. Source: reference 07 §9. */
export interface Location {
  /** `loc_…` */
  id: string;
  name: string;
  shape: Shape;
  created_at: Date;
  updated_at: Date | null;
}

/** What a read of a location selects. */
export const locationColumns = 't.id, t.name, t.shape, t.created_at, t.updated_at';

/** Returns a location; null for an unknown id. `lock`: until the end of the transaction. */
export const locationById = async (
  database: Queries,
  projectId: string,
  id: string,
  { lock = false } = {},
): Promise<Location | null> => {
  const [row] = await database.query<Location[]>(
    `SELECT ${locationColumns} FROM locations t WHERE t.project_id = $1 AND t.id = $2${lock ? ' FOR UPDATE' : ''}`,
    [projectId, id],
  );
  return row ?? null;
};

/** Stores a location as it is, new or changed. In a transaction that holds its lock, or that of the project's locations. */
export const storeLocation = async (
  database: Queries,
  projectId: string,
  { id, name, shape, created_at, updated_at }: Location,
): Promise<void> => {
  await database.query(
    `INSERT INTO locations (project_id, id, name, shape, created_at, updated_at) VALUES ($1, $2, $3, $4, $5, $6)
     ON CONFLICT (project_id, id) DO UPDATE SET name = $3, shape = $4, updated_at = $6`,
    [projectId, id, name, JSON.stringify(shape), created_at, updated_at],
  );
};

/** Returns the shapes of locations; those that do not exist are left out. */
export const shapesOf = (
  database: Queries,
  projectId: string,
  ids: readonly string[],
): Promise<Pick<Location, 'id' | 'shape'>[]> =>
  database.query('SELECT id, shape FROM locations WHERE project_id = $1 AND id = ANY($2)', [projectId, ids]);

/** Removes a location. Returns whether there was one. */
export const deleteLocation = async (database: Queries, projectId: string, id: string): Promise<boolean> => {
  const [, deleted] = await database.query<[unknown[], number]>(
    'DELETE FROM locations WHERE project_id = $1 AND id = $2 RETURNING 1',
    [projectId, id],
  );
  return deleted === 1;
};

/** Returns the number of the project's locations, under a lock: creations of one project run one after another. */
export const countLocations = async (database: Queries, projectId: string): Promise<number> => {
  await database.query(`SELECT pg_advisory_xact_lock(hashtext('scrip.locations'), hashtext($1))`, [
    projectId,
  ]);
  const [row] = await database.query<{ count: number }[]>(
    'SELECT count(*)::int AS count FROM locations WHERE project_id = $1',
    [projectId],
  );
  return row?.count ?? 0;
};
