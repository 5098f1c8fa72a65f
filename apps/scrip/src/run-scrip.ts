import { Logger } from '@nestjs/common';
import { contextNames } from '@scrip/contracts/registry';
import {
  checkShape,
  demoKeysOf,
  keepShape,
  openDataDirectory,
  storeCredentials,
  welcome,
} from '@scrip/data-directory';
import { SealBroken } from '@scrip/kernel';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '@scrip/embedded-postgres';
import { closeOnSignals, type RunningApp, type ScripConfig, type ScripSettings } from '@scrip/service';
import { join } from 'node:path';
import { bootAll } from './boot-all';
import { completeConfig } from './complete-config';
import { openDemoProject } from './demo-project';
import { openFirstUser } from './first-user';

const logger = new Logger('Scrip');

/** The database was made with another master key than the one of this start. */
export class OtherMasterKey extends Error {
  override readonly name = 'OtherMasterKey';

  constructor(dataDir: string, cause: SealBroken) {
    super(
      `the database was made with another master key than ${join(dataDir, 'master-key')} or SCRIP_MASTER_KEY holds: ` +
        'put the old key back, or begin anew with an empty folder (SCRIP_DATA_DIR) and an empty database',
      { cause },
    );
  }
}

const openDemo = async (app: RunningApp, config: ScripConfig): Promise<void> => {
  const { keys, isFirst } = demoKeysOf(config.dataDir, config);
  const credentials = await openDemoProject(app, config, keys);
  const path = storeCredentials(config.dataDir, credentials);
  if (isFirst) process.stdout.write(welcome(credentials, path, process.stdout));
  await openFirstUser(app, config);
};

const endWhenDatabaseIsLost = (database: EmbeddedPostgres, dataDir: string): void => {
  void database.lost.then(() => {
    logger.fatal(`the embedded PostgreSQL ended; its log is in ${join(dataDir, 'postgres', 'server.log')}`);
    process.exit(1);
  });
};

/** Runs all of Scrip in this process until a signal ends it: an embedded PostgreSQL unless `DATABASE_URL` names one, every
 *  context, the demo project. Rejects when the start fails; nothing is left running then. */
export const runScrip = async (settings: ScripSettings): Promise<void> => {
  const startedAt = performance.now();
  const dataDir = openDataDirectory(settings.dataDir);
  checkShape(dataDir, 'embedded');
  const database = settings.databaseUrl ? null : await startEmbeddedPostgres(dataDir, contextNames);
  let app: RunningApp | undefined;
  closeOnSignals(async () => {
    await app?.close();
    await database?.stop();
  }, settings.shutdownTimeoutMs);
  try {
    const config = completeConfig(settings, dataDir, database);
    keepShape(dataDir, 'embedded');
    if (database) endWhenDatabaseIsLost(database, dataDir);
    app = await bootAll(config, {
      prepare: async (running) => {
        await database?.synced;
        await openDemo(running, config);
      },
    }).catch((error: unknown) => {
      throw error instanceof SealBroken ? new OtherMasterKey(config.dataDir, error) : error;
    });
    logger.log(`ready at ${app.url} after ${Math.round(performance.now() - startedAt)} ms`);
  } catch (error) {
    await database?.stop();
    throw error;
  }
};
