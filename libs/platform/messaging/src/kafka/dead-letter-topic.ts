import { Logger } from '@nestjs/common';
import type { StoredEvent } from '@scrip/event-store';
import type { Producer } from 'kafkajs';
import type { DeadLetter, Mirror } from '../parking/dead-letter';
import { errorText } from '../parking/parked-keys';
import type { BrokerAdmin } from './broker-admin';
import type { KafkaClient } from './kafka-client';
import { messageOfNotation, toEventMessage } from './kafka-message';
import { type KafkaSettings, nameInKafka } from './kafka-settings';
import { partitioner } from './partitioning';
import { isRefusedMessage } from './refused-message';
import { ensureTopics } from './topics';

const retentionMs = 30 * 24 * 60 * 60 * 1_000;

/** Where a group's dead letters of a topic go. Source: reference 06 §9.4. */
export const deadLetterTopic = ({ topic, group }: { topic: string; group: string }): string =>
  `${topic}.dlq.${group}`;

const original = ({ decoded, content }: DeadLetter) => {
  if (!decoded) return messageOfNotation(content);
  return toEventMessage(JSON.parse(content) as StoredEvent);
};

const messageOf = (letter: DeadLetter) => {
  const { key, value, headers } = original(letter);
  const told = {
    'dlq-error': letter.error,
    'dlq-attempts': String(letter.attempts),
    'dlq-first-seen': letter.firstSeenAt.toISOString(),
  };
  return { key, value, headers: { ...headers, ...told } };
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

  /** Throws what kafkajs throws; the letters are sent again then. One that the broker refuses stays in the table of
   *  parked events alone. */
  readonly mirror: Mirror = async (letters) => {
    const [first] = letters;
    if (!first) return;
    const topic = deadLetterTopic(first);
    if (!this.known.has(topic)) await ensureTopics(this.admin, this.settings, [topic], retentionMs);
    this.known.add(topic);
    await this.send(topic, letters);
  };

  async close(): Promise<void> {
    await this.connecting?.then((producer) => producer.disconnect()).catch(() => undefined);
  }

  private async send(topic: string, letters: readonly DeadLetter[]): Promise<void> {
    const producer = await this.producer();
    try {
      const messages = letters.map(messageOf);
      await producer.send({ topic: nameInKafka(this.settings, topic), acks: -1, messages });
    } catch (error) {
      if (!isRefusedMessage(error)) throw error;
      if (letters.length === 1) {
        // It would be refused for ever, and the letters behind it with it.
        return this.log.error(
          `${topic} does not take a dead letter of ${letters[0]?.key}: ${errorText(error)}`,
        );
      }
      const half = Math.ceil(letters.length / 2);
      await this.send(topic, letters.slice(0, half));
      await this.send(topic, letters.slice(half));
    }
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
