import { Logger } from '@nestjs/common';
import type { StoredEvent } from '@scrip/event-store';
import type { Producer } from 'kafkajs';
import type { DeadLetter, Mirror } from '../dead-letter';
import { errorText } from '../parked-keys';
import type { BrokerAdmin } from './broker-admin';
import type { KafkaClient } from './kafka-client';
import { messageOfNotation, toEventMessage } from './kafka-message';
import { type KafkaSettings, nameInKafka } from './kafka-settings';
import { partitioner } from './partitioning';
import { isRefusedMessage } from './refused-message';
import { ensureTopics } from './topics';

const retentionMs = 30 * 24 * 60 * 60 * 1_000;

/** Where a group's dead letters of a topic go. Source: spec 06 §9.4. */
export const deadLetterTopic = ({ topic, group }: { topic: string; group: string }): string =>
  `${topic}.dlq.${group}`;

const original = ({ decoded, content }: DeadLetter) => {
  if (!decoded) return messageOfNotation(content);
  return toEventMessage(JSON.parse(content) as StoredEvent);
};

/** Sends copies of parked events to the dead-letter topics: what arrived, and three headers that say what happened. */
export class DeadLetterTopics {
  private readonly log = new Logger(DeadLetterTopics.name);
  private readonly known = new Set<string>();
  private connecting: Promise<Producer> | undefined;

  constructor(
    private readonly client: KafkaClient,
    private readonly admin: BrokerAdmin,
    private readonly settings: KafkaSettings,
  ) {}

  /** Throws what kafkajs throws; the letter is sent again then. One that the broker refuses stays in the table of
   *  parked events alone. */
  readonly mirror: Mirror = async (letter) => {
    const topic = deadLetterTopic(letter);
    if (!this.known.has(topic)) await ensureTopics(this.admin, this.settings, [topic], retentionMs);
    this.known.add(topic);
    const { key, value, headers } = original(letter);
    const told = {
      'dlq-error': letter.error,
      'dlq-attempts': String(letter.attempts),
      'dlq-first-seen': letter.firstSeenAt.toISOString(),
    };
    const producer = await this.producer();
    try {
      const messages = [{ key, value, headers: { ...headers, ...told } }];
      await producer.send({ topic: nameInKafka(this.settings, topic), acks: -1, messages });
    } catch (error) {
      if (!isRefusedMessage(error)) throw error;
      // It would be refused for ever, and the letters behind it with it.
      this.log.error(`${topic} does not take a dead letter of ${letter.key}: ${errorText(error)}`);
    }
  };

  async close(): Promise<void> {
    await this.connecting?.then((producer) => producer.disconnect()).catch(() => undefined);
  }

  private producer(): Promise<Producer> {
    this.connecting ??= this.connect().catch((error: unknown) => {
      this.connecting = undefined;
      throw error;
    });
    return this.connecting;
  }

  private async connect(): Promise<Producer> {
    const producer = this.client.kafka.producer({
      createPartitioner: partitioner,
      allowAutoTopicCreation: false,
    });
    await producer.connect();
    return producer;
  }
}
