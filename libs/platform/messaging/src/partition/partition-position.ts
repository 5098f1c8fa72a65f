import type { LogPosition } from '@scrip/event-store';
import type { DataSource, EntityManager } from 'typeorm';
import { StaleBatch } from '../feed/event-batch';

/** One reader's place: a consumer group, a topic, and one of the topic's partitions. */
export interface PartitionOfGroup {
  readonly group: string;
  readonly topic: string;
  readonly partition: number;
}

/** How far a reader is: everything at or below `position` is dealt with. */
export interface Offset {
  position: LogPosition;
  /** When the last dated event up to there was appended, ISO; null where there is none. */
  recordedAt: string | null;
}

/** What a position row said when it was read. */
export interface PositionRow extends Offset {
  /** Rises with each key parked or released. */
  parkings: number;
  parkedKeys: ReadonlySet<string>;
}

const place = ({ group, topic, partition }: PartitionOfGroup): unknown[] => [group, topic, partition];

/** Makes the row of a new group; an existing one stays as it is. */
export const createPosition = async (
  database: DataSource,
  of: PartitionOfGroup,
  start: () => Promise<LogPosition>,
): Promise<void> => {
  const known = await database.query<unknown[]>(
    `SELECT 1 FROM consumer_positions WHERE consumer_group = $1 AND topic = $2 AND partition = $3`,
    place(of),
  );
  if (known.length > 0) return;
  await database.query(
    `INSERT INTO consumer_positions (consumer_group, topic, partition, position) VALUES ($1, $2, $3, $4)
     ON CONFLICT DO NOTHING`,
    [...place(of), await start()],
  );
};

/** Reads the row; waits for a transaction that is moving it, so that a commit whose end is unknown is known after. */
export const readPosition = async (database: DataSource, of: PartitionOfGroup): Promise<PositionRow> => {
  const [row] = await database.query<{ position: LogPosition; recorded_at: Date | null; parkings: string }[]>(
    `SELECT position, recorded_at, parkings FROM consumer_positions
     WHERE consumer_group = $1 AND topic = $2 AND partition = $3 FOR UPDATE`,
    place(of),
  );
  if (!row) throw new Error(`${of.group} has no position in ${of.topic}`);
  const parkings = Number(row.parkings);
  // The keys are read after their counter: a list that is newer than the counter cannot commit either.
  const keys =
    parkings === 0
      ? []
      : await database.query<{ key: string }[]>(
          `SELECT key FROM parked_keys WHERE consumer_group = $1 AND topic = $2 AND partition = $3`,
          place(of),
        );
  return {
    position: row.position,
    recordedAt: row.recorded_at?.toISOString() ?? null,
    parkings,
    parkedKeys: new Set(keys.map(({ key }) => key)),
  };
};

/** Locks the row and moves it from where it was read; `parked` says that a key is parked in the same transaction.
 *  Throws `StaleBatch` when the row is not as it was read. */
export const movePosition = async (
  manager: EntityManager,
  of: PartitionOfGroup,
  read: PositionRow,
  to: Offset,
  { parked }: { parked: boolean },
): Promise<void> => {
  const moved = await manager.query<[unknown[], number]>(
    `UPDATE consumer_positions
     SET position = $6, recorded_at = $7, parkings = parkings + $8, moved_at = clock_timestamp()
     WHERE consumer_group = $1 AND topic = $2 AND partition = $3 AND position = $4 AND parkings = $5`,
    [...place(of), read.position, read.parkings, to.position, to.recordedAt, parked ? 1 : 0],
  );
  if (moved[1] !== 1) throw new StaleBatch(`${of.group} is no longer at ${read.position} in ${of.topic}`);
};

/** Locks the row for a replay, so that no successor of the key is parked meanwhile. An update, though it changes
 *  nothing: it waits for a rebuild that keeps writers out of the table before it holds the row. `FOR UPDATE` would get
 *  the row at once, and each would wait for the other when the replay counts a release. */
export const lockPosition = async (manager: EntityManager, of: PartitionOfGroup): Promise<void> => {
  await manager.query(
    `UPDATE consumer_positions SET parkings = parkings
     WHERE consumer_group = $1 AND topic = $2 AND partition = $3`,
    place(of),
  );
};

/** Tells readers that a key was released; the row must be locked. */
export const countRelease = async (manager: EntityManager, of: PartitionOfGroup): Promise<void> => {
  await manager.query(
    `UPDATE consumer_positions SET parkings = parkings + 1
     WHERE consumer_group = $1 AND topic = $2 AND partition = $3`,
    place(of),
  );
};
