import { Logger } from '@nestjs/common';
import type { PoolClient } from 'pg';
import type { Database } from '../database/database';
import { type DatabaseErrorKind, classifyDatabaseError } from '../database/database-error';

const monthsAhead = 3;
const receiptsLiveHours = 24;
/** A statement that waits for a lock blocks all that ask for it later, so it gives up soon and is tried again. */
const lockTimeoutMs = 500;

const monthStart = (year: number, month: number): string => new Date(Date.UTC(year, month, 1)).toISOString();

interface Partition {
  name: string;
  from: string;
  to: string;
}

/** The partitions of the month of `now` and the ones after it, in UTC. */
export const partitionsFrom = (now: Date): Partition[] =>
  Array.from({ length: monthsAhead + 1 }, (_, ahead) => {
    const [year, month] = [now.getUTCFullYear(), now.getUTCMonth() + ahead];
    const from = monthStart(year, month);
    return { name: `events_${from.slice(0, 7).replace('-', '_')}`, from, to: monthStart(year, month + 1) };
  });

const isAttached = async (client: PoolClient, name: string): Promise<boolean> => {
  const { rowCount } = await client.query('SELECT 1 FROM pg_inherits WHERE inhrelid = to_regclass($1)', [
    name,
  ]);
  return rowCount === 1;
};

/** `CREATE … PARTITION OF` would lock the whole log against reading and writing. A table of its own needs no lock of it,
 *  and `ATTACH` lets others append meanwhile. The constraint spares `ATTACH` a scan for rows of other months. */
const attach = async (client: PoolClient, { name, from, to }: Partition): Promise<void> => {
  await client.query(`
    BEGIN;
    SET LOCAL lock_timeout = '${lockTimeoutMs}ms';
    SELECT pg_advisory_xact_lock(hashtext('event_store_partitions'));
    CREATE TABLE IF NOT EXISTS ${name} (
      LIKE events INCLUDING ALL,
      CONSTRAINT ${name}_range CHECK (recorded_at >= '${from}' AND recorded_at < '${to}')
    )`);
  if (!(await isAttached(client, name))) {
    await client.query(`
      ALTER TABLE events ATTACH PARTITION ${name} FOR VALUES FROM ('${from}') TO ('${to}');
      ALTER TABLE ${name} DROP CONSTRAINT ${name}_range`);
  }
  await client.query('COMMIT');
};

const reasons: Partial<Record<DatabaseErrorKind, string>> = {
  constraint: 'the default partition already holds events of that month',
  transient: 'the log is locked; another time will do',
  timeout: 'the log is locked; another time will do',
};

const attachIfPossible = async (client: PoolClient, partition: Partition): Promise<boolean> => {
  try {
    await attach(client, partition);
    return true;
  } catch (error) {
    await client.query('ROLLBACK');
    const { kind } = classifyDatabaseError(error);
    const reason = reasons[kind];
    if (reason === undefined) throw error;
    new Logger('EventStore').warn(`${partition.name} not created: ${reason}`);
    return kind === 'constraint';
  }
};

/** Creates the event partitions of this month and the next three where they are missing, and forgets old receipts.
 *  Returns false where something was locked and it should be tried again soon. Events outside of any month's partition
 *  go to the default one; a month that already has events there stays there, which costs pruning but loses nothing. */
export const ensurePartitions = (database: Database, now: Date): Promise<boolean> =>
  database.withConnection(async ({ client }) => {
    let complete = true;
    for (const partition of partitionsFrom(now)) {
      if (await isAttached(client, partition.name)) continue;
      complete = (await attachIfPossible(client, partition)) && complete;
    }
    await client.query(
      `DELETE FROM event_store_receipts WHERE recorded_at < now() - interval '${receiptsLiveHours} hours'`,
    );
    return complete;
  });
