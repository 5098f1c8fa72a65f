import type { Queries } from '../users/user.table';
import type { EventSchema } from './event-schema';

const columns = 'id, name, properties, created_at, updated_at';

/** Returns a schema; null for an unknown id. `lock`: until the end of the transaction. */
export const eventSchemaById = async (
  database: Queries,
  projectId: string,
  id: string,
  { lock = false } = {},
): Promise<EventSchema | null> => {
  const [row] = await database.query<EventSchema[]>(
    `SELECT ${columns} FROM event_schemas WHERE project_id = $1 AND id = $2${lock ? ' FOR UPDATE' : ''}`,
    [projectId, id],
  );
  return row ?? null;
};

/** Every schema of a project, newest first. */
export const eventSchemasOf = (database: Queries, projectId: string): Promise<EventSchema[]> =>
  database.query<EventSchema[]>(
    `SELECT ${columns} FROM event_schemas WHERE project_id = $1 ORDER BY id DESC`,
    [projectId],
  );

/** Stores a new schema. Returns whether its name was free. */
export const insertEventSchema = async (
  database: Queries,
  projectId: string,
  { id, name, properties, created_at }: EventSchema,
): Promise<boolean> => {
  const inserted = await database.query<unknown[]>(
    `INSERT INTO event_schemas (project_id, id, name, properties, created_at) VALUES ($1, $2, $3, $4, $5)
     ON CONFLICT ON CONSTRAINT event_schemas_name DO NOTHING RETURNING 1`,
    [projectId, id, name, JSON.stringify(properties), created_at],
  );
  return inserted.length === 1;
};

/** Stores what a schema became. */
export const updateEventSchema = async (
  database: Queries,
  projectId: string,
  { id, properties, updated_at }: EventSchema,
): Promise<void> => {
  await database.query(
    'UPDATE event_schemas SET properties = $3, updated_at = $4 WHERE project_id = $1 AND id = $2',
    [projectId, id, JSON.stringify(properties), updated_at],
  );
};

/** Removes a schema. Returns whether there was one. */
export const deleteEventSchema = async (
  database: Queries,
  projectId: string,
  id: string,
): Promise<boolean> => {
  const [, deleted] = await database.query<[unknown[], number]>(
    'DELETE FROM event_schemas WHERE project_id = $1 AND id = $2 RETURNING 1',
    [projectId, id],
  );
  return deleted === 1;
};

/** Returns the number of the project's schemas, under a lock: creations of one project run one after another. */
export const countEventSchemas = async (database: Queries, projectId: string): Promise<number> => {
  await database.query(`SELECT pg_advisory_xact_lock(hashtext('scrip.event_schemas'), hashtext($1))`, [
    projectId,
  ]);
  const [row] = await database.query<{ count: number }[]>(
    'SELECT count(*)::int AS count FROM event_schemas WHERE project_id = $1',
    [projectId],
  );
  return row?.count ?? 0;
};
