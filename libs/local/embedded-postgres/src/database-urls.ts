import { Secret } from '@scrip/kernel';
import { createHmac } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runningPostmaster } from './postmaster';

/** Ways into the database `scrip` of an embedded server. */
export interface DatabaseUrls<Context extends string> {
  /** As the superuser `scrip`, for administration. */
  readonly databaseUrl: Secret;
  /** As the role of a context, which is no superuser and reads the schemas of that context only. */
  readonly databaseUrls: Readonly<Record<Context, Secret>>;
}

/** Where a server answers, and the password of its superuser. */
export interface ServerAccess {
  port: number;
  password: string;
}

/** Returns the URL of a database, as the superuser. */
export const superuserUrl = ({ port, password }: ServerAccess, database: string): string =>
  `postgres://scrip:${password}@127.0.0.1:${port}/${database}`;

/** Name of the role of a context. */
export const roleOf = (context: string): string => `scrip_${context}`;

/** Password of a context's role: made from the superuser's, so that the data directory keeps one secret only. */
export const rolePassword = (superuserPassword: string, context: string): string =>
  createHmac('sha256', superuserPassword).update(roleOf(context)).digest('base64url');

/** Returns the ways into the database `scrip`. */
export const databaseUrlsOf = <Context extends string>(
  access: ServerAccess,
  contexts: readonly Context[],
): DatabaseUrls<Context> => {
  const urlOf = (context: Context): Secret => {
    const url = new URL(superuserUrl(access, 'scrip'));
    url.username = roleOf(context);
    url.password = rolePassword(access.password, context);
    return new Secret(url.href);
  };
  return {
    databaseUrl: new Secret(superuserUrl(access, 'scrip')),
    databaseUrls: Object.fromEntries(contexts.map((context) => [context, urlOf(context)])) as Record<
      Context,
      Secret
    >,
  };
};

/** Returns the ways into the database of the server that runs on a data directory. Throws `Error` when none does. */
export const runningDatabaseUrls = <Context extends string>(
  dataDir: string,
  contexts: readonly Context[],
): DatabaseUrls<Context> => {
  const pointer = join(dataDir, 'postgres-location');
  const home = existsSync(pointer) ? readFileSync(pointer, 'utf8').trim() : join(dataDir, 'postgres');
  const postmaster = runningPostmaster(join(home, 'data'));
  if (!postmaster)
    throw new Error(`no PostgreSQL runs on ${dataDir}: start Scrip, or name the database with DATABASE_URL`);
  const password = readFileSync(join(home, 'password'), 'utf8').trim();
  return databaseUrlsOf({ port: postmaster.port, password }, contexts);
};
