import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { upcastersOf } from '@scrip/contracts/upcasters';
import { type EventTransport, eventStoreLogs, PostgresEventTransport } from '@scrip/messaging';
import type { DataSource } from 'typeorm';
import type { ContextName } from '@scrip/contracts/registry';
import { measuredConsumers } from '../metrics/messaging-metrics';
import { connectKafka } from './connect-kafka';
import type { EventSources } from './event-sources';

/** Connects the `@Consumes` handlers of this process to the events of all contexts: through Kafka, or in the embedded
 *  shape from the event tables of its database. */
export const connectConsumers = (app: NestFastifyApplication, sources: EventSources): EventTransport => {
  const { eventStores, dataSources, metrics, config } = sources;
  const databaseOf = (context: string): DataSource => {
    const dataSource = dataSources.get(context as ContextName);
    if (!dataSource) throw new Error(`no context ${context} in this process`);
    return dataSource;
  };
  const strategy = config.distribution
    ? connectKafka(app, sources, databaseOf, config.distribution)
    : new PostgresEventTransport({
        logs: eventStoreLogs(
          [...eventStores].map(([context, store]) => ({ store, database: databaseOf(context) })),
        ),
        databaseOf,
        upcastersOf,
        metrics: measuredConsumers(metrics),
      });
  app.connectMicroservice({ strategy }, { inheritAppConfig: false });
  return strategy;
};
