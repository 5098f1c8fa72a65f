import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { upcastersOf } from '@scrip/contracts/upcasters';
import type { StoredEvent } from '@scrip/event-store';
import { KafkaEventTransport, KafkaRelay, type KafkaSettings, type ReadOwnersLog } from '@scrip/messaging';
import type { DataSource } from 'typeorm';
import type { Distribution } from '../config/distribution';
import { readPageOfOwner } from '../event-log/read-page-of-owner';
import { measuredConsumers } from '../metrics/messaging-metrics';
import { measuredRelay, measureRelay } from '../metrics/relay-metrics';
import type { EventSources } from './event-sources';

/** Reads a topic's events from its owner: as many as asked for, or all that are left. */
const readFromOwner = (app: NestFastifyApplication): ReadOwnersLog => {
  const readPage = readPageOfOwner(app);
  return async (topic, { after, limit }) => {
    const read: StoredEvent[] = [];
    for (;;) {
      const from = read.at(-1)?.position ?? after;
      const page = await readPage(topic, { after: from, limit: limit - read.length });
      read.push(...page);
      if (page.length === 0 || read.length >= limit) return read;
    }
  };
};

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
    readOwnersLog: readFromOwner(app),
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
