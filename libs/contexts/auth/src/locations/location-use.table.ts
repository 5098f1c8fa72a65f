import { type LocationUser, usersPerCall } from '@scrip/contracts/auth';
import type { Queries } from '../users/user.table';

/** That a filter refers to a location, or did. `note` rises each time it is about to be stored. */
export interface LocationUse {
  used_by: LocationUser;
  user_id: string;
  note: string;
}

/** Notes that a filter is about to refer to locations, which stay until the end of the transaction. Returns the ids that no
 *  location has; then nothing is noted. */
export const noteUses = async (
  database: Queries,
  projectId: string,
  { user, user_id, ids }: { user: LocationUser; user_id: string; ids: readonly string[] },
): Promise<string[]> => {
  const wanted = [...new Set(ids)].sort();
  const known = await database.query<{ id: string }[]>(
    'SELECT id FROM locations WHERE project_id = $1 AND id = ANY($2) ORDER BY id FOR KEY SHARE',
    [projectId, wanted],
  );
  const found = new Set(known.map(({ id }) => id));
  const unknown = wanted.filter((id) => !found.has(id));
  if (unknown.length > 0) return unknown;
  await database.query(
    `INSERT INTO location_uses (project_id, location_id, used_by, user_id)
     SELECT $1, id, $3, $4 FROM unnest($2::text[]) AS id
     ON CONFLICT (project_id, location_id, used_by, user_id) DO UPDATE SET note = nextval('location_notes')`,
    [projectId, wanted, user, user_id],
  );
  return [];
};

/** The filters that refer to a location, or did, in the order of their ids; as many as one call asks about. */
export const usesOf = (
  database: Queries,
  projectId: string,
  locationId: string,
  behind: { used_by: string; user_id: string } = { used_by: '', user_id: '' },
): Promise<LocationUse[]> =>
  database.query<LocationUse[]>(
    `SELECT used_by, user_id, note::text FROM location_uses
     WHERE project_id = $1 AND location_id = $2 AND (used_by, user_id) > ($3, $4)
     ORDER BY used_by, user_id LIMIT ${usersPerCall}`,
    [projectId, locationId, behind.used_by, behind.user_id],
  );

/** Forgets uses that have not been noted again since they were read. */
export const forgetUses = async (
  database: Queries,
  projectId: string,
  locationId: string,
  uses: readonly LocationUse[],
): Promise<void> => {
  if (uses.length === 0) return;
  await database.query(
    `DELETE FROM location_uses u USING unnest($3::text[], $4::text[], $5::bigint[]) AS old(used_by, user_id, note)
     WHERE u.project_id = $1 AND u.location_id = $2 AND u.used_by = old.used_by AND u.user_id = old.user_id
       AND u.note = old.note`,
    [
      projectId,
      locationId,
      uses.map(({ used_by }) => used_by),
      uses.map(({ user_id }) => user_id),
      uses.map(({ note }) => note),
    ],
  );
};

/** A change of a location that the contexts whose filters refer to it are to be told of. */
export interface LocationChange {
  project_id: string;
  location_id: string;
  note: string;
}

/** Notes a change, where filters may refer to the location. */
export const noteChange = async (database: Queries, projectId: string, locationId: string): Promise<void> => {
  await database.query(
    `INSERT INTO location_changes (project_id, location_id)
     SELECT $1, $2 WHERE EXISTS (SELECT FROM location_uses WHERE project_id = $1 AND location_id = $2)
     ON CONFLICT (project_id, location_id) DO UPDATE SET note = nextval('location_notes')`,
    [projectId, locationId],
  );
};

/** The change of a location that waits to be told; undefined without one. */
export const waitingChange = async (
  database: Queries,
  projectId: string,
  locationId: string,
): Promise<LocationChange | undefined> => {
  const [change] = await database.query<LocationChange[]>(
    `SELECT project_id, location_id, note::text FROM location_changes
     WHERE project_id = $1 AND location_id = $2`,
    [projectId, locationId],
  );
  return change;
};

/** Changes that wait to be told, the oldest first. */
export const waitingChanges = (database: Queries, count: number): Promise<LocationChange[]> =>
  database.query<LocationChange[]>(
    'SELECT project_id, location_id, note::text FROM location_changes ORDER BY note LIMIT $1',
    [count],
  );

/** Forgets a change that was told, unless the location changed again meanwhile. */
export const forgetChange = async (
  database: Queries,
  { project_id, location_id, note }: LocationChange,
): Promise<void> => {
  await database.query(
    'DELETE FROM location_changes WHERE project_id = $1 AND location_id = $2 AND note = $3',
    [project_id, location_id, note],
  );
};
