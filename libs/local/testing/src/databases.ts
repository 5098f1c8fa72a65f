import { makeContextRoles } from '@scrip/embedded-postgres';
import { randomBytes } from 'node:crypto';
import { Client, DatabaseError, escapeIdentifier } from 'pg';

/** Environment variable with the URL of the server that this test run uses; set by hand, it replaces the embedded
 *  server. */
export const serverVariable = 'SCRIP_TEST_POSTGRES_URL';

/** Environment variable with the name of this test run, for what its suites share on a server that others use too. */
export const runVariable = 'SCRIP_TEST_RUN';

const serverUrl = (): URL => {
  const url = process.env[serverVariable];
  if (!url)
    throw new Error(`${serverVariable} is not set: databases exist in *.int, *.e2e and *.long specs only`);
  return new URL(url);
};

const withClient = async (url: string, work: (client: Client) => Promise<unknown>): Promise<void> => {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
};

const run = (statement: string): Promise<void> =>
  withClient(serverUrl().href, (client) => client.query(statement));

const nameIn = (databaseUrl: string): string => new URL(databaseUrl).pathname.slice(1);

const copyOf = async (template: string, name: string): Promise<string> => {
  const url = serverUrl();
  const database = `${name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .slice(0, 40)}_${randomBytes(6).toString('hex')}`;
  await run(`CREATE DATABASE ${escapeIdentifier(database)} TEMPLATE ${escapeIdentifier(template)}`);
  url.pathname = `/${database}`;
  return url.href;
};

/** Makes an empty database on the server of this test run and answers its URL. `name` helps to recognise it; a
 *  random ending keeps suites apart. The database goes away with the server. */
export const createDatabase = (name = 'test'): Promise<string> => copyOf('template0', name);

const isMissingDatabase = (error: unknown): boolean =>
  error instanceof DatabaseError && error.code === '3D000';

/** As `createDatabase`, and as `prepare` leaves a database: the first call of a test run for `kind` prepares one, and all calls
 *  copy it. `prepare` depends on nothing but `kind`, and ends its connections. */
export const preparedDatabase = async (
  kind: string,
  prepare: (databaseUrl: string) => Promise<void>,
  name = kind,
): Promise<string> => {
  const template = `${kind}_prepared_${process.env[runVariable]}`;
  try {
    return await copyOf(template, name);
  } catch (error) {
    if (!isMissingDatabase(error)) throw error;
  }
  await withClient(serverUrl().href, async (client) => {
    // Until this connection ends.
    await client.query('SELECT pg_advisory_lock(hashtext($1))', [template]);
    const made = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [template]);
    if (made.rows.length > 0) return;
    const url = await createDatabase(kind);
    await prepare(url);
    await client.query(
      `ALTER DATABASE ${escapeIdentifier(nameIn(url))} RENAME TO ${escapeIdentifier(template)}`,
    );
  });
  return copyOf(template, name);
};

/** Gives contexts roles in a database made by `createDatabase`, as an installation does, and returns their URLs. May be
 *  repeated. */
export const contextDatabaseUrls = async <Context extends string>(
  databaseUrl: string,
  contexts: readonly Context[],
): Promise<Record<Context, string>> => {
  const ending = new URL(databaseUrl).pathname.slice(-12);
  const roles = contexts.map((context) => ({ context, role: `${context}_${ending}`, password: 'for-tests' }));
  await withClient(databaseUrl, (client) => makeContextRoles(client, roles));
  const urls = roles.map(({ context, role, password }) => {
    const url = new URL(databaseUrl);
    Object.assign(url, { username: role, password });
    return [context, url.href];
  });
  return Object.fromEntries(urls) as Record<Context, string>;
};

/** Removes a database made by `createDatabase`, cutting open connections; for suites that make many. */
export const dropDatabase = async (databaseUrl: string): Promise<void> =>
  run(`DROP DATABASE IF EXISTS ${escapeIdentifier(nameIn(databaseUrl))} WITH (FORCE)`);
