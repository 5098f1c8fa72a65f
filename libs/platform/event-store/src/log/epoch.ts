import type { PoolClient, QueryConfig } from 'pg';
import type { Connection, Database } from '../database/database';

/** SQL for the server's identity: another cluster has another system identifier, a cluster restored from files or
 *  promoted another timeline. The timeline is read from the write position, as the control file lags behind. */
export const serverIdentity = `
  (SELECT system_identifier::text FROM pg_control_system()),
  left(pg_walfile_name(pg_current_wal_lsn()), 8)`;

/** SQL for the current epoch. Reading it takes a table lock that conflicts with the one of `raiseEpoch`: the
 *  epoch cannot rise before the reading transaction ends, and one that waited for the lock reads the new epoch. */
export const currentEpoch = `(SELECT epoch FROM event_store_meta)`;

// The row may come from a backup that was restored before: counting on from it alone would give a second epoch of the
// same number, whose events consumers would drop as known. Seconds since 2020 fit an int until 2088.
const nextEpoch = `greatest(epoch + 1, floor(extract(epoch FROM clock_timestamp() - timestamptz '2020-01-01Z'))::int)`;

const raise = (client: PoolClient) =>
  client.query<{ epoch: number }>(`
    UPDATE event_store_meta SET epoch = ${nextEpoch}, (system_identifier, timeline) = (SELECT ${serverIdentity})
    RETURNING epoch`);

const identifyMs = 10_000;

const isOfThisServer = async (client: PoolClient): Promise<boolean> => {
  const { rows } = await client.query<{ same: boolean }>({
    text: `SELECT (system_identifier, timeline) = (SELECT ${serverIdentity}) AS same FROM event_store_meta`,
    // The pool bounds connecting, but not what runs before it hands a connection out.
    query_timeout: identifyMs,
  } as QueryConfig);
  return rows[0]?.same === true;
};

const keepAppendersOut = `
  BEGIN;
  SET LOCAL lock_timeout = '10s';
  LOCK TABLE event_store_meta IN ACCESS EXCLUSIVE MODE`;

const underLock = async <T>({ client }: Connection, work: () => Promise<T>): Promise<T> => {
  try {
    await client.query(keepAppendersOut);
    const result = await work();
    await client.query('COMMIT');
    return result;
  } catch (error) {
    await client.query('ROLLBACK').catch(() => undefined); // the first error tells more
    throw error;
  }
};

/** Raises the epoch when this is not the server that the log was last written on; returns whether it did. Runs before
 *  the first append and on each new connection before its first use. Source: architecture §4 (Epoch). */
export const checkEpoch = async (connection: Connection): Promise<boolean> => {
  if (await isOfThisServer(connection.client)) return false;
  return underLock(connection, async () => {
    if (await isOfThisServer(connection.client)) return false;
    await raise(connection.client);
    return true;
  });
};

/** Raises the epoch whatever the server's identity, for use after files were restored; returns the new epoch.
 *  No epoch has been used before, also when the same backup is restored twice. */
export const raiseEpoch = (database: Database): Promise<number> =>
  database.withConnection((connection) =>
    underLock(connection, async () => (await raise(connection.client)).rows[0]!.epoch),
  );
