// npm run reconcile [-- --database campaigns=postgres://…] [--settle 120]: compares what the contexts have stored about the
// same things, beside running processes. Status 1 when something differs. Without --database: DATABASE_URLS and DATABASE_URL, else the
// PostgreSQL that runs on the data directory.
import { databaseUrlOf, readSettings } from '@scrip/service';
import { parseArgs } from 'node:util';
import { contextDatabases, databasesOf } from './databases';
import { differencesIn, reconcile } from './reconcile';
import { reportOf } from './report';

const main = async (): Promise<void> => {
  const { values } = parseArgs({
    options: {
      database: { type: 'string', multiple: true, default: [] },
      settle: { type: 'string', default: '120' },
    },
  });
  const settleSeconds = Number(values.settle);
  if (!Number.isInteger(settleSeconds) || settleSeconds < 0)
    throw new Error(`--settle must be a whole number of seconds, not "${values.settle}"`);
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
