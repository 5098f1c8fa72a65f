import { type ContextName, contextNames } from '@scrip/contracts/registry';
import { runningDatabaseUrls } from '@scrip/embedded-postgres';
import type { ContextDatabases, ScripSettings } from '@scrip/service';

/** URL of the database that holds the schema of each context; several may share one. */
export type Databases = Readonly<Record<ContextName, string>>;

/** Where each context's schema is: as the settings say, else the server that runs on a data directory of the embedded
 *  shape. Throws `Error` when none does. */
export const contextDatabases = (
  { databaseUrl, databaseUrls }: Pick<ScripSettings, 'databaseUrl' | 'databaseUrls'>,
  dataDir: string,
): ContextDatabases =>
  databaseUrl ? { databaseUrl, databaseUrls } : runningDatabaseUrls(dataDir, contextNames);

const isContext = (name: string): name is ContextName => (contextNames as readonly string[]).includes(name);

/** Databases named as `campaigns=postgres://…`, the others as `fallback` says, which is asked only where one is missing.
 *  Throws `Error` on a name that is no context's. */
export const databasesOf = (
  named: readonly string[],
  fallback: (context: ContextName) => string,
): Databases => {
  const urls = new Map(
    named.map((text) => {
      const name = text.slice(0, text.indexOf('='));
      if (!isContext(name)) throw new Error(`no context ${name}: ${contextNames.join(', ')}`);
      return [name, text.slice(name.length + 1)];
    }),
  );
  return Object.fromEntries(
    contextNames.map((name) => [name, urls.get(name) ?? fallback(name)]),
  ) as Databases;
};
