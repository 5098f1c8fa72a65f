import { serverVariable } from './databases';
import { type PostgresServer, startPostgres } from './postgres-server';

/** One PostgreSQL server for all suites of a jest run, unless the environment names one. */
const setUp = async (): Promise<void> => {
  if (process.env[serverVariable]) return;
  const server = await startPostgres();
  process.env[serverVariable] = server.url;
  (globalThis as { scripTestPostgres?: PostgresServer }).scripTestPostgres = server;
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    // The server's own exit handler runs on process.exit, but not when a signal ends the process.
    process.once(signal, () => process.exit(130));
  }
};

export default setUp;
