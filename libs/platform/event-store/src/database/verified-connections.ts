import type { Pool, PoolClient } from 'pg';

type Verify = (client: PoolClient, done: (error?: Error) => void) => void;

/** The pool's own hook: it runs once for a new connection, and the pool hands the connection out after `done`. */
interface VerifyingPool {
  options: { verify?: Verify };
}

const guarded = new WeakSet<Pool>();
const listening = new WeakSet<PoolClient>();

// A client in use emits "error" besides rejecting its query when its connection is lost. Without a listener that would
// end the process.
const listen = (client: PoolClient): void => {
  if (listening.has(client)) return;
  listening.add(client);
  client.on('error', () => undefined);
};

/** Runs `identify` once on each connection that `pool` opens from now on, before the pool hands it out, also to
 *  callers that never heard of it. Where `identify` throws, the caller gets that error and the connection is closed.
 *  A pool is guarded once; later calls do nothing. Source: architecture §4 (Epoch). */
export const verifyNewConnections = (
  pool: Pool,
  identify: (connection: { client: PoolClient }) => Promise<unknown>,
): void => {
  if (guarded.has(pool)) return;
  guarded.add(pool);
  pool.on('acquire', listen);
  (pool as unknown as VerifyingPool).options.verify = (client, done) => {
    identify({ client }).then(
      () => done(),
      (error: unknown) => done(error as Error),
    );
  };
};
