import { Fault } from '@scrip/kernel';
import type { Pool, PoolClient } from 'pg';
import { classifyDatabaseError } from './database-error';

/** Runs `connect`. Throws a `Fault` when no connection is to be had. */
export const connected = async <T>(connect: () => Promise<T>): Promise<T> => {
  try {
    return await connect();
  } catch (cause) {
    throw new Fault('unavailable', 'no connection to PostgreSQL', { cause });
  }
};

/** Runs `work` on a connection of its own, which does not go back to the pool where it was lost. Throws a `Fault` when none is to be
 *  had. */
export const withClient = async <T>(pool: Pool, work: (client: PoolClient) => Promise<T>): Promise<T> => {
  const client = await connected(() => pool.connect());
  let broken: Error | undefined;
  try {
    return await work(client);
  } catch (error) {
    if (classifyDatabaseError(error).kind === 'lost') broken = error as Error;
    throw error;
  } finally {
    client.release(broken);
  }
};
