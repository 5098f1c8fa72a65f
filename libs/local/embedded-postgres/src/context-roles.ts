import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Client } from 'pg';

/** Role of a context. */
export interface ContextRole {
  context: string;
  role: string;
  password: string;
}

// The same text prepares a server by hand.
const sqlFile = join(__dirname, '..', '..', '..', '..', 'deploy', 'postgres', 'context-roles.sql');

/** Makes a role for each context, without the rights of a superuser, and hands it what a superuser has made in its schemas
 *  before. `client` is a superuser's, in the database of the contexts. May be repeated. Throws errors of PostgreSQL, also
 *  where a role that is neither made something there. */
export const makeContextRoles = async (client: Client, roles: readonly ContextRole[]): Promise<void> => {
  if (roles.length === 0) return;
  await client.query(readFileSync(sqlFile, 'utf8'));
  for (const { context, role, password } of roles)
    await client.query('SELECT pg_temp.make_context_role($1, $2, $3)', [context, role, password]);
};
