import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { LogPosition, StoredEvent } from '@scrip/event-store';
import { newRequestId } from '@scrip/kernel';
import { KafkaEventTransport, KafkaRelay, type KafkaSettings, parseTopic } from '@scrip/messaging';
import { portToken } from '@scrip/rpc';
import type { DataSource } from 'typeorm';
import type { Distribution } from '../config/distribution';
import type { ContextName } from '../context/context-definition';
import { type EventLogPort, eventLogPorts } from '../event-log/event-log.port';
import { measuredConsumers } from '../metrics/messaging-metrics';
import { measuredRelay, measureRelay } from '../metrics/relay-metrics';
import type { EventSources } from './event-sources';

const readPatienceMs = 10_000;

/** Reads a topic's events from whoever owns them: as many as asked for, or all that are left. */
const ownersLog =
  (app: NestFastifyApplication) =>
  async (topic: string, { after, limit }: { after: LogPosition; limit: number }): Promise<StoredEvent[]> => {
    const { service, aggregate } = parseTopic(topic);
    const port = app.get<EventLogPort>(portToken(eventLogPorts[service as ContextName]), { strict: false });
    const read: StoredEvent[] = [];
    for (;;) {
      const call = { requestId: newRequestId(), deadlineAt: Date.now() + readPatienceMs, traceparent: null };
      const from = read.at(-1)?.position ?? after;
      const { events } = await port.readLog(call, { aggregate, after: from, limit: limit - read.length });
      read.push(...events);
      if (events.length === 0 || read.length >= limit) return read;
    }
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
    readOwnersLog: ownersLog(app),
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
