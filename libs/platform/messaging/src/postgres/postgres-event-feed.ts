import { Logger } from '@nestjs/common';
import { type LogPosition, type StoredEvent, logStart } from '@scrip/event-store';
import type { DataSource } from 'typeorm';
import type { Consumer } from '../consumer/consumer';
import { isUndecodable } from '../feed/delivery';
import type { EventFeed, Lag, Workers } from '../feed/event-feed';
import { errorText } from '../parking/parked-keys';
import type { PartitionOfGroup } from '../partition/partition-position';
import type { PartitionWorker } from '../partition/partition-worker';
import { pause } from '../partition/pause';
import { parseTopic } from '../feed/topic-name';
import { SerialQueue } from '../partition/serial-queue';
import { ConsumerLocks, type LockOwner } from './consumer-locks';
import type { LogSource } from './log-source';
import { LogTail } from './log-tail';
import { TopicReader } from './topic-reader';

export interface PostgresFeedOptions {
  logs: LogSource;
  databaseOf: (context: string) => DataSource;
  /** Between two looks at the logs' heads, for what other processes wrote; 250 ms unless given. */
  pollMs?: number;
  /** Between two looks for positions that others have moved; 5 s unless given. */
  rewindPollMs?: number;
  /** Between two tries for the locks that another process holds; 250 ms unless given. */
  lockRetryMs?: number;
}

/** A topic has one partition here: one reader keeps the order of the whole log. */
const onlyPartition = 0;

const nameOf = ({ group, topic }: Pick<Consumer, 'group' | 'topic'>): string => `${group} ${topic}`;

/** DataSources of one database share one connection for locks, whatever their schemas and roles. */
const serverOf = ({ options }: DataSource): string => {
  const { url, host, port, database } = options as {
    url?: string;
    host?: string;
    port?: number;
    database?: string;
  };
  const named = url === undefined ? undefined : new URL(url);
  return JSON.stringify([named?.host ?? host, port, named?.pathname ?? database]);
};

/** Carries events from the producers' own event tables, without a broker. Source: architecture §1. */
export class PostgresEventFeed implements EventFeed {
  private readonly log = new Logger(PostgresEventFeed.name);
  private readonly stopping = new AbortController();
  private readonly tails = new Map<string, LogTail>();
  private readonly readers = new Map<string, { reader: TopicReader; worker: PartitionWorker }>();
  /** Names whose locks this process holds now. */
  private readonly owned = new Set<string>();
  private readonly turns = new Map<string, SerialQueue>();
  private consumers = new Map<string, Consumer>();
  private locks: ConsumerLocks[] = [];
  private polling: Promise<unknown> | undefined;
  private unsubscribe: (() => void) | undefined;

  constructor(private readonly options: PostgresFeedOptions) {}

  async start(consumers: readonly Consumer[], workers: Workers): Promise<void> {
    this.consumers = new Map(consumers.map((consumer) => [nameOf(consumer), consumer]));
    const heads = await this.options.logs.heads();
    for (const service of new Set(consumers.map(({ topic }) => parseTopic(topic).service))) {
      if (!this.options.logs.services.includes(service))
        throw new Error(`no log of ${service} to consume from`);
      const tail = new LogTail(service, this.options.logs, heads.get(service) ?? logStart);
      this.tails.set(service, tail);
      tail.start();
    }
    this.unsubscribe = this.options.logs.onWake((service) => this.tails.get(service)?.wake());
    this.polling = Promise.all([
      this.every(this.options.pollMs ?? 250, 'look at the heads of the logs', () => this.lookAtHeads()),
      this.every(this.options.rewindPollMs ?? 5_000, 'look for positions that others have moved', () =>
        this.lookForMoves(workers),
      ),
    ]);
    this.locks = this.locksFor(consumers, workers);
    await Promise.all(this.locks.map((locks) => locks.start()));
  }

  stopFetching(): void {
    this.stopping.abort();
    this.unsubscribe?.();
    for (const { reader } of this.readers.values()) reader.stop();
  }

  async close(): Promise<void> {
    await Promise.all([...this.tails.values()].map((tail) => tail.stop()));
    await this.polling;
    await Promise.all(this.locks.map((locks) => locks.stop()));
  }

  lagOf(reader: PartitionOfGroup): Lag | undefined {
    const name = nameOf(reader);
    if (!this.owned.has(name)) return { events: 0, oldestRecordedAt: null };
    return this.readers.get(name)?.reader.lag();
  }

  async decode(raw: string): Promise<StoredEvent> {
    const entry = await this.options.logs.decode(raw);
    if (isUndecodable(entry)) throw new Error(entry.error);
    return entry;
  }

  private locksFor(consumers: readonly Consumer[], workers: Workers): ConsumerLocks[] {
    const servers = new Map<string, { database: DataSource; names: string[] }>();
    for (const consumer of consumers) {
      const database = this.options.databaseOf(consumer.context);
      const server = servers.get(serverOf(database)) ?? { database, names: [] };
      server.names.push(nameOf(consumer));
      servers.set(serverOf(database), server);
    }
    const inTurn = (name: string, work: () => Promise<void>): void => {
      const turns = this.turns.get(name) ?? new SerialQueue();
      this.turns.set(name, turns);
      void turns.run(work);
    };
    const owner: LockOwner = {
      acquired: (name) => {
        this.owned.add(name);
        inTurn(name, () => this.begin(name, workers));
      },
      lost: (names) => {
        for (const name of names) {
          this.owned.delete(name);
          inTurn(name, () => this.end(name, workers));
        }
      },
    };
    return [...servers.values()].map(
      ({ database, names }) => new ConsumerLocks(database, names, owner, this.options.lockRetryMs ?? 250),
    );
  }

  private async begin(name: string, workers: Workers): Promise<void> {
    const consumer = this.consumers.get(name);
    while (consumer && this.owned.has(name) && !this.stopping.signal.aborted) {
      const { service } = parseTopic(consumer.topic);
      const tail = this.tails.get(service);
      try {
        const worker = await workers.open(consumer, onlyPartition, () => this.newest(service));
        if (tail && !this.stopping.signal.aborted)
          this.readers.set(name, { worker, reader: new TopicReader(worker, this.options.logs, tail) });
        else await workers.close(worker);
        return;
      } catch (error) {
        this.log.warn(`${consumer.group} cannot begin with ${consumer.topic}: ${errorText(error)}`);
        await pause(1_000, this.stopping.signal);
      }
    }
  }

  private async end(name: string, workers: Workers): Promise<void> {
    const consuming = this.readers.get(name);
    if (!consuming) return;
    this.readers.delete(name);
    consuming.reader.stop();
    await workers.close(consuming.worker);
  }

  private async newest(service: string): Promise<LogPosition> {
    return (await this.options.logs.heads()).get(service) ?? logStart;
  }

  private async lookAtHeads(): Promise<void> {
    for (const [service, head] of await this.options.logs.heads()) this.tails.get(service)?.sawHead(head);
  }

  private async lookForMoves(workers: Workers): Promise<void> {
    await workers.noticeMoves();
    for (const { reader } of this.readers.values()) reader.wake();
  }

  private async every(ms: number, what: string, work: () => Promise<void>): Promise<void> {
    while (!this.stopping.signal.aborted) {
      await pause(ms, this.stopping.signal);
      if (this.stopping.signal.aborted) return;
      try {
        await work();
      } catch (error) {
        this.log.warn(`cannot ${what}: ${errorText(error)}`);
        await pause(1_000, this.stopping.signal);
      }
    }
  }
}
