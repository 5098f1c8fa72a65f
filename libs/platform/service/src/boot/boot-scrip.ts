import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { getDataSourceToken } from '@nestjs/typeorm';
import { eventStoreMigrations, type EventStore, eventStoreToken } from '@scrip/event-store';
import { type EventTransport, messagingMigrations } from '@scrip/messaging';
import type { DataSource } from 'typeorm';
import type { ScripConfig } from '../config/scrip-config';
import type { ContextName } from '@scrip/contracts/registry';
import type { ContextDefinition, MigrationClass } from '../context/context-definition';
import type { Readiness } from '../health/readiness';
import { JobRunners } from '../jobs/jobs.module';
import type { ScripLogger } from '../logging/scrip-logger';
import { measureLag } from '../metrics/messaging-metrics';
import { Metrics } from '../metrics/metrics';
import type { ListReader } from '../lists/list-reader';
import { listReaderToken } from '../lists/lists.module';
import { measureEventStores, measureLists, measurePools } from '../metrics/process-metrics';
import { connectConsumers } from './connect-consumers';
import { type HttpProcess, startHttpProcess } from './http-process';
import { servePorts } from './serve-ports';
import { ServiceModule } from './service.module';

/** The parts of a process. */
export interface BootOptions {
  contexts: readonly ContextDefinition[];
  config: ScripConfig;
  /** The edge of the process: options of Fastify, hooks and filters that are registered before any route, and the
   *  migrations of its tables in each context's schema. */
  edge: {
    fastifyOptions: object;
    register: (
      app: NestFastifyApplication,
      config: ScripConfig,
      process: { counters: Metrics },
    ) => void | Promise<void>;
    migrations: MigrationClass[];
  };
  logger?: ScripLogger;
  /** Last part of the start, after the process listens; it becomes ready afterwards. */
  prepare?: (running: RunningApp) => Promise<void>;
}

/** A process that serves contexts. */
export interface RunningApp extends HttpProcess {
  readonly consumers: EventTransport;
  /** The event store of each context. */
  readonly eventStores: ReadonlyMap<ContextName, EventStore>;
}

const byContext = <T>(
  app: NestFastifyApplication,
  names: readonly ContextName[],
  token: (name: string) => unknown,
) => new Map(names.map((name) => [name, app.get<T>(token(name) as string, { strict: false })]));

const addChecks = (
  app: NestFastifyApplication,
  readiness: Readiness,
  dataSources: ReadonlyMap<ContextName, DataSource>,
): void => {
  for (const [name, dataSource] of dataSources) {
    readiness.add(`database ${name}`, async () => {
      await dataSource.query('SELECT 1');
      return null;
    });
  }
  for (const [name, runner] of app.get(JobRunners, { strict: false }).all) {
    readiness.add(`jobs ${name}`, () => (runner.running ? null : 'not running'));
  }
};

/** Boots contexts in this process: migrations, event stores, consumers, jobs, HTTP. Resolves when the process serves.
 *  When it rejects, everything it had opened is closed again. `config.port` 0 takes a free port. */
export const bootScrip = ({ contexts, config, edge, logger, prepare }: BootOptions): Promise<RunningApp> => {
  const metrics = new Metrics();
  const names = contexts.map(({ name }) => name);
  const [only, ...others] = names;
  return startHttpProcess({
    name: only && others.length === 0 ? only : 'embedded',
    root: ServiceModule.of(contexts, {
      config,
      metrics,
      migrations: [...eventStoreMigrations, ...messagingMigrations, ...edge.migrations],
    }),
    config,
    metrics,
    fastifyOptions: edge.fastifyOptions,
    tls: config.distribution?.tls ?? null,
    ...(logger ? { logger } : {}),
    ...(prepare ? { prepare } : {}),
    assemble: async (app, readiness) => {
      await edge.register(app, config, { counters: metrics });
      const eventStores = byContext<EventStore>(app, names, eventStoreToken);
      const dataSources = byContext<DataSource>(app, names, (name) => getDataSourceToken(name));
      if (config.distribution) servePorts(app, config.distribution);
      const consumers = connectConsumers(app, { eventStores, dataSources, metrics, config });
      measureEventStores(metrics, [...eventStores.values()]);
      measurePools(metrics, dataSources);
      measureLists(
        metrics,
        byContext<ListReader>(app, names, (name) => listReaderToken(name as ContextName)),
      );
      measureLag(metrics, consumers);
      addChecks(app, readiness, dataSources);
      return { consumers, eventStores };
    },
  });
};
