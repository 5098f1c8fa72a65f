import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { upcastersOf } from '@scrip/contracts/upcasters';
import { KafkaEventTransport, KafkaRelay, type KafkaSettings } from '@scrip/messaging';
import type { DataSource } from 'typeorm';
import type { Distribution } from '../config/distribution';
import { readPageOfOwner } from '../event-log/read-page-of-owner';
import { measuredConsumers } from '../metrics/messaging-metrics';
import { measuredRelay, measureRelay } from '../metrics/relay-metrics';
import type { EventSources } from './event-sources';

/** Lets Kafka carry events: consumers of this process are fed from topics, and what its event stores append is relayed to
 *  them. Source: architecture §6. */
export const connectKafka = (
  app: NestFastifyApplication,
  { eventStores, metrics }: EventSources,
  databaseOf: (context: string) => DataSource,
  { kafka: topics }: Distribution,
): KafkaEventTransport => {
  const kafka: KafkaSettings = { ...topics, clientId: `scrip-${[...eventStores.keys()].join('-')}` };
  const transport = new KafkaEventTransport({
    kafka,
    databaseOf,
    metrics: measuredConsumers(metrics),
    upcastersOf,
    readOwnersLog: readPageOfOwner(app),
  });
  const relayMetrics = measuredRelay(metrics);
  const relays = [...eventStores].map(
    ([context, store]) =>
      new KafkaRelay({ store, database: databaseOf(context), kafka, metrics: relayMetrics }),
  );
  measureRelay(metrics, relays);
  const fastify = app.getHttpAdapter().getInstance();
  // They end after the last request was answered, and before the database is closed.
  fastify.addHook('onReady', async () => void (await Promise.all(relays.map((relay) => relay.start()))));
  fastify.addHook('onClose', async () => void (await Promise.all(relays.map((relay) => relay.stop()))));
  return transport;
};
