import { type ContextName, contextNames } from '@scrip/service';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** URL of the database that holds the schema of each context; several may share one. */
export type Databases = Readonly<Record<ContextName, string>>;

/** The database of the server that runs on a data directory of the embedded shape. Throws `Error` when none does. */
export const embeddedDatabaseUrl = (dataDir: string): string => {
  const pointer = join(dataDir, 'postgres-location');
  const home = existsSync(pointer) ? readFileSync(pointer, 'utf8').trim() : join(dataDir, 'postgres');
  const postmaster = join(home, 'data', 'postmaster.pid');
  if (!existsSync(postmaster)) {
    throw new Error(`no PostgreSQL runs on ${dataDir}: start Scrip, or name the database with DATABASE_URL`);
  }
  const port = readFileSync(postmaster, 'utf8').split('\n')[3]?.trim();
  const password = readFileSync(join(home, 'password'), 'utf8').trim();
  return `postgres://scrip:${password}@127.0.0.1:${port}/scrip`;
};

const isContext = (name: string): name is ContextName => (contextNames as readonly string[]).includes(name);

/** Databases named as `campaigns=postgres://…`, the others in `fallback`, which is asked only where one is missing.
 *  Throws `Error` on a name that is no context's. */
export const databasesOf = (named: readonly string[], fallback: () => string): Databases => {
  const urls = new Map(
    named.map((text) => {
      const name = text.slice(0, text.indexOf('='));
      if (!isContext(name)) throw new Error(`no context ${name}: ${contextNames.join(', ')}`);
      return [name, text.slice(name.length + 1)];
    }),
  );
  const missing = contextNames.some((name) => !urls.has(name)) ? fallback() : '';
  return Object.fromEntries(contextNames.map((name) => [name, urls.get(name) ?? missing])) as Databases;
};
