import type { Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { getDataSourceToken } from '@nestjs/typeorm';
import { upcastersOf } from '@scrip/contracts/upcasters';
import { eventStoreMigrations, type EventStore, eventStoreToken } from '@scrip/event-store';
import {
  EventTransport,
  NullEventFeed,
  eventStoreLogs,
  messagingMigrations,
  parseTopic,
  readInNewestVersion,
  readTopicFrom,
  rewindRelay,
} from '@scrip/messaging';
import type { DataSource } from 'typeorm';
import { readPageOfOwner } from '../event-log/read-page-of-owner';
import { ScripLogger } from '../logging/scrip-logger';
import { Metrics } from '../metrics/metrics';
import type { ContextName } from '@scrip/contracts/registry';
import type { BootOptions } from './boot-scrip';
import { ServiceModule } from './service.module';

/** Consumers of this process, which fetch nothing. */
export interface OpenConsumers {
  readonly consumers: EventTransport;
  /** The event store of each context. */
  readonly eventStores: ReadonlyMap<ContextName, EventStore>;
  /** Returns a provider of one of the contexts. */
  get<T>(provider: Type<T>): T;
  /** Sets the relay of a context of this process back; see `rewindRelay`. */
  rewindRelay(context: string, since: string | null): ReturnType<typeof rewindRelay>;
  close(): Promise<void>;
}

/** Opens the consumers of contexts for commands of operators (status, replay, rebuild), beside the processes that
 *  consume: nothing is fetched, served or executed here. Throws errors of the database. */
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
    migrations: [...eventStoreMigrations, ...messagingMigrations, ...edge.migrations],
  });
  const options = { logger, bodyParser: false, abortOnError: false };
  // Never initialized: loops and jobs begin with the application, and there is none here.
  const app = await NestFactory.create<NestFastifyApplication>(root, new FastifyAdapter(), options);
  const databaseOf = (context: string): DataSource => app.get(getDataSourceToken(context), { strict: false });
  const eventStores = new Map(
    contexts.map(({ name }) => [name, app.get<EventStore>(eventStoreToken(name), { strict: false })]),
  );
  const logs = [...eventStores].map(([name, store]) => ({ store, database: databaseOf(name) }));
  const source = eventStoreLogs(logs);
  const readHere = readTopicFrom(source);
  const readThere = readInNewestVersion(readPageOfOwner(app), upcastersOf);
  const consumers = new EventTransport({
    feed: new NullEventFeed(source),
    databaseOf,
    upcastersOf,
    readLogOfTopic: (topic, page) =>
      source.services.includes(parseTopic(topic).service) ? readHere(topic, page) : readThere(topic, page),
  });
  app.connectMicroservice({ strategy: consumers }, { inheritAppConfig: false });
  return {
    consumers,
    eventStores,
    get: (provider) => app.get(provider, { strict: false }),
    rewindRelay: (context, since) => rewindRelay(databaseOf(context), context, since),
    close: () => app.close(),
  };
};
