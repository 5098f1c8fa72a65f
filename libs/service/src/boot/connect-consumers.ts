import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { EventStore } from '@scrip/event-store';
import { eventStoreLogs, PostgresEventTransport } from '@scrip/messaging';
import type { DataSource } from 'typeorm';
import type { ContextName } from '../context/context-definition';
import { measuredConsumers } from '../metrics/messaging-metrics';
import type { Metrics } from '../metrics/metrics';

/** Gives the `@Consumes` handlers of this process the events of all event tables in its database. */
export const connectConsumers = (
  app: NestFastifyApplication,
  eventStores: ReadonlyMap<ContextName, EventStore>,
  dataSources: ReadonlyMap<ContextName, DataSource>,
  metrics: Metrics,
): PostgresEventTransport => {
  const databaseOf = (context: string): DataSource => {
    const dataSource = dataSources.get(context as ContextName);
    if (!dataSource) throw new Error(`no context ${context} in this process`);
    return dataSource;
  };
  const logs = eventStoreLogs(
    [...eventStores].map(([context, store]) => ({ store, database: databaseOf(context) })),
  );
  const strategy = new PostgresEventTransport({ logs, databaseOf, metrics: measuredConsumers(metrics) });
  app.connectMicroservice({ strategy }, { inheritAppConfig: false });
  return strategy;
};
