import type { LogPosition, StoredEvent } from '@scrip/event-store';
import { keyOf } from '../delivery';
import type { PartitionWorker } from '../partition-worker';
import { partitionOfKey } from './partitioning';

/** The next events of a topic's owner after a position, in log order; fewer than `limit` at the end of his log. */
export type ReadOwnersLog = (
  topic: string,
  page: { after: LogPosition; limit: number },
) => Promise<readonly StoredEvent[]>;

const pageSize = 500;

/** Feeds a worker what its partition would hold if the topic kept everything, up to the end of the owner's log.
 *  Answers false when it was told to stop before. */
export const readFromOwner = async (
  worker: PartitionWorker,
  partitions: number,
  read: ReadOwnersLog,
  goesOn: () => boolean,
): Promise<boolean> => {
  for (let after = worker.position; goesOn();) {
    const page = await read(worker.of.topic, { after, limit: pageSize });
    if (!goesOn()) return false;
    const mine = page.filter((event) => partitionOfKey(keyOf(event), partitions) === worker.of.partition);
    if (mine.length > 0) await worker.apply(mine);
    after = page.at(-1)?.position ?? after;
    if (page.length < pageSize) return goesOn();
  }
  return false;
};
