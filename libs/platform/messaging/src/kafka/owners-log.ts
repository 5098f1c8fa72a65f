import type { LogPosition, StoredEvent } from '@scrip/event-store';
import { keyOf } from '../feed/delivery';
import { type UpcastersOf, inNewestVersion } from '../feed/newest-version';
import type { PartitionWorker } from '../partition/partition-worker';
import type { PartitionOfGroup } from '../partition/partition-position';
import { partitionOfKey } from './partitioning';

/** The next events of a topic's owner after a position, in log order. A page may be shorter than `limit`; only an empty
 *  one is the end of the log. */
export type ReadOwnersLog = (
  topic: string,
  page: { after: LogPosition; limit: number },
) => Promise<readonly StoredEvent[]>;

const pageSize = 500;

/** Returns a reader whose events are in the newest schema versions of this release: an owner of an older release
 *  answers in its own. */
export const readInNewestVersion =
  (read: ReadOwnersLog, upcastersOf: UpcastersOf | undefined): ReadOwnersLog =>
  async (topic, page) =>
    (await read(topic, page)).map((event) => inNewestVersion(event, topic, upcastersOf));

/** The first event behind `after` that belongs into a partition, as the topic's owner has it; undefined where there is
 *  none yet. Throws what `read` throws. */
export const nextOfOwner = async (
  { topic, partition }: PartitionOfGroup,
  partitions: number,
  after: LogPosition,
  read: ReadOwnersLog,
): Promise<LogPosition | undefined> => {
  for (let from = after; ;) {
    const page = await read(topic, { after: from, limit: pageSize });
    const mine = page.find((event) => partitionOfKey(keyOf(event), partitions) === partition);
    if (mine || page.length === 0) return mine?.position;
    from = page.at(-1)?.position ?? from;
  }
};

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
    if (page.length === 0) return goesOn();
  }
  return false;
};
