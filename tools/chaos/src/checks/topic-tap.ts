import { type Consumer, Kafka, type KafkaMessage, Partitioners, logLevel } from 'kafkajs';
import { randomUUID } from 'node:crypto';

const kafkaOf = (brokers: string): Kafka =>
  new Kafka({ brokers: [brokers], clientId: 'chaos', logLevel: logLevel.NOTHING });

/** A message as it lies in a topic. */
export interface TappedMessage {
  topic: string;
  partition: number;
  message: KafkaMessage;
}

/** Reads topics from their beginning, beside the other consumers. */
export class TopicTap {
  readonly messages: TappedMessage[] = [];

  private constructor(private readonly consumer: Consumer) {}

  /** The topics must exist. */
  static async on(brokers: string, topics: readonly string[]): Promise<TopicTap> {
    const consumer = kafkaOf(brokers).consumer({
      groupId: `chaos-${randomUUID()}`,
      retry: { retries: 1_000, maxRetryTime: 2_000 },
    });
    const tap = new TopicTap(consumer);
    await consumer.connect();
    await consumer.subscribe({ topics: [...topics], fromBeginning: true });
    await consumer.run({
      eachMessage: async ({ topic, partition, message }) =>
        void tap.messages.push({ topic, partition, message }),
    });
    return tap;
  }

  async close(): Promise<void> {
    await this.consumer.disconnect();
  }
}

/** How many messages each partition of the topics that exist holds, all together. */
export const messagesIn = async (
  brokers: string,
  isWanted: (topic: string) => boolean,
): Promise<Map<string, number>> => {
  const admin = kafkaOf(brokers).admin();
  await admin.connect();
  try {
    const counts = new Map<string, number>();
    for (const topic of (await admin.listTopics()).filter(isWanted)) {
      const offsets = await admin.fetchTopicOffsets(topic);
      counts.set(
        topic,
        offsets.reduce((sum, { high, low }) => sum + Number(high) - Number(low), 0),
      );
    }
    return counts;
  } finally {
    await admin.disconnect();
  }
};

/** Deletes a topic. Throws what kafkajs throws. */
export const removeTopic = async (brokers: string, topic: string): Promise<void> => {
  const admin = kafkaOf(brokers).admin();
  await admin.connect();
  try {
    await admin.deleteTopics({ topics: [topic] });
  } finally {
    await admin.disconnect();
  }
};

/** Sends messages as they are, to their partitions where these are given. */
export const send = async (
  brokers: string,
  messages: readonly { topic: string; partition?: number; message: Partial<KafkaMessage> }[],
): Promise<void> => {
  const producer = kafkaOf(brokers).producer({ createPartitioner: Partitioners.DefaultPartitioner });
  await producer.connect();
  try {
    for (const { topic, partition, message } of messages) {
      const { key = null, value = null, headers = {}, timestamp } = message;
      await producer.send({
        topic,
        acks: -1,
        messages: [
          {
            key,
            value,
            headers,
            ...(timestamp === undefined ? {} : { timestamp }),
            ...(partition === undefined ? {} : { partition }),
          },
        ],
      });
    }
  } finally {
    await producer.disconnect();
  }
};
