import type { Type } from '@nestjs/common';
import { BoundedClient, type BoundedSettings, PreparingClient } from '@scrip/event-store';
import type { PoolConfig } from 'pg';
import { DataSource, type DataSourceOptions } from 'typeorm';
import { databaseUrlOf } from '../config/context-databases';
import type { ScripConfig } from '../config/scrip-config';
import type { ContextName } from '@scrip/contracts/registry';
import { withSchema } from './context-migrations';
import type { MigrationClass } from './context-definition';

/** The database and the time limits of its sessions. */
export type DatabaseSettings = Pick<ScripConfig, 'databaseUrl' | 'databaseUrls' | 'database'>;

const optionsText = (settings: readonly string[]): string =>
  settings.map((setting) => `-c ${setting}`).join(' ');

// By default of the system it takes two hours; a quarter of an hour where an answer was under way, which the last one is
// for.
const vanishedClients = [
  'tcp_keepalives_idle=15',
  'tcp_keepalives_interval=5',
  'tcp_keepalives_count=4',
  'tcp_user_timeout=35000',
];

/** For the `options` of a connection that holds locks: when its machine is lost, the server ends the session and
 *  releases the locks after 35 s. */
export const lockHolderOptions = optionsText(vanishedClients);

/** Server settings of a session, for the `options` of a connection. */
export const sessionOptions = (searchPath: string, { database }: DatabaseSettings): string =>
  optionsText([
    `search_path=${searchPath}`,
    `statement_timeout=${database.statementTimeoutMs}`,
    `transaction_timeout=${database.transactionTimeoutMs}`,
    `idle_in_transaction_session_timeout=${database.idleInTransactionTimeoutMs}`,
    ...vanishedClients,
    'timezone=UTC',
  ]);

/** How much longer than a statement may run its answer is waited for. */
const answerSlackMs = 10_000;

/** Settings of the connections of a pool: those of their sessions, and how they notice a server that is gone. Where an
 *  answer is owed, `BoundedClient` does; on idle ones the system does, which asks ten times, a second apart. */
export const connectionSettings = (searchPath: string, settings: DatabaseSettings): PoolConfig => {
  const bounded: BoundedSettings & Pick<PoolConfig, 'Client'> = {
    Client: BoundedClient,
    answerMs: settings.database.statementTimeoutMs + answerSlackMs,
    options: sessionOptions(searchPath, settings),
    keepAlive: true,
    keepAliveInitialDelayMillis: 15_000,
  };
  return bounded;
};

/** Returns the DataSource options of a context: `search_path` is its schema, time limits are as configured. */
export const contextDataSourceOptions = (
  config: DatabaseSettings,
  name: ContextName,
  migrations: MigrationClass[],
  entities: Type<unknown>[] = [],
): DataSourceOptions => ({
  type: 'postgres',
  url: databaseUrlOf(config, name).reveal(),
  schema: name,
  applicationName: `scrip-${name}`,
  poolSize: config.database.poolSize,
  connectTimeoutMS: 5_000,
  extra: {
    ...connectionSettings(name, config),
    Client: PreparingClient,
    idleTimeoutMillis: 30_000,
  },
  entities,
  migrations,
  migrationsTableName: 'migrations',
  installExtensions: false,
  uuidExtension: 'pgcrypto',
  synchronize: false,
  logging: false,
});

/** Connects a context to its schema and runs pending migrations; safe when several processes start at once. Throws
 *  errors of PostgreSQL. */
export const openContextDataSource = async (options: DataSourceOptions): Promise<DataSource> => {
  const dataSource = new DataSource(options);
  await dataSource.initialize();
  try {
    await withSchema(dataSource);
    return dataSource;
  } catch (error) {
    await dataSource.destroy();
    throw error;
  }
};
