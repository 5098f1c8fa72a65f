import { newId } from '@scrip/kernel';
import { waitUntil } from '@scrip/testing';
import { Kafka, logLevel } from 'kafkajs';

/** Reads all messages of the topics in a namespace, from the first to those that are last now. */
export const messagesOf = async (brokers: string, namespace: string): Promise<string[]> => {
  const kafka = new Kafka({ brokers: brokers.split(','), clientId: 'scrip-e2e', logLevel: logLevel.NOTHING });
  const admin = kafka.admin();
  await admin.connect();
  const topics = (await admin.listTopics()).filter((topic) => topic.startsWith(namespace));
  // Where each partition ends that has a message.
  const left = new Map<string, number>();
  for (const topic of topics)
    for (const { partition, low, high } of await admin.fetchTopicOffsets(topic))
      if (Number(high) > Number(low)) left.set(`${topic} ${partition}`, Number(high) - 1);
  await admin.disconnect();
  const messages: string[] = [];
  const consumer = kafka.consumer({ groupId: newId('e2e-'), maxWaitTimeInMs: 100 });
  await consumer.connect();
  await consumer.subscribe({ topics, fromBeginning: true });
  await consumer.run({
    autoCommit: false,
    eachMessage: async ({ topic, partition, message }) => {
      messages.push(`${topic} ${String(message.key)} ${String(message.value)}`);
      const end = left.get(`${topic} ${partition}`);
      if (end !== undefined && Number(message.offset) >= end) left.delete(`${topic} ${partition}`);
    },
  });
  await waitUntil(() => left.size === 0, { what: 'the last message of each topic', timeoutMs: 60_000 });
  await consumer.disconnect();
  return messages;
};
