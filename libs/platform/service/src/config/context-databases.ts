import { type ContextName, contextNames } from '@scrip/contracts/registry';
import { Secret } from '@scrip/kernel';
import { ConfigurationError } from './environment';

/** Where the schemas of contexts are, and as which role each context connects. */
export interface ContextDatabases {
  /** Of every context that `databaseUrls` does not name. */
  databaseUrl: Secret;
  databaseUrls: Readonly<Partial<Record<ContextName, Secret>>>;
}

/** Returns the database of one context. */
export const databaseUrlOf = (
  { databaseUrl, databaseUrls }: ContextDatabases,
  context: ContextName,
): Secret => databaseUrls[context] ?? databaseUrl;

/** Returns settings in which `databaseUrl` is the one of this context. */
export const settingsOfContext = <Settings extends ContextDatabases>(
  settings: Settings,
  context: ContextName,
): Settings => ({ ...settings, databaseUrl: databaseUrlOf(settings, context) });

/** Reads `DATABASE_URL` and members of `DATABASE_URLS`; the former is null where the embedded server is meant. Throws
 *  `ConfigurationError` where contexts are left without a database. */
export const contextDatabasesOf = (
  url: string | null,
  named: readonly string[],
): { databaseUrl: Secret | null; databaseUrls: ContextDatabases['databaseUrls'] } => {
  const databaseUrls: Partial<Record<ContextName, Secret>> = Object.fromEntries(
    named.map((member) => {
      const end = member.indexOf('=');
      return [member.slice(0, end), new Secret(member.slice(end + 1))];
    }),
  );
  const missing = contextNames.filter((name) => !databaseUrls[name]);
  if (url === null && named.length > 0 && missing.length > 0)
    throw new ConfigurationError(
      `DATABASE_URLS names no database of ${missing.join(', ')}: add them, or set DATABASE_URL for the rest`,
    );
  const [first] = Object.values(databaseUrls);
  return { databaseUrl: url === null ? (first ?? null) : new Secret(url), databaseUrls };
};
