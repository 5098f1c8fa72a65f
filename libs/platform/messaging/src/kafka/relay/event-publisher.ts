import type { StoredEvent } from '@scrip/event-store';
import { CompressionTypes, type Producer, type TopicMessages } from 'kafkajs';
import { topicOfEvent } from '../../feed/cloud-event';
import { BrokerAdmin } from '../broker-admin';
import { KafkaClient } from '../kafka-client';
import { type EventMessage, messageBytes, toEventMessage } from '../kafka-message';
import { type KafkaSettings, nameInKafka } from '../kafka-settings';
import { partitioner } from '../partitioning';
import { ensureTopics } from '../topics';

/** Below it a request holds too few events for compression to find much that repeats. */
const compressedFromBytes = 4_096;

/** An event on its way into its topic. */
export interface OutgoingEvent {
  event: StoredEvent;
  topic: string;
  message: EventMessage;
  bytes: number;
}

/** Encodes an event. Pure. */
export const outgoing = (event: StoredEvent): OutgoingEvent => {
  const message = toEventMessage(event);
  return { event, topic: topicOfEvent(event), message, bytes: messageBytes(message) };
};

/** Sends events in the order given: idempotent, acknowledged by all replicas. After the first failure it must be cut
 *  off and another one made: kafkajs sets its sequence numbers back for all partitions of a failed request, also for
 *  those that were stored, and the broker would take other messages under these numbers for repeated ones. */
export class EventPublisher {
  private readonly client: KafkaClient;
  private readonly admin: BrokerAdmin;
  private readonly known = new Set<string>();
  private producer: Producer | undefined;

  constructor(private readonly settings: KafkaSettings) {
    this.client = new KafkaClient(settings);
    this.admin = new BrokerAdmin(this.client);
  }

  /** Resolves when all events are stored. Throws what kafkajs throws; any part of them may be stored then. */
  async send(events: readonly OutgoingEvent[]): Promise<void> {
    await this.makeTopics(events);
    this.producer ??= await this.connect();
    const topics = new Map<string, TopicMessages>();
    for (const { topic, message } of events) {
      const messages = topics.get(topic)?.messages ?? [];
      messages.push(message);
      topics.set(topic, { topic: nameInKafka(this.settings, topic), messages });
    }
    const bytes = events.reduce((sum, event) => sum + event.bytes, 0);
    const compression = bytes < compressedFromBytes ? CompressionTypes.None : CompressionTypes.GZIP;
    await this.producer.sendBatch({ acks: -1, compression, topicMessages: [...topics.values()] });
  }

  /** Ends everything under way now; nothing leaves this process after it returns. */
  cutOff(): void {
    this.client.cutOff();
  }

  async close(): Promise<void> {
    await Promise.all([this.admin.close(), this.producer?.disconnect()]).catch(() => undefined); // cut off next
    this.client.cutOff();
  }

  private async makeTopics(events: readonly OutgoingEvent[]): Promise<void> {
    const unknown = new Set(events.map(({ topic }) => topic).filter((topic) => !this.known.has(topic)));
    if (unknown.size === 0) return;
    await ensureTopics(this.admin, this.settings, [...unknown]);
    for (const topic of unknown) this.known.add(topic);
  }

  private async connect(): Promise<Producer> {
    const producer = this.client.kafka.producer({
      createPartitioner: partitioner,
      allowAutoTopicCreation: false,
      idempotent: true,
      maxInFlightRequests: 1,
      retry: { retries: 3 },
    });
    await producer.connect();
    return producer;
  }
}
