import { Logger } from '@nestjs/common';
import type { StoredEvent } from '@scrip/event-store';
import type { DataSource } from 'typeorm';
import type { Consumer } from '../consumer/consumer';
import type { Mirror } from '../parking/dead-letter';
import type { EventFeed, Lag, Workers } from '../feed/event-feed';
import type { PartitionOfGroup } from '../partition/partition-position';
import { pause } from '../partition/pause';
import { BrokerAdmin } from './broker-admin';
import { DeadLetterTopics } from './dead-letter-topic';
import { FailuresInARow } from './failures-in-a-row';
import { GroupConsumer, type GroupTimes } from './group-consumer';
import { KafkaClient } from './kafka-client';
import type { UpcastersOf } from '../feed/newest-version';
import { eventOfMessage, messageOfNotation } from './kafka-message';
import type { KafkaSettings } from './kafka-settings';
import { MemoryBudget } from './memory-budget';
import type { ReadOwnersLog } from './owners-log';
import { noteStart } from './starting-now';
import { TopicOffsets } from './topic-offsets';
import { ensureTopics } from './topics';

export interface KafkaFeedOptions {
  kafka: KafkaSettings;
  databaseOf: (context: string) => DataSource;
  /** Steps to the newest schema version of a topic's events; none unless given. */
  upcastersOf?: UpcastersOf;
  /** Reads what a topic no longer holds; without it, that is lost to rebuilt and to long absent groups. */
  readOwnersLog?: ReadOwnersLog;
  /** 10 s, 1 s and 2 s unless given. */
  times?: Partial<GroupTimes>;
  /** Between two looks for positions that others have moved, and at partitions that fetch nothing; 5 s unless
   *  given. */
  pollMs?: number;
  /** How long `start` waits for the brokers before it goes on without them; 10 s unless given. */
  startPatienceMs?: number;
  /** Of fetched events that wait in memory; 64 MB unless given. */
  memoryBytesMax?: number;
}

const retryMs = 1_000;
/** How long groups have to leave before their sockets are cut. */
const closePatienceMs = 5_000;

/** Carries events from Kafka's topics. Source: architecture §6. */
export class KafkaEventFeed implements EventFeed {
  private readonly log = new Logger(KafkaEventFeed.name);
  private readonly stopping = new AbortController();
  private readonly client: KafkaClient;
  private readonly admin: BrokerAdmin;
  private readonly letters: DeadLetterTopics;
  private groups: GroupConsumer[] = [];
  private working: Promise<unknown> = Promise.resolve();

  constructor(private readonly options: KafkaFeedOptions) {
    this.client = new KafkaClient(options.kafka);
    this.admin = new BrokerAdmin(this.client);
    this.letters = new DeadLetterTopics(this.client, this.admin, options.kafka);
  }

  /** Sends dead letters to their topics. */
  get mirror(): Mirror {
    return this.letters.mirror;
  }

  /** Resolves when topics exist and groups have begun, or, where the brokers do not answer, after a while: then it goes
   *  on trying by itself. */
  async start(consumers: readonly Consumer[], workers: Workers): Promise<void> {
    if (consumers.length === 0) return;
    const begun = this.begin(consumers, workers);
    this.working = Promise.all([begun, this.poll(workers)]);
    await Promise.race([begun, pause(this.options.startPatienceMs ?? 10_000, this.stopping.signal)]);
  }

  stopFetching(): void {
    this.stopping.abort();
    for (const group of this.groups) group.stopFetching();
  }

  async close(): Promise<void> {
    this.stopFetching();
    try {
      const closing = Promise.all([...this.groups.map((group) => group.close()), this.working]);
      // Without a broker nothing of it would end before its own timeouts.
      await Promise.race([closing, pause(closePatienceMs, new AbortController().signal)]);
      await Promise.race([this.disconnect(), pause(1_000, new AbortController().signal)]);
    } finally {
      this.client.cutOff();
    }
  }

  lagOf(reader: PartitionOfGroup): Lag | undefined {
    return this.groups.find(({ group }) => group === reader.group)?.lagOf(reader);
  }

  decode(raw: string): StoredEvent {
    return eventOfMessage(messageOfNotation(raw), this.options.upcastersOf);
  }

  private async begin(consumers: readonly Consumer[], workers: Workers): Promise<void> {
    await this.prepare(consumers);
    if (this.stopping.signal.aborted) return;
    this.groups = this.groupsOf(consumers, workers);
    for (const group of this.groups) group.start();
  }

  private groupsOf(consumers: readonly Consumer[], workers: Workers): GroupConsumer[] {
    const { databaseOf, upcastersOf, readOwnersLog, times, memoryBytesMax = 64_000_000 } = this.options;
    const reading = {
      workers,
      databaseOf,
      offsets: new TopicOffsets(this.admin, this.options.kafka),
      budget: new MemoryBudget(memoryBytesMax),
      ...(upcastersOf ? { upcastersOf } : {}),
      ...(readOwnersLog ? { readOwnersLog } : {}),
    };
    const all: GroupTimes = { sessionTimeoutMs: 10_000, heartbeatMs: 1_000, fetchWaitMs: 2_000, ...times };
    return [...new Set(consumers.map(({ group }) => group))].map((group) => {
      const own = consumers.filter((consumer) => consumer.group === group);
      return new GroupConsumer(group, own, this.client, all, reading);
    });
  }

  /** Makes missing topics, and notes where groups start that start now; tries until it succeeds. */
  private async prepare(consumers: readonly Consumer[]): Promise<void> {
    const topics = [...new Set(consumers.map(({ topic }) => topic))];
    const offsets = new TopicOffsets(this.admin, this.options.kafka);
    const failures = new FailuresInARow(this.log);
    while (!this.stopping.signal.aborted) {
      try {
        await ensureTopics(this.admin, this.options.kafka, topics);
        for (const consumer of consumers.filter(({ from }) => from === 'now')) {
          const ends = await offsets.ranges(consumer.topic);
          await noteStart(this.options.databaseOf(consumer.context), consumer, ends);
        }
        return;
      } catch (error) {
        failures.failed('cannot prepare the topics', error);
        await pause(retryMs, this.stopping.signal);
      }
    }
  }

  private async poll(workers: Workers): Promise<void> {
    const failures = new FailuresInARow(this.log);
    while (!this.stopping.signal.aborted) {
      await pause(this.options.pollMs ?? 5_000, this.stopping.signal);
      if (this.stopping.signal.aborted) return;
      try {
        await workers.noticeMoves();
        for (const group of this.groups) {
          group.wake();
          await group.lookAtHeld();
        }
        failures.over();
      } catch (error) {
        failures.failed('cannot look after the groups', error);
      }
    }
  }

  private async disconnect(): Promise<void> {
    await Promise.all([this.letters.close(), this.admin.close()]);
  }
}
