import { logStart } from '@scrip/event-store';
import type { DataSource, EntityManager } from 'typeorm';
import type { Consumer } from '../consumer/consumer';
import { CannotSwap, type ShadowTables } from './shadow-tables';

/** Gives the workers of a rebuild positions at the beginning, one for each that the group has. */
export const copyPlaces = async (
  manager: EntityManager,
  shadows: ShadowTables,
  group: string,
): Promise<void> => {
  await manager.query(
    `INSERT INTO ${shadows.beside('consumer_positions')} (consumer_group, topic, partition, position)
     SELECT consumer_group, topic, partition, $2 FROM ${shadows.ofOwn('consumer_positions')} WHERE consumer_group = $1`,
    [group, logStart],
  );
};

/** The partitions in which a consumer has a position, from 0. */
export const partitionsOf = async (database: DataSource, { group, topic }: Consumer): Promise<number[]> => {
  const rows = await database.query<{ partition: number }[]>(
    `SELECT partition FROM consumer_positions WHERE consumer_group = $1 AND topic = $2 ORDER BY 1`,
    [group, topic],
  );
  return rows.map(({ partition }) => partition);
};

/** Lets no consumer of the context move its position until the transaction ends. Takes no transaction id, behind which
 *  the log could not be read to its end. Throws `55P03` where a batch does not end in time. */
export const excludeConsumers = async (
  manager: EntityManager,
  limits: { lockTimeoutMs: number; transactionMs: number },
): Promise<void> => {
  await manager.query(`SET LOCAL lock_timeout = ${limits.lockTimeoutMs}`);
  await manager.query(`SET LOCAL transaction_timeout = ${limits.transactionMs}`);
  await manager.query(`SET LOCAL idle_in_transaction_session_timeout = ${limits.transactionMs}`);
  await manager.query('LOCK TABLE consumer_positions IN SHARE ROW EXCLUSIVE MODE');
};

/** Says how many keys the copies would park, where that is more than are parked now; else undefined. */
export const parkedMore = async (
  manager: EntityManager,
  shadows: ShadowTables,
  group: string,
): Promise<string | undefined> => {
  const [row] = await manager.query<{ now: number; beside: number; error: string | null }[]>(
    `SELECT (SELECT count(*)::int FROM ${shadows.ofOwn('parked_keys')} WHERE consumer_group = $1) AS now,
       count(*)::int AS beside, min(error) AS error FROM ${shadows.beside('parked_keys')}`,
    [group],
  );
  if (!row || row.beside <= row.now) return undefined;
  return `${row.beside} keys failed, ${row.now} are parked now: ${row.error}`;
};

const sameRow = `(o.consumer_group, o.topic, o.partition) = (s.consumer_group, s.topic, s.partition)`;

const parkedKeyColumns = `consumer_group, topic, partition, key, state, attempts, error, first_seen_at, next_attempt_at`;
const parkedEventColumns = `consumer_group, topic, partition, key, position, decoded, event, parked_at`;

/** Makes the group's positions and parked events those of the copies. Running workers notice it by `parkings`. Throws
 *  `CannotSwap` where the group has other partitions now. */
export const adoptPlaces = async (
  manager: EntityManager,
  shadows: ShadowTables,
  group: string,
): Promise<void> => {
  const positions = `${shadows.beside('consumer_positions')} s`;
  const others = await manager.query<unknown[]>(
    `SELECT 1 FROM consumer_positions o
     WHERE o.consumer_group = $1 AND NOT EXISTS (SELECT 1 FROM ${positions} WHERE ${sameRow})`,
    [group],
  );
  if (others.length > 0)
    throw new CannotSwap(`${group} consumes more partitions than when its rebuild began`);
  await manager.query(
    `UPDATE consumer_positions o SET position = s.position, recorded_at = s.recorded_at, starting_offset = NULL,
       parkings = o.parkings + 1, moved_at = clock_timestamp() FROM ${positions} WHERE ${sameRow}`,
  );
  await manager.query('DELETE FROM parked_events WHERE consumer_group = $1', [group]);
  await manager.query('DELETE FROM parked_keys WHERE consumer_group = $1', [group]);
  await manager.query(
    `INSERT INTO parked_keys (${parkedKeyColumns}) SELECT ${parkedKeyColumns} FROM ${shadows.beside('parked_keys')}`,
  );
  await manager.query(
    `INSERT INTO parked_events (${parkedEventColumns})
     SELECT ${parkedEventColumns} FROM ${shadows.beside('parked_events')} ORDER BY id`,
  );
};
