import { randomBytes } from 'node:crypto';
import { kafkaBrokers, waitUntil } from '@scrip/testing';
import { type ITopicConfig, Kafka, type Producer, logLevel } from 'kafkajs';
import type { DeadLetter, Mirror } from '../parking/dead-letter';
import { deadLetterTopic } from '../kafka/dead-letter-topic';
import { KafkaEventTransport, type KafkaTransportOptions } from '../kafka/kafka-event-transport';
import { toEventMessage } from '../kafka/kafka-message';
import type { KafkaSettings } from '../kafka/kafka-settings';
import { partitioner } from '../kafka/partitioning';
import { KafkaRelay } from '../kafka/relay/kafka-relay';
import { topicOfEvent } from '../feed/cloud-event';
import type { AdapterHarness, InstanceOptions, TransportInstance } from './adapter-harness.fixture';
import {
  type Decoding,
  type ShopAndStats,
  killPool,
  shopAndStats,
  upcastersOf,
} from './shop-and-stats.fixture';

let brokers: string[] = [];

/** For the top of a spec: starts the broker of this test run, unless it runs. */
export const useBroker = (): void => {
  beforeAll(async () => {
    brokers = (await kafkaBrokers()).split(',');
  }, 180_000);
};

/** Settings with which suites share a broker. */
export const testKafka = (partitions = 1): KafkaSettings => ({
  brokers,
  clientId: 'scrip-test',
  partitions,
  replicationFactor: 1,
  retentionMs: 3_600_000,
  messageBytesMax: 1_048_576,
});

/** A service name of this test's own, in the letters that a topic's name takes. */
export const uniqueService = (): string =>
  `shop-${[...randomBytes(8)].map((byte) => String.fromCharCode(97 + (byte % 26))).join('')}`;

/** Kafka without this library, for what only other programs do. */
export const plainKafka = (): Kafka =>
  new Kafka({ brokers, clientId: 'scrip-test-plain', logLevel: logLevel.NOTHING });

/** Creates a topic, and waits until the broker serves it: what kafkajs itself waits for throws where the broker does not know it yet. */
export const createTopic = async (config: ITopicConfig): Promise<void> => {
  const admin = plainKafka().admin();
  await admin.connect();
  await admin.createTopics({ topics: [config], waitForLeaders: false });
  const isServed = () =>
    admin.fetchTopicMetadata({ topics: [config.topic] }).then(
      () => true,
      () => false,
    );
  await waitUntil(isServed, { what: `the topic ${config.topic}` });
  await admin.disconnect();
};

/** Reads a topic from its beginning; answers how to stop. */
export const readTopic = async (
  topic: string,
  each: (message: { key: string; value: string; headers: Record<string, string>; partition: number }) => void,
): Promise<() => Promise<void>> => {
  const consumer = plainKafka().consumer({
    groupId: `test-${randomBytes(8).toString('hex')}`,
    maxWaitTimeInMs: 100,
  });
  await consumer.connect();
  await consumer.subscribe({ topic, fromBeginning: true });
  await consumer.run({
    autoCommit: false,
    eachMessage: async ({ message, partition }) => {
      const headers = Object.fromEntries(
        Object.entries(message.headers ?? {}).map(([name, value]) => [name, String(value)]),
      );
      each({ key: String(message.key), value: String(message.value), headers, partition });
    },
  });
  return () => consumer.disconnect();
};

export interface KafkaHarness extends AdapterHarness, Pick<ShopAndStats, 'store' | 'shop' | 'source'> {
  readonly settings: KafkaSettings;
  readonly relay: KafkaRelay;
  /** The producer's log as an older release reads it. */
  readonly older: ShopAndStats['olderStore'];
  /** Sends everything in the log again, in its order, as a relay without its place does. */
  publishAgain(): Promise<void>;
  /** Resolves when Kafka has everything that is in the log. */
  allPublished(): Promise<void>;
  connect(options: InstanceOptions & Partial<KafkaTransportOptions>): Promise<TransportInstance>;
}

const tellLetters = async (topic: string, group: string, mirror: Mirror): Promise<() => Promise<void>> => {
  const name = deadLetterTopic({ topic, group });
  await createTopic({ topic: name, numPartitions: 1 });
  return readTopic(name, ({ key, value, headers, partition }) => {
    const letter: DeadLetter = {
      group,
      topic,
      partition,
      key,
      content: value,
      decoded: headers['content-type'] === 'application/cloudevents+json',
      error: headers['dlq-error'] ?? '',
      attempts: Number(headers['dlq-attempts']),
      firstSeenAt: new Date(headers['dlq-first-seen'] ?? ''),
    };
    void mirror([letter]);
  });
};

/** The bus of the distributed shape: what the producer appends is relayed to a real broker. */
export const kafkaHarness = async ({
  partitions = 1,
  decoding = { works: false },
}: { partitions?: number; decoding?: Decoding } = {}): Promise<KafkaHarness> => {
  const { store, shop, stats, topics, source, ...both } = await shopAndStats(uniqueService(), decoding);
  const [notes] = topics;
  const settings = testKafka(partitions);
  // An older release publishes: what it appended has version 1 in the topic too.
  const relay = new KafkaRelay({ store: both.olderStore, database: shop, kafka: settings });
  await relay.start();
  let producer: Promise<Producer> | undefined;
  const ends: (() => Promise<void>)[] = [];
  let doubled = false;

  const connected = async (): Promise<Producer> => {
    const made = plainKafka().producer({ createPartitioner: partitioner });
    await made.connect();
    return made;
  };
  const allPublished = async (): Promise<void> => {
    await waitUntil(async () => (await relay.status()).lagEvents === 0, { what: 'the relay to catch up' });
  };
  const publishAgain = async (): Promise<void> => {
    await allPublished();
    producer ??= connected();
    const events = await store.readLog({ after: null, limit: 10_000 });
    for (const topic of new Set(events.map(topicOfEvent))) {
      const messages = events.filter((event) => topicOfEvent(event) === topic).map(toEventMessage);
      await (await producer).send({ topic, messages });
    }
  };
  return {
    topics,
    database: stats,
    store,
    shop,
    source,
    settings,
    relay,
    older: both.olderStore,
    allPublished,
    publishAgain,
    publish: async (all, topic = notes) => {
      await both.append(all, topic);
      if (doubled) await publishAgain();
    },
    publishOld: (note) => both.appendOld(note, notes),
    publishUndecodable: (stream) => both.appendUndecodable(stream, notes),
    deliverTwice: () => void (doubled = true),
    connect: async ({ mirror, ...options }): Promise<TransportInstance> => {
      const own = await source('stats');
      if (mirror) ends.push(await tellLetters(notes, 'stats.notes', mirror));
      const transport = new KafkaEventTransport({
        kafka: settings,
        databaseOf: () => own,
        upcastersOf: () => upcastersOf(decoding),
        pollMs: 100,
        ...options,
        times: { sessionTimeoutMs: 6_000, heartbeatMs: 200, fetchWaitMs: 100, ...options.times },
      });
      const release = async (): Promise<void> => {
        if (own.isInitialized) await own.destroy();
      };
      const kill = async (): Promise<void> => {
        transport.unwrap<{ client: { cutOff(): void } }>().client.cutOff();
        await killPool(own, stats);
        // Whatever still runs in this process finds no connection; it is ended so that the test can end.
        void transport.close();
      };
      return { transport, database: own, kill, release };
    },
    close: async () => {
      await relay.stop();
      await Promise.all([...ends.map((end) => end()), producer?.then((made) => made.disconnect())]);
      const admin = plainKafka().admin();
      await admin.connect();
      const own = (await admin.listTopics()).filter((topic) => topic.includes(store.service));
      if (own.length > 0) await admin.deleteTopics({ topics: own });
      await admin.disconnect();
      await both.close();
    },
  };
};
