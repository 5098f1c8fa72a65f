import { makeContextRoles } from '@scrip/embedded-postgres';
import { randomBytes } from 'node:crypto';
import { Client, escapeIdentifier } from 'pg';

/** Environment variable with the URL of the server that this test run uses; set by hand, it replaces the embedded
 *  server. */
export const serverVariable = 'SCRIP_TEST_POSTGRES_URL';

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

/** Makes an empty database on the server of this test run and answers its URL. `name` helps to recognise it; a
 *  random ending keeps suites apart. The database goes away with the server. */
export const createDatabase = async (name = 'test'): Promise<string> => {
  const url = serverUrl();
  const database = `${name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .slice(0, 40)}_${randomBytes(6).toString('hex')}`;
  await run(`CREATE DATABASE ${escapeIdentifier(database)} TEMPLATE template0`);
  url.pathname = `/${database}`;
  return url.href;
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
  run(`DROP DATABASE IF EXISTS ${escapeIdentifier(new URL(databaseUrl).pathname.slice(1))} WITH (FORCE)`);
