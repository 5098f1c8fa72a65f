import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { getDataSourceToken } from '@nestjs/typeorm';
import { eventStoreMigration, type EventStore, eventStoreToken } from '@scrip/event-store';
import { EventTransport, StillEventFeed, eventStoreLogs, messagingMigrations } from '@scrip/messaging';
import type { DataSource } from 'typeorm';
import { ScripLogger } from '../logging/scrip-logger';
import { Metrics } from '../metrics/metrics';
import type { ContextName } from '../context/context-definition';
import type { BootOptions } from './boot-scrip';
import { ServiceModule } from './service.module';

/** Consumers of this process, which fetch nothing. */
export interface OpenConsumers {
  readonly consumers: EventTransport;
  /** The event store of each context. */
  readonly eventStores: ReadonlyMap<ContextName, EventStore>;
  close(): Promise<void>;
}

/** Opens the consumers of contexts for commands of operators (status, replay, rebuild), beside the processes that
 *  consume: nothing is fetched, served or worked on here. Throws what the database answers. */
export const openConsumers = async ({
  contexts,
  config,
  edge,
  logger = new ScripLogger({ level: 'warn' }),
}: Pick<BootOptions, 'contexts' | 'config' | 'logger'> & {
  edge: Pick<BootOptions['edge'], 'migrations'>;
}): Promise<OpenConsumers> => {
  const root = ServiceModule.of(contexts, {
    config,
    metrics: new Metrics(),
    migrations: [eventStoreMigration, ...messagingMigrations, ...edge.migrations],
  });
  const options = { logger, bodyParser: false, abortOnError: false };
  // Never initialized: loops and jobs begin with the application, and there is none here.
  const app = await NestFactory.create<NestFastifyApplication>(root, new FastifyAdapter(), options);
  const databaseOf = (context: string): DataSource => app.get(getDataSourceToken(context), { strict: false });
  const eventStores = new Map(
    contexts.map(({ name }) => [name, app.get<EventStore>(eventStoreToken(name), { strict: false })]),
  );
  const logs = [...eventStores].map(([name, store]) => ({ store, database: databaseOf(name) }));
  const consumers = new EventTransport({ feed: new StillEventFeed(eventStoreLogs(logs)), databaseOf });
  app.connectMicroservice({ strategy: consumers }, { inheritAppConfig: false });
  return { consumers, eventStores, close: () => app.close() };
};
