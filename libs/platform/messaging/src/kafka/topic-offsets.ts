import type { Offset } from '../partition/partition-position';
import type { BrokerAdmin } from './broker-admin';
import { type KafkaSettings, nameInKafka } from './kafka-settings';

/** What a partition holds: offsets from `low`, up to but without `high`. */
export interface OffsetRange {
  partition: number;
  low: bigint;
  high: bigint;
}

/** Events are stored in log order, whose times may be out of order by the length of a transaction, and by more where
 *  a database moved to a server with another clock. What is fetched again for it is dropped by position. */
const slackMs = 60_000;

/** Where things are in topics, as the broker knows it. Throws what kafkajs throws. */
export class TopicOffsets {
  constructor(
    private readonly admin: BrokerAdmin,
    private readonly settings: Pick<KafkaSettings, 'namespace'>,
  ) {}

  async ranges(topic: string): Promise<OffsetRange[]> {
    const found = await this.admin.ask((broker) =>
      broker.fetchTopicOffsets(nameInKafka(this.settings, topic)),
    );
    return found.map(({ partition, low, high }) => ({ partition, low: BigInt(low), high: BigInt(high) }));
  }

  async range(topic: string, partition: number): Promise<OffsetRange> {
    const range = (await this.ranges(topic)).find((one) => one.partition === partition);
    if (!range) throw new Error(`${topic} has no partition ${partition}`);
    return range;
  }

  /** Where to fetch from so that nothing behind `reached` is missed. */
  async startAfter(topic: string, partition: number, { recordedAt }: Offset): Promise<bigint> {
    if (recordedAt === null) return (await this.range(topic, partition)).low;
    const since = Date.parse(recordedAt) - slackMs;
    const name = nameInKafka(this.settings, topic);
    const found = await this.admin.ask((broker) => broker.fetchTopicOffsetsByTimestamp(name, since));
    const start = found.find((one) => one.partition === partition);
    if (!start) throw new Error(`${topic} has no partition ${partition}`);
    return BigInt(start.offset);
  }
}
