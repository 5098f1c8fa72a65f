import type { LogPosition } from '@scrip/event-store';
import { comparePositions, logStart } from '@scrip/event-store';
import type { DataSource } from 'typeorm';
import type { Consumer } from '../consumer/consumer';
import type { Delivery } from '../feed/delivery';
import type { PartitionOfGroup } from '../partition/partition-position';
import type { OffsetRange } from './topic-offsets';

/** Notes, for a group that starts now and has no place in the topic yet, where each partition ended: in one statement,
 *  so that what comes later belongs to the group whichever process reads it and whatever happens to this process. */
export const noteStart = async (
  database: DataSource,
  { group, topic }: Consumer,
  ends: readonly OffsetRange[],
): Promise<void> => {
  await database.query(
    `INSERT INTO consumer_positions (consumer_group, topic, partition, position, starting_offset)
     SELECT $1, $2, partition, $5, starting_offset
     FROM unnest($3::int[], $4::bigint[]) AS started (partition, starting_offset)
     WHERE NOT EXISTS (SELECT 1 FROM consumer_positions WHERE consumer_group = $1 AND topic = $2)
     ON CONFLICT DO NOTHING`,
    [group, topic, ends.map(({ partition }) => partition), ends.map(({ high }) => String(high)), logStart],
  );
};

/** Where the partition ended when the group started, as long as its first position is not known; null otherwise. */
export const startingOffset = async (
  database: DataSource,
  { group, topic, partition }: PartitionOfGroup,
): Promise<bigint | null> => {
  const [row] = await database.query<{ offset: string | null }[]>(
    `SELECT starting_offset AS offset FROM consumer_positions
     WHERE consumer_group = $1 AND topic = $2 AND partition = $3 AND position = $4`,
    [group, topic, partition, logStart],
  );
  return row?.offset == null ? null : BigInt(row.offset);
};

/** The position behind the given entries: what was in the partition when the group started. */
export const positionBehind = (entries: readonly Delivery[]): LogPosition =>
  entries.reduce(
    (last, { position }) => (position !== null && comparePositions(position, last) > 0 ? position : last),
    logStart,
  );

/** Makes the noted start a position. */
export const settleStart = async (
  database: DataSource,
  { group, topic, partition }: PartitionOfGroup,
  position: LogPosition,
): Promise<void> => {
  await database.query(
    `UPDATE consumer_positions SET position = $5, starting_offset = NULL
     WHERE consumer_group = $1 AND topic = $2 AND partition = $3 AND position = $4`,
    [group, topic, partition, logStart, position],
  );
};
