// npm run reconcile [-- --database campaigns=postgres://…] [--settle 120]: compares what the contexts have stored about the
// same things, beside running processes. Status 1 when something differs. Without --database: DATABASE_URLS and DATABASE_URL, else the
// PostgreSQL that runs on the data directory.
import { databaseUrlOf, endWithUsage, readCommandLine, readSettings } from '@scrip/service';
import { contextDatabases, databasesOf } from './databases';
import { differencesIn, reconcile } from './reconcile';
import { reportOf } from './report';

const usage = `npm run reconcile [-- --database campaigns=postgres://…] [--settle 120]

Compares what the contexts have stored about the same things, beside running processes; status 1 where something differs.
--database   where the schema of one context is, once for each; else DATABASE_URLS and DATABASE_URL, else the PostgreSQL that
             runs on the data directory
--settle     what is younger than so many seconds counts as in progress`;

const main = async (): Promise<void> => {
  const { values } = readCommandLine(usage, {
    database: { type: 'string', multiple: true, default: [] },
    settle: { type: 'string', default: '120' },
  });
  const settleSeconds = Number(values.settle);
  if (!Number.isInteger(settleSeconds) || settleSeconds < 0)
    return endWithUsage(usage, `--settle must be a whole number of seconds, not "${values.settle}"`);
  const settings = readSettings(process.env);
  const databases = databasesOf(values.database, (name) =>
    databaseUrlOf(contextDatabases(settings, settings.dataDir), name).reveal(),
  );
  const results = await reconcile(databases, settleSeconds);
  process.stdout.write(`${reportOf(results).join('\n')}\n`);
  if (differencesIn(results) > 0) process.exitCode = 1;
};

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
