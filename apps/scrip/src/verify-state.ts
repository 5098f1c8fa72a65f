import { contextNames } from '@scrip/contracts/registry';
import { openDataDirectory } from '@scrip/data-directory';
import { startEmbeddedPostgres } from '@scrip/embedded-postgres';
import { readCommandLine, readSettings, ScripLogger } from '@scrip/service';
import { bootAll } from './boot-all';
import { completeConfig } from './complete-config';
import { printDifferences } from './print-differences';

const usage = `npm run verify:state folds every stream anew and compares the result with the state that is stored.
It ends with status 0 where all of them agree, else it prints the differences and ends with 1.

Stop Scrip first: it starts the contexts itself, on the embedded PostgreSQL of SCRIP_DATA_DIR or on DATABASE_URL.
With an own PostgreSQL it may run on a copy restored from a backup while Scrip goes on.`;

/** npm run verify:state: status 0 when the stored states are what the events say. The server must not be running. */
const main = async (): Promise<void> => {
  readCommandLine(usage, {});
  const settings = readSettings(process.env);
  const dataDir = openDataDirectory(settings.dataDir);
  const database = settings.databaseUrl ? null : await startEmbeddedPostgres(dataDir, contextNames);
  try {
    const config = completeConfig({ ...settings, host: '127.0.0.1', port: 0 }, dataDir, database);
    const app = await bootAll(config, { logger: new ScripLogger({ level: 'warn' }) });
    const count = await printDifferences(app, (line) => void process.stdout.write(`${line}\n`));
    await app.close();
    if (count > 0) process.exitCode = 1;
  } finally {
    await database?.stop();
  }
};

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
