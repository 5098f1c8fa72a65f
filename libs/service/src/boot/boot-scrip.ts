import { Logger } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { eventStoreMigration, type EventStore, eventStoreToken } from '@scrip/event-store';
import { type EventTransport, messagingMigrations } from '@scrip/messaging';
import type { FastifyInstance } from 'fastify';
import type { AddressInfo } from 'node:net';
import { getDataSourceToken } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { type ScripConfig, urlOf } from '../config/scrip-config';
import type { ContextDefinition, ContextName, MigrationClass } from '../context/context-definition';
import { Readiness } from '../health/readiness';
import { JobRunners } from '../jobs/jobs.module';
import { logRequests } from '../logging/request-logging';
import { ScripLogger } from '../logging/scrip-logger';
import { measureRequests } from '../metrics/http-metrics';
import { measureLag } from '../metrics/messaging-metrics';
import { Metrics } from '../metrics/metrics';
import { measureEventStores, measurePools, measureProcess } from '../metrics/process-metrics';
import { connectConsumers } from './connect-consumers';
import { ServiceModule } from './service.module';

/** What a process boots. */
export interface BootOptions {
  contexts: readonly ContextDefinition[];
  config: ScripConfig;
  /** What stands in front of the contexts' routes: options of Fastify, hooks and filters put on before any route, and
   *  the tables it keeps in each context's schema. */
  edge: {
    fastifyOptions: object;
    register: (app: NestFastifyApplication, config: ScripConfig) => void | Promise<void>;
    migrations: MigrationClass[];
  };
  logger?: ScripLogger;
  /** Last part of the start, when the process listens already; it is not ready before. */
  prepare?: (running: RunningApp) => Promise<void>;
}

/** A process that serves. */
export interface RunningApp {
  /** Of the listening socket, without a slash at its end. */
  readonly url: string;
  readonly app: NestFastifyApplication;
  readonly consumers: EventTransport;
  /** The event store of each context. */
  readonly eventStores: ReadonlyMap<ContextName, EventStore>;
  /** Stops accepting, lets requests, consumers and jobs end, closes all connections. May be called twice. */
  close(): Promise<void>;
}

const byContext = <T>(
  app: NestFastifyApplication,
  names: readonly ContextName[],
  token: (name: string) => unknown,
) => new Map(names.map((name) => [name, app.get<T>(token(name) as string, { strict: false })]));

const addChecks = (
  app: NestFastifyApplication,
  dataSources: ReadonlyMap<ContextName, DataSource>,
  consumers: EventTransport,
) => {
  const readiness = app.get(Readiness);
  for (const [name, dataSource] of dataSources) {
    readiness.add(`database ${name}`, async () => {
      await dataSource.query('SELECT 1');
      return null;
    });
  }
  readiness.add('consumers', async () => {
    const waiting = (await consumers.consumerStatus()).filter(({ running }) => !running);
    // Another process may consume in this one's place; nobody at all shows as a growing lag.
    const behind = waiting.filter(({ lagSeconds }) => lagSeconds > 30);
    return behind.length === 0 ? null : `nobody runs ${behind.map(({ group }) => group).join(', ')}`;
  });
  for (const [name, runner] of app.get(JobRunners, { strict: false }).all) {
    readiness.add(`jobs ${name}`, () => (runner.running ? null : 'not running'));
  }
  return readiness;
};

const idleSweepMs = 50;

// A connection whose request is answered while the server closes would be kept alive for a minute, and waited for.
const closeOnceAnswered = async (app: NestFastifyApplication): Promise<void> => {
  const server = app.getHttpServer();
  const sweep = setInterval(() => server.closeIdleConnections(), idleSweepMs);
  try {
    await app.close();
  } finally {
    clearInterval(sweep);
  }
};

/** Boots contexts in this process: migrations, event stores, consumers, jobs, HTTP. Resolves when it serves; when it
 *  rejects, everything it had opened is closed again. `config.port` 0 takes a free port. */
export const bootScrip = async ({
  contexts,
  config,
  edge,
  logger,
  prepare,
}: BootOptions): Promise<RunningApp> => {
  const log = logger ?? new ScripLogger({ level: config.logLevel });
  const metrics = new Metrics();
  measureProcess(metrics);
  const root = ServiceModule.of(contexts, {
    config,
    metrics,
    migrations: [eventStoreMigration, ...messagingMigrations, ...edge.migrations],
  });
  const adapter = new FastifyAdapter({
    ...edge.fastifyOptions,
    trustProxy: config.trustedProxies.length > 0 ? [...config.trustedProxies] : false,
    forceCloseConnections: 'idle',
  } as object);
  const app = await NestFactory.create<NestFastifyApplication>(root, adapter, {
    logger: log,
    bodyParser: false,
    abortOnError: false,
  });
  try {
    const fastify = adapter.getInstance() as unknown as FastifyInstance;
    logRequests(fastify, log);
    measureRequests(metrics, fastify);
    await edge.register(app, config);
    const names = contexts.map(({ name }) => name);
    const eventStores = byContext<EventStore>(app, names, eventStoreToken);
    const dataSources = byContext<DataSource>(app, names, (name) => getDataSourceToken(name));
    const consumers = connectConsumers(app, eventStores, dataSources, metrics);
    measureEventStores(metrics, [...eventStores.values()]);
    measurePools(metrics, dataSources);
    measureLag(metrics, consumers);
    await app.startAllMicroservices();
    const readiness = addChecks(app, dataSources, consumers);
    let isPrepared = false;
    readiness.add('start', () => (isPrepared ? null : 'not finished'));
    await app.listen({ host: config.host, port: config.port });
    const { port } = app.getHttpServer().address() as AddressInfo;
    const url = urlOf(config.host, port);
    if (config.port === 0) Object.assign(config, { baseUrl: url });
    let closing: Promise<void> | undefined;
    const close = (): Promise<void> => {
      readiness.close();
      closing ??= closeOnceAnswered(app).finally(() => log.flush());
      return closing;
    };
    const running: RunningApp = { url, app, consumers, eventStores, close };
    await prepare?.(running);
    isPrepared = true;
    return running;
  } catch (error) {
    await app.close().catch((failure: unknown) => new Logger('Boot').error(failure));
    throw error;
  }
};
