import { Logger } from '@nestjs/common';
import { contextNames } from '@scrip/contracts/registry';
import {
  checkShape,
  chosenDemoKeysOf,
  firstUserNote,
  keepShape,
  masterKeyOf,
  openDataDirectory,
  storeCredentials,
  welcome,
} from '@scrip/data-directory';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '@scrip/embedded-postgres';
import { Secret } from '@scrip/kernel';
import { freePort } from '@scrip/local-kafka';
import {
  closeOnSignals,
  type ContextDatabases,
  internalTls,
  type ScripSettings,
  urlOf,
} from '@scrip/service';
import { randomBytes } from 'node:crypto';
import { demoCredentials } from './demo-credentials';
import { kafkaOfServices, type KafkaOfServices } from './kafka-of-services';
import { planOf, type Replicas } from './plan';
import { checkPort } from './port-check';
import type { SharedEnvironment } from './process-environment';
import { ProcessLog } from './process-log';
import { ServiceProcesses } from './service-processes';

const labelWidth = Math.max(...contextNames.map((name) => name.length)) + 2;
/** What ends beside the services: the broker and the database. */
const serversTimeoutMs = 40_000;

// Shows what this process logs through Nest in the same column as the rest.
const useLog = (log: ProcessLog): void => {
  const note = (message: unknown): void =>
    log.note(message instanceof Error ? message.message : String(message));
  Logger.overrideLogger({ log: note, warn: note, error: note, fatal: note });
};

const orUndefined = async <T>(work: Promise<T>): Promise<T | undefined> => work.catch(() => undefined);

const reachable = (host: string): string => new URL(urlOf(host, 80)).hostname;

/** Runs every service and the gateway as processes of this machine until a signal ends them: with an embedded PostgreSQL
 *  unless `DATABASE_URL` names one, and a Kafka of its own unless `SCRIP_KAFKA_BROKERS` does. Rejects when the start
 *  fails; nothing is left running then. */
export const runServices = async (settings: ScripSettings, replicas: Replicas): Promise<void> => {
  const startedAt = performance.now();
  const { host } = settings;
  await checkPort(host, settings.port);
  const log = new ProcessLog(process.stdout, process.stdout.isTTY, labelWidth);
  useLog(log);
  const dataDir = openDataDirectory(settings.dataDir);
  checkShape(dataDir, 'distributed');
  let database: EmbeddedPostgres | undefined;
  let kafka: KafkaOfServices | undefined;
  let services: ServiceProcesses | undefined;
  const close = async (): Promise<void> => {
    await services?.stop(settings.shutdownTimeoutMs + 2_000);
    await Promise.all([kafka?.stop(), database?.stop()]);
  };
  closeOnSignals(close, 2 * settings.shutdownTimeoutMs + serversTimeoutMs);

  const startDatabase = async (): Promise<ContextDatabases> => {
    const { databaseUrl, databaseUrls } = settings;
    if (databaseUrl) return { databaseUrl, databaseUrls };
    return (database = await startEmbeddedPostgres(dataDir, contextNames));
  };
  const startKafka = async (): Promise<string> => {
    kafka = await kafkaOfServices(dataDir, process.env.SCRIP_KAFKA_BROKERS, log);
    return kafka.brokers;
  };
  try {
    const starting = [startDatabase(), startKafka()] as const;
    await Promise.all(starting.map((one) => orUndefined<ContextDatabases | string>(one)));
    const [databases, brokers] = await Promise.all(starting);
    keepShape(dataDir, 'distributed');
    const port = settings.port || (await freePort());
    const { keys, isFirst } = chosenDemoKeysOf(dataDir, settings);
    const shared: SharedEnvironment = {
      plans: await planOf(replicas, port, freePort),
      host,
      reachableHost: reachable(host),
      baseUrl: settings.port ? settings.baseUrl : urlOf(host, port),
      dataDir,
      databaseUrl: databases.databaseUrl,
      ownDatabaseUrls: databases.databaseUrls,
      masterKey: settings.masterKey ?? masterKeyOf(dataDir),
      internalSecret: new Secret(process.env.SCRIP_INTERNAL_SECRET ?? randomBytes(32).toString('base64url')),
      tls: internalTls(process.env),
      brokers,
      demo: keys,
    };
    services = new ServiceProcesses(shared, log);
    void database?.lost.then(() => {
      log.note(`the embedded PostgreSQL ended; its log is in ${dataDir}/postgres/server.log`);
      process.exit(1);
    });
    await services.start();
    await database?.synced;
    const credentials = await demoCredentials(shared, keys);
    const path = storeCredentials(dataDir, credentials);
    if (isFirst) process.stdout.write(welcome(credentials, path, process.stdout));
    if (isFirst && settings.users.adminPassword === null) process.stdout.write(firstUserNote('admin', null));
    log.note(`ready at ${urlOf(host, port)} after ${Math.round(performance.now() - startedAt)} ms`);
  } catch (error) {
    await close();
    throw error;
  }
};
