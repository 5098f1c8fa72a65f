import type { PoolClient } from 'pg';
import type { Connection, Database } from './database';

/** SQL for the server's identity: another cluster has another system identifier, a cluster restored from files or
 *  promoted another timeline. The timeline is read from the write position, as the control file lags behind. */
export const serverIdentity = `
  (SELECT system_identifier::text FROM pg_control_system()),
  left(pg_walfile_name(pg_current_wal_lsn()), 8)`;

/** SQL for the current epoch. Reading it takes the table lock that `raiseEpoch` excludes: whoever has read it keeps
 *  the epoch as it is until his transaction ends, and whoever waits for the lock reads the new one. */
export const currentEpoch = `(SELECT epoch FROM event_store_meta)`;

const raise = (client: PoolClient) =>
  client.query<{ epoch: number }>(`
    UPDATE event_store_meta SET epoch = epoch + 1, (system_identifier, timeline) = (SELECT ${serverIdentity})
    RETURNING epoch`);

const isOfThisServer = async (client: PoolClient): Promise<boolean> => {
  const { rows } = await client.query<{ same: boolean }>(`
    SELECT (system_identifier, timeline) = (SELECT ${serverIdentity}) AS same FROM event_store_meta`);
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

/** Raises the epoch when this is not the server that the log was last written on; answers whether it did. To be
 *  called before the first append, and after a lost connection. Source: architecture §4. */
export const checkEpoch = async (connection: Connection): Promise<boolean> => {
  if (await isOfThisServer(connection.client)) return false;
  return underLock(connection, async () => {
    if (await isOfThisServer(connection.client)) return false;
    await raise(connection.client);
    return true;
  });
};

/** Raises the epoch whatever the server's identity, for use after files were restored; answers the new epoch. */
export const raiseEpoch = (database: Database): Promise<number> =>
  database.withConnection((connection) =>
    underLock(connection, async () => (await raise(connection.client)).rows[0]!.epoch),
  );
