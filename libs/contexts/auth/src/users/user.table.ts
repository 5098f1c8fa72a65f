import type { EntityManager } from 'typeorm';
import type { User } from './user';

const columns = `u.id, u.login, u.email, u.first_name, u.last_name, u.is_owner, u.is_active, u.password_hash,
  u.must_change_password, COALESCE((
    SELECT jsonb_object_agg(r.project_id, r.role) FROM user_roles r
    WHERE r.user_id = u.id AND NOT EXISTS (
      SELECT 1 FROM projects p WHERE p.project_id = r.project_id AND p.id = r.project_id AND p.deleted)), '{}') AS projects`;

/** What runs queries: a DataSource, or the manager of a transaction. */
export type Queries = Pick<EntityManager, 'query'>;

/** Locks a user until the end of the transaction. */
export const lockUser = async (database: Queries, id: string): Promise<void> => {
  await database.query('SELECT 1 FROM users WHERE id = $1 FOR UPDATE', [id]);
};

/** Returns a user; null for an unknown id. `lock`: until the end of the transaction. */
export const userById = async (
  database: Queries,
  id: string,
  { lock = false } = {},
): Promise<User | null> => {
  // In a statement of its own: one that waited for the lock would read the roles as they were before.
  if (lock) await lockUser(database, id);
  const [row] = await database.query<User[]>(`SELECT ${columns} FROM users u WHERE u.id = $1`, [id]);
  return row ?? null;
};

/** Returns the user with a login, in any case; null for none. */
export const userByLogin = async (database: Queries, login: string): Promise<User | null> => {
  const [row] = await database.query<User[]>(
    `SELECT ${columns} FROM users u WHERE lower(u.login) = lower($1)`,
    [login],
  );
  return row ?? null;
};

/** Returns a login as the database compares it: JavaScript folds some letters in another way. */
export const foldedLogin = async (database: Queries, login: string): Promise<string> => {
  const [row] = await database.query<{ folded: string }[]>('SELECT lower($1) AS folded', [login]);
  return row?.folded ?? login;
};

/** How a caller names a user: by the id, or by the login in any case. */
export interface NamedUser {
  id?: string | null;
  login?: string | null;
}

/** Returns the users that are named, and locks them until the end of the transaction. */
export const lockUsers = async (database: Queries, named: readonly NamedUser[]): Promise<User[]> => {
  const ids = named.flatMap(({ id }) => (id == null ? [] : [id]));
  const logins = named.flatMap(({ login }) => (login == null ? [] : [login]));
  const locked = await database.query<{ id: string }[]>(
    `SELECT id FROM users
     WHERE id = ANY($1) OR lower(login) = ANY(SELECT lower(login) FROM unnest($2::text[]) AS l(login))
     ORDER BY id FOR UPDATE`,
    [ids, logins],
  );
  return database.query<User[]>(`SELECT ${columns} FROM users u WHERE u.id = ANY($1)`, [
    locked.map(({ id }) => id),
  ]);
};

/** Those of the projects that are none, or none any more. */
export const unknownProjects = async (database: Queries, ids: readonly string[]): Promise<string[]> => {
  const rows = await database.query<{ id: string }[]>(
    `SELECT wanted.id FROM unnest($1::text[]) WITH ORDINALITY AS wanted(id, place)
     WHERE NOT EXISTS (SELECT 1 FROM projects p WHERE p.project_id = wanted.id AND p.id = wanted.id AND NOT p.deleted)
     ORDER BY place`,
    [ids],
  );
  return rows.map(({ id }) => id);
};

/** Users with a role in a project, owners included, by login. */
export const usersOfProject = (database: Queries, projectId: string): Promise<User[]> =>
  database.query<User[]>(
    `SELECT ${columns} FROM users u
     WHERE u.is_owner OR EXISTS (SELECT 1 FROM user_roles r WHERE r.project_id = $1 AND r.user_id = u.id)
     ORDER BY lower(u.login)`,
    [projectId],
  );

/** Every user, by login. */
export const allUsers = (database: Queries): Promise<User[]> =>
  database.query<User[]>(`SELECT ${columns} FROM users u ORDER BY lower(u.login)`);

/** Which of the two another user has; null where neither. */
export const takenName = async (
  database: Queries,
  { id, login, email }: Pick<User, 'id' | 'login' | 'email'>,
): Promise<'login' | 'email' | null> => {
  const [row] = await database.query<{ has_login: boolean }[]>(
    `SELECT lower(login) = lower($2) AS has_login FROM users
     WHERE id <> $1 AND (lower(login) = lower($2) OR lower(email) = lower($3))
     ORDER BY has_login DESC LIMIT 1`,
    [id, login, email],
  );
  if (!row) return null;
  return row.has_login ? 'login' : 'email';
};

/** Stores a user as it is, new or changed. In a transaction that holds its lock. Machine time: it only says when. */
export const storeUser = async (database: Queries, user: User): Promise<void> => {
  const {
    id,
    login,
    email,
    first_name,
    last_name,
    is_owner,
    is_active,
    password_hash,
    must_change_password,
  } = user;
  await database.query(
    `INSERT INTO users (id, login, email, first_name, last_name, is_owner, is_active, password_hash, must_change_password)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
     ON CONFLICT (id) DO UPDATE SET login = $2, email = $3, first_name = $4, last_name = $5, is_owner = $6,
       is_active = $7, password_hash = $8, must_change_password = $9, updated_at = now()`,
    [id, login, email, first_name, last_name, is_owner, is_active, password_hash, must_change_password],
  );
  const projectIds = Object.keys(user.projects);
  await database.query(
    `WITH gone AS (DELETE FROM user_roles WHERE user_id = $1 AND project_id <> ALL($2::text[]))
     INSERT INTO user_roles (user_id, project_id, role)
     SELECT $1, project_id, role FROM unnest($2::text[], $3::text[]) AS r(project_id, role)
     ON CONFLICT (user_id, project_id) DO UPDATE SET role = excluded.role`,
    [id, projectIds, Object.values(user.projects)],
  );
};
