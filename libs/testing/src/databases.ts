import { randomBytes } from 'node:crypto';
import { Client, escapeIdentifier } from 'pg';

/** Environment variable with the URL of the server that this test run uses; set by hand, it replaces the embedded
 *  server. */
export const serverVariable = 'SCRIP_TEST_POSTGRES_URL';

const serverUrl = (): URL => {
  const url = process.env[serverVariable];
  if (!url)
    throw new Error(`${serverVariable} is not set: databases exist in *.int.spec.ts and *.e2e.spec.ts only`);
  return new URL(url);
};

const run = async (statement: string): Promise<void> => {
  const client = new Client({ connectionString: serverUrl().href });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
};

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

/** Removes a database made by `createDatabase`, cutting open connections; for suites that make many. */
export const dropDatabase = async (databaseUrl: string): Promise<void> =>
  run(`DROP DATABASE IF EXISTS ${escapeIdentifier(new URL(databaseUrl).pathname.slice(1))} WITH (FORCE)`);
