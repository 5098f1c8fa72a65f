import { Kafka, logLevel } from 'kafkajs';
import { randomBytes } from 'node:crypto';

/** Returns all messages of the topics in a namespace as texts, from the first to those that are last now: topic, key and value.
 *  `brokers`: separated by commas. */
export const messagesOf = async (brokers: string, namespace: string): Promise<string[]> => {
  const kafka = new Kafka({
    brokers: brokers.split(','),
    clientId: 'scrip-messages',
    logLevel: logLevel.NOTHING,
  });
  const admin = kafka.admin();
  await admin.connect();
  const topics = (await admin.listTopics()).filter((topic) => topic.startsWith(namespace));
  // The last message of each partition that has one.
  const left = new Map<string, number>();
  for (const topic of topics)
    for (const { partition, low, high } of await admin.fetchTopicOffsets(topic))
      if (Number(high) > Number(low)) left.set(`${topic} ${partition}`, Number(high) - 1);
  await admin.disconnect();
  const messages: string[] = [];
  if (left.size === 0) return messages;
  const consumer = kafka.consumer({
    groupId: `messages-${randomBytes(8).toString('hex')}`,
    maxWaitTimeInMs: 100,
  });
  await consumer.connect();
  await consumer.subscribe({ topics, fromBeginning: true });
  await new Promise<void>((resolve, reject) => {
    const eachMessage: NonNullable<Parameters<typeof consumer.run>[0]>['eachMessage'] = async ({
      topic,
      partition,
      message,
    }) => {
      messages.push(`${topic} ${String(message.key)} ${String(message.value)}`);
      const of = `${topic} ${partition}`;
      if (Number(message.offset) >= (left.get(of) ?? Infinity)) left.delete(of);
      if (left.size === 0) resolve();
    };
    consumer.run({ autoCommit: false, eachMessage }).catch(reject);
  });
  await consumer.disconnect();
  return messages;
};
