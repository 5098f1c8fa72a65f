import type { LogPosition } from '@scrip/event-store';
import type { Consumer } from '../consumer/consumer';
import type { Decode } from './delivery';
import type { PartitionOfGroup } from '../partition/partition-position';
import type { PartitionWorker } from '../partition/partition-worker';

/** Where an adapter gets the workers that apply what it fetches: one per consumer and partition it owns. */
export interface Workers {
  /** `newest`: the position behind the newest readable event, for a new group that starts now. */
  open(consumer: Consumer, partition: number, newest: () => Promise<LogPosition>): Promise<PartitionWorker>;
  /** Lets a running batch end and forgets the worker; for partitions that another process takes over. */
  close(worker: PartitionWorker): Promise<void>;
  /** Finds the positions that others have moved: set back, as by a restore, so that the worker's `rewinds` rise, or
   *  given by a rebuild. To be called every few seconds. */
  noticeMoves(): Promise<void>;
}

/** What is known to wait for a reader. */
export interface Lag {
  events: number;
  /** When the oldest of them was appended; null when none waits. ISO. */
  oldestRecordedAt: string | null;
}

/** An adapter: fetches events of topics and hands them to workers, in order within a key, at least once. Everything
 *  that makes it exactly once, failures and parking included, is the workers' part. Source: architecture §6. */
export interface EventFeed {
  /** Reads again what this adapter handed over as undecodable. */
  readonly decode: Decode;
  /** Begins to fetch for all consumers, whose groups each get every event. Rejects when it cannot begin. */
  start(consumers: readonly Consumer[], workers: Workers): Promise<void>;
  /** Fetches no more; what a worker has begun goes on. */
  stopFetching(): void;
  /** Gives up connections and partitions; called after the workers have ended. */
  close(): Promise<void>;
  /** What waits for a reader; nothing for one that another process feeds. Undefined where this adapter cannot tell,
   *  since it sees nothing at the moment or its reads fail. */
  lagOf(reader: PartitionOfGroup): Lag | undefined;
}
