import { type PartitionMetadata, Partitioners } from 'kafkajs';

/** How kafkajs, and every other client, spreads keys over partitions. */
export const partitioner = Partitioners.DefaultPartitioner;

/** The partition of a topic with `partitions` of them that events with `key` go to. */
export const partitionOfKey = (key: string, partitions: number): number => {
  const partitionMetadata = Array.from({ length: partitions }, (): PartitionMetadata => {
    return { partitionErrorCode: 0, partitionId: 0, leader: 0, replicas: [], isr: [] };
  });
  return partitioner()({ topic: '', partitionMetadata, message: { key, value: null } });
};
