import { Logger } from '@nestjs/common';
import type { Assignment, Consumer as KafkaConsumer, EachBatchPayload } from 'kafkajs';
import type { Consumer } from '../consumer/consumer';
import type { Lag } from '../feed/event-feed';
import { errorText } from '../parking/parked-keys';
import type { PartitionOfGroup } from '../partition/partition-position';
import { pause } from '../partition/pause';
import { FailuresInARow } from './failures-in-a-row';
import type { KafkaClient } from './kafka-client';
import { endFetches } from './patient-fetches';
import { PartitionReader, type Reading } from './partition-reader';
import { stickyAssigner } from './sticky-assigner';

/** How a group and its members watch each other. */
export interface GroupTimes {
  /** Without a sign of life for so long a member is dead, and others take its partitions over. */
  sessionTimeoutMs: number;
  heartbeatMs: number;
  /** The longest wait for a fetch that brings nothing, after which a member also learns that others have joined or left. At most
   *  250 ms while a partition is held back, which is fetched again only after the fetch under way. */
  fetchWaitMs: number;
}

const retryMs = { least: 500, most: 5_000 };

/** A partition by its name in Kafka. */
const keyOf = (topic: string, partition: number): string => `${topic} ${partition}`;

/** One consumer group of this process: joins, reads the partitions assigned to it, and joins again after every failure.
 *  Offsets are never committed: a reader finds its place by the position in PostgreSQL. */
export class GroupConsumer {
  private readonly log = new Logger(GroupConsumer.name);
  private readonly failures = new FailuresInARow(this.log);
  private readonly stopping = new AbortController();
  private readonly readers = new Map<string, PartitionReader>();
  /** Ends of readers that gave a partition up: the next one of it waits. */
  private readonly ended = new Map<string, Promise<void>>();
  private connected: KafkaConsumer | undefined;
  private running: Promise<void> | undefined;

  constructor(
    readonly group: string,
    private readonly consumers: readonly Consumer[],
    private readonly client: KafkaClient,
    private readonly times: GroupTimes,
    private readonly reading: Reading,
  ) {}

  start(): void {
    this.running = this.run();
  }

  /** Fetches no more; what workers have begun goes on. */
  stopFetching(): void {
    this.stopping.abort();
    for (const reader of this.readers.values()) reader.stop();
  }

  /** Leaves the group. */
  async close(): Promise<void> {
    this.stopFetching();
    await this.running;
    await Promise.all([...this.readers.values()].map((reader) => reader.close()));
    await Promise.all(this.ended.values());
  }

  /** Positions may have been set back. */
  wake(): void {
    for (const reader of this.readers.values()) reader.wake();
  }

  /** What waits for a reader of this group; nothing where another process has the partition. Undefined without a
   *  connection, and where the reader does not know. */
  lagOf({ topic, partition }: PartitionOfGroup): Lag | undefined {
    if (!this.connected) return undefined;
    const reader = this.readers.get(keyOf(this.client.nameOf(topic), partition));
    return reader ? reader.lag() : { events: 0, oldestRecordedAt: null };
  }

  /** Asks the broker what partitions hold that fetch nothing at the moment. */
  async lookAtHeld(): Promise<void> {
    const held = [...this.readers.values()].filter(({ isHeld }) => isHeld);
    for (const topic of new Set(held.map(({ consumer }) => consumer.topic))) {
      const ranges = await this.reading.offsets.ranges(topic);
      for (const reader of held.filter(({ consumer }) => consumer.topic === topic)) {
        const range = ranges.find(({ partition }) => partition === reader.partition);
        if (range) reader.sawRange(range);
      }
    }
  }

  private async run(): Promise<void> {
    let delayMs = retryMs.least;
    while (!this.stopping.signal.aborted) {
      const consumer = this.client.kafka.consumer({
        groupId: this.client.nameOf(this.group),
        sessionTimeout: this.times.sessionTimeoutMs,
        rebalanceTimeout: this.times.sessionTimeoutMs,
        heartbeatInterval: this.times.heartbeatMs,
        maxWaitTimeInMs: this.times.fetchWaitMs,
        metadataMaxAge: 60_000,
        allowAutoTopicCreation: false,
        partitionAssigners: [stickyAssigner(() => this.owned())],
        // Crashes end here, and begin again with the loop.
        retry: { restartOnFailure: async () => false },
      });
      try {
        const joined = await this.consumeWith(consumer);
        if (joined) delayMs = retryMs.least;
        if (joined) this.failures.over();
      } catch (error) {
        if (!this.stopping.signal.aborted) this.failures.failed(`${this.group} cannot consume`, error);
      }
      this.connected = undefined;
      const left = consumer.disconnect().catch(() => undefined); // it ends with its sockets
      // Once it leaves, so that none begins after.
      endFetches(this.client.nameOf(this.group));
      await left;
      await pause(delayMs, this.stopping.signal);
      delayMs = Math.min(delayMs * 2, retryMs.most);
    }
  }

  /** Consumes until the connection fails or it is told to stop; answers whether it was in the group. */
  private async consumeWith(consumer: KafkaConsumer): Promise<boolean> {
    let joins = 0;
    // Without an end of its own, each try would leave a listener, and with it a whole consumer, for as long as it runs.
    const over = new AbortController();
    const ended = new Promise<void>((resolve) => {
      consumer.on(consumer.events.CRASH, ({ payload }) => {
        const what = `${this.group} lost its connection`;
        if (joins > 0) this.log.warn(`${what}: ${errorText(payload.error)}`);
        else this.failures.failed(what, payload.error);
        resolve();
      });
      if (this.stopping.signal.aborted) resolve();
      this.stopping.signal.addEventListener('abort', () => resolve(), { signal: over.signal });
    });
    consumer.on(consumer.events.GROUP_JOIN, ({ payload }) => {
      // Before anything is fetched: listeners are called within the join.
      this.assign(consumer, payload.memberAssignment as Assignment, joins === 0);
      joins += 1;
    });
    try {
      await consumer.connect();
      await consumer.subscribe({
        topics: this.consumers.map(({ topic }) => this.client.nameOf(topic)),
        fromBeginning: true,
      });
      await consumer.run({
        autoCommit: false,
        eachBatchAutoResolve: false,
        eachBatch: (payload) => this.take(consumer, payload),
      });
      await ended;
      return joins > 0;
    } finally {
      over.abort();
    }
  }

  private async take(consumer: KafkaConsumer, payload: EachBatchPayload): Promise<void> {
    const { batch, isStale, resolveOffset } = payload;
    if (this.connected !== consumer || isStale()) return;
    const reader = this.readers.get(keyOf(batch.topic, batch.partition));
    if (reader?.take(batch)) resolveOffset(batch.lastOffset());
  }

  private assign(consumer: KafkaConsumer, assignment: Assignment, anew: boolean): void {
    this.connected = consumer;
    const assigned = new Set(
      Object.entries(assignment).flatMap(([topic, partitions]) =>
        partitions.map((partition) => keyOf(topic, partition)),
      ),
    );
    for (const key of this.readers.keys()) if (!assigned.has(key)) this.giveUp(key);
    for (const [key, reader] of this.readers) if (assigned.has(key)) reader.rejoined(anew);
    for (const consumer of this.consumers) {
      const topic = this.client.nameOf(consumer.topic);
      for (const partition of assignment[topic] ?? []) this.takeOver(consumer, topic, partition);
    }
    this.log.log(`${this.group} reads ${assigned.size} partitions`);
  }

  private takeOver(consumer: Consumer, topic: string, partition: number): void {
    const key = keyOf(topic, partition);
    if (this.readers.has(key) || this.stopping.signal.aborted) return;
    const place = [{ topic, partitions: [partition] }];
    const reader: PartitionReader = new PartitionReader(consumer, partition, this.reading, {
      seek: (offset) => this.ask(key, reader, (it) => it.seek({ topic, partition, offset: String(offset) })),
      pause: () => this.ask(key, reader, (it) => it.pause(place)),
      resume: () => this.ask(key, reader, (it) => it.resume(place)),
    });
    this.readers.set(key, reader);
    this.connected?.pause(place);
    reader.begin(this.ended.get(key) ?? Promise.resolve());
  }

  private giveUp(key: string): void {
    const reader = this.readers.get(key);
    if (!reader) return;
    this.readers.delete(key);
    const end = reader.close().finally(() => {
      if (this.ended.get(key) === end) this.ended.delete(key);
    });
    this.ended.set(key, end);
  }

  /** Steers the fetching of a partition that is still its reader's. */
  private ask(key: string, reader: PartitionReader, command: (consumer: KafkaConsumer) => void): void {
    if (this.connected && this.readers.get(key) === reader) command(this.connected);
  }

  private owned(): Assignment {
    const owned: Assignment = {};
    for (const { consumer, partition } of this.readers.values())
      (owned[this.client.nameOf(consumer.topic)] ??= []).push(partition);
    return owned;
  }
}
