import type { Queries } from '../users/user.table';
import type { StoredApiKey } from './api-key';

const columns = 'id, kind, name, role, integration, blocked, allowed_ips, created_at, last_used_at';

/** The keys of a project, oldest first. */
export const apiKeysOf = (database: Queries, projectId: string): Promise<StoredApiKey[]> =>
  database.query<StoredApiKey[]>(
    `SELECT ${columns} FROM application_keys WHERE project_id = $1 ORDER BY created_at, id`,
    [projectId],
  );

/** A key of a project; undefined where it has none with that id. */
export const apiKeyOf = async (
  database: Queries,
  projectId: string,
  id: string,
): Promise<StoredApiKey | undefined> => {
  const [key] = await database.query<StoredApiKey[]>(
    `SELECT ${columns} FROM application_keys WHERE project_id = $1 AND id = $2`,
    [projectId, id],
  );
  return key;
};

/** The project of a key; undefined: it is no application key. */
export const projectOfKey = async (database: Queries, id: string): Promise<string | undefined> => {
  const [row] = await database.query<{ project_id: string }[]>(
    'SELECT project_id FROM application_keys WHERE id = $1',
    [id],
  );
  return row?.project_id;
};

/** Whether a start of the server makes this key: it would come back. */
export const isKeyOfStart = async (database: Queries, id: string): Promise<boolean> => {
  const rows = await database.query<unknown[]>(
    'SELECT 1 FROM bootstrap WHERE $1 IN (server_key_id, client_key_id)',
    [id],
  );
  return rows.length > 0;
};
