import type { ITopicConfig } from 'kafkajs';
import type { BrokerAdmin } from './broker-admin';
import type { KafkaSettings } from './kafka-settings';
import { ensureTopics, minInSyncReplicas } from './topics';

describe('a topic', () => {
  it.each([
    [1, 1],
    [2, 1],
    [3, 2],
    [5, 3],
  ])('with %i replicas takes messages while %i are in sync', (replicationFactor, replicas) => {
    expect(minInSyncReplicas({ replicationFactor })).toBe(replicas);
  });

  it('is created so that a message outlives the loss of one of three brokers', async () => {
    const made: ITopicConfig[] = [];
    const broker = {
      listTopics: async () => [],
      createTopics: async ({ topics }: { topics: ITopicConfig[] }) => void made.push(...topics),
    };
    const admin = { ask: (question: (of: typeof broker) => unknown) => question(broker) };
    const settings: KafkaSettings = {
      brokers: ['localhost:9092'],
      clientId: 'scrip',
      partitions: 6,
      replicationFactor: 3,
      retentionMs: 1_000,
      messageBytesMax: 1_048_576,
    };
    await ensureTopics(admin as unknown as BrokerAdmin, settings, ['scrip.shop.note.v1']);
    expect(made).toMatchObject([{ topic: 'scrip.shop.note.v1', numPartitions: 6, replicationFactor: 3 }]);
    expect(made[0]?.configEntries).toContainEqual({ name: 'min.insync.replicas', value: '2' });
    expect(made[0]?.configEntries).toContainEqual({ name: 'unclean.leader.election.enable', value: 'false' });
  });
});
