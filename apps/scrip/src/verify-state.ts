import { openDataDirectory } from '@scrip/data-directory';
import { startEmbeddedPostgres } from '@scrip/embedded-postgres';
import { readSettings, ScripLogger } from '@scrip/service';
import { bootAll } from './boot-all';
import { completeConfig } from './complete-config';
import { printDifferences } from './print-differences';

/** npm run verify:state: status 0 when the stored states are what the events say. The server must not be running. */
const main = async (): Promise<void> => {
  const settings = readSettings(process.env);
  const dataDir = openDataDirectory(settings.dataDir);
  const database = settings.databaseUrl ? null : await startEmbeddedPostgres(dataDir);
  try {
    const config = completeConfig(
      { ...settings, host: '127.0.0.1', port: 0 },
      dataDir,
      database?.databaseUrl,
    );
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
