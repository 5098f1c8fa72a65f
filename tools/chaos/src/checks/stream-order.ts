import { topics } from '@scrip/contracts/registry';
import type { Databases } from '@scrip/reconcile';
import { parseTopic } from '@scrip/messaging';
import { type Consumer, Kafka, logLevel } from 'kafkajs';
import { randomUUID } from 'node:crypto';
import { rowsOf } from './rows';
import { SeenEvents } from './seen-events';

/** What a plain consumer of all topics saw. */
export interface SeenInKafka {
  messages: number;
  /** Messages that came again: allowed, and dropped by every consumer. */
  repeated: number;
  /** Messages seen for the first time behind a later one of their stream. */
  outOfOrder: number;
  /** Events of the logs that never came. */
  missing: number;
}

const readWithinMs = 30_000;
const allTopics = Object.values(topics);

/** Reads all topics from their beginning, like a consumer that knows only Kafka. */
export class StreamOrder {
  private readonly seen = new SeenEvents();

  private constructor(private readonly consumer: Consumer) {}

  /** Begins to read; the topics must exist. */
  static async watch(brokers: string): Promise<StreamOrder> {
    const kafka = new Kafka({ brokers: [brokers], clientId: 'chaos', logLevel: logLevel.NOTHING });
    const order = new StreamOrder(
      kafka.consumer({ groupId: `chaos-${randomUUID()}`, retry: { retries: 1_000, maxRetryTime: 2_000 } }),
    );
    await order.consumer.connect();
    await order.consumer.subscribe({ topics: await existing(kafka), fromBeginning: true });
    await order.consumer.run({
      eachMessage: async ({ topic, message: { key, value } }) => {
        const { id, sequence } = JSON.parse(String(value)) as { id: string; sequence: string };
        order.seen.take(`${topic} ${String(key)}`, id, Number(sequence));
      },
    });
    return order;
  }

  /** Returns what was seen so far, compared with the events of the logs. */
  private async compare(databases: Databases): Promise<SeenInKafka> {
    let missing = 0;
    for (const service of new Set(allTopics.map((topic) => parseTopic(topic).service))) {
      for (const id of await eventIds(databases, service as keyof Databases))
        if (!this.seen.has(id)) missing += 1;
    }
    const { messages, repeated, outOfOrder } = this.seen;
    return { messages, repeated, outOfOrder, missing };
  }

  /** Returns the same as soon as nothing is missing, or after 30 s. */
  async settled(databases: Databases): Promise<SeenInKafka> {
    const until = Date.now() + readWithinMs;
    for (;;) {
      const seen = await this.compare(databases);
      if (seen.missing === 0 || Date.now() > until) return seen;
      await new Promise((resolve) => setTimeout(resolve, 500));
    }
  }

  async close(): Promise<void> {
    await this.consumer.disconnect();
  }
}

const existing = async (kafka: Kafka): Promise<string[]> => {
  const admin = kafka.admin();
  await admin.connect();
  try {
    const known = new Set(await admin.listTopics());
    return allTopics.filter((topic) => known.has(topic));
  } finally {
    await admin.disconnect();
  }
};

const eventIds = async (databases: Databases, service: keyof Databases): Promise<string[]> => {
  const rows = await rowsOf<{ event_id: string }>(
    databases[service],
    `SELECT event_id FROM ${service}.events`,
  );
  return rows.map(({ event_id }) => event_id);
};
