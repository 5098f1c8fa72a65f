import { Logger } from '@nestjs/common';
import type { ITopicConfig } from 'kafkajs';
import type { BrokerAdmin } from './broker-admin';
import { type KafkaSettings, nameInKafka } from './kafka-settings';

const log = new Logger('KafkaTopics');

/** Clocks may differ; an event is not refused because its database is ahead of the broker. */
const anyTimeMs = '9223372036854775807';

/** How many replicas must have a message before it counts as stored: a majority, so that it outlives the loss of one
 *  broker wherever there are three. Two replicas are kept writable when one is away. */
export const minInSyncReplicas = ({ replicationFactor }: Pick<KafkaSettings, 'replicationFactor'>): number =>
  replicationFactor < 3 ? 1 : Math.floor(replicationFactor / 2) + 1;

const topicConfig = (topic: string, settings: KafkaSettings, retentionMs: number): ITopicConfig => ({
  topic,
  numPartitions: settings.partitions,
  replicationFactor: settings.replicationFactor,
  configEntries: [
    ['cleanup.policy', 'delete'],
    ['retention.ms', String(retentionMs)],
    ['max.message.bytes', String(settings.messageBytesMax)],
    ['min.insync.replicas', String(minInSyncReplicas(settings))],
    ['unclean.leader.election.enable', 'false'],
    ['message.timestamp.type', 'CreateTime'],
    ['message.timestamp.after.max.ms', anyTimeMs],
  ].map(([name = '', value = '']) => ({ name, value })),
});

/** Creates the topics that are missing, and leaves the others as they are; one with another number of partitions is
 *  warned of. Safe when several processes do it at once. Throws what kafkajs throws. */
export const ensureTopics = async (
  admin: BrokerAdmin,
  settings: KafkaSettings,
  names: readonly string[],
  retentionMs = settings.retentionMs,
): Promise<void> => {
  const topics = names.map((name) => nameInKafka(settings, name));
  const existing = new Set(await admin.ask((broker) => broker.listTopics()));
  const missing = topics.filter((topic) => !existing.has(topic));
  if (missing.length > 0) {
    await admin.ask((broker) =>
      broker.createTopics({ topics: missing.map((topic) => topicConfig(topic, settings, retentionMs)) }),
    );
  }
  const known = topics.filter((topic) => existing.has(topic));
  if (known.length === 0) return;
  const { topics: found } = await admin.ask((broker) => broker.fetchTopicMetadata({ topics: known }));
  for (const { name, partitions } of found) {
    if (partitions.length === settings.partitions) continue;
    log.warn(`${name} has ${partitions.length} partitions, not ${settings.partitions} as configured`);
  }
};
