import { type LogPosition, logStart } from '@scrip/event-store';
import { type Delivery, keyOf } from '../feed/delivery';
import { partitionOfKey } from '../kafka/partitioning';
import type { PartitionWorker } from '../partition/partition-worker';
import type { ReadLogOfTopic } from '../partition/waiting-events';

/** Events that a worker applies in one transaction, at most. */
const batchSize = 500;

/** What a fan-out feeds: `partitions[n]` applies the keys of partition n. */
export type FannedWorker = Pick<PartitionWorker, 'apply'>;

/** The entries of each partition, in their order. */
const dealt = (entries: readonly Delivery[], partitions: number): readonly Delivery[][] => {
  const all = Array.from({ length: partitions }, (): Delivery[] => []);
  for (const entry of entries) all[partitionOfKey(keyOf(entry), partitions)]?.push(entry);
  return all;
};

const inBatches = async (worker: FannedWorker, entries: readonly Delivery[]): Promise<void> => {
  for (let from = 0; from < entries.length; from += batchSize)
    await worker.apply(entries.slice(from, from + batchSize));
};

/** One reader of a topic's log for all partitions of a group: each page is read once, and while it is applied the next
 *  one is read. It remembers how far it is. */
export class FanOut {
  private reached: LogPosition = logStart;

  constructor(
    private readonly topic: string,
    private readonly read: ReadLogOfTopic,
  ) {}

  /** Feeds what lies behind the last call's end, up to the end of the log; returns how many entries there were, and
   *  whether the end was reached. `goesOn` is asked before each page; it may throw. */
  async feed(
    partitions: readonly FannedWorker[],
    goesOn: () => boolean,
  ): Promise<{ entries: number; isAtEnd: boolean }> {
    const limit = batchSize * partitions.length;
    let entries = 0;
    let page = await this.read(this.topic, { after: this.reached, limit });
    while (page.length > 0) {
      if (!goesOn()) return { entries, isAtEnd: false };
      const last = page.at(-1)?.position ?? this.reached;
      const next = this.read(this.topic, { after: last, limit });
      next.catch(() => undefined); // awaited below, after what is under way
      const shares = dealt(page, partitions.length);
      await Promise.all(partitions.map((worker, partition) => inBatches(worker, shares[partition] ?? [])));
      goesOn();
      entries += page.length;
      this.reached = last;
      page = await next;
    }
    return { entries, isAtEnd: true };
  }
}
