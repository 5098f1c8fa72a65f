import { Client } from 'pg';
import { lockHolderOptions } from '../context/context-data-source';

// First key of the two-part advisory locks that workers hold; the second is a hash of the worker's id.
const lockClass = "hashtext('scrip.worker')";

/** Tells other processes that a worker lives: an advisory lock on its id, held by a connection of its own. When this
 *  process is killed the server ends that connection, and with it the lock. Source: architecture §9. */
export class WorkerLock {
  private released = false;

  private constructor(
    private readonly client: Client,
    onLost: () => void,
  ) {
    client.on('error', () => undefined);
    client.on('end', () => {
      if (!this.released) onLost();
    });
  }

  /** Takes the lock of a worker. `onLost` is called when the connection ends before `release`. Throws where the server
   *  cannot be reached. */
  static async take(databaseUrl: string, workerId: string, onLost: () => void): Promise<WorkerLock> {
    const client = new Client({
      connectionString: databaseUrl,
      application_name: 'scrip-worker-lock',
      keepAlive: true,
      options: lockHolderOptions,
    });
    const lock = new WorkerLock(client, onLost);
    await client.connect();
    await client.query(`SELECT pg_advisory_lock(${lockClass}, hashtext($1))`, [workerId]);
    return lock;
  }

  async release(): Promise<void> {
    this.released = true;
    await this.client.end();
  }
}

/** Frees jobs and queues whose worker no longer holds its lock, and gives the ids of those workers. A job killed in its
 *  last attempt gets one more: it never ended. `schema` is a jobs schema. */
export const unlockDeadWorkers = (schema: string): string => `
  WITH workers AS MATERIALIZED (
    SELECT locked_by FROM ${schema}._private_jobs WHERE locked_by IS NOT NULL
    UNION SELECT locked_by FROM ${schema}._private_job_queues WHERE locked_by IS NOT NULL
  ), dead AS MATERIALIZED (
    SELECT locked_by FROM workers WHERE pg_try_advisory_xact_lock(${lockClass}, hashtext(locked_by))
  ), jobs AS (
    UPDATE ${schema}._private_jobs SET attempts = least(attempts, max_attempts - 1), locked_at = NULL, locked_by = NULL
    WHERE locked_by IN (SELECT locked_by FROM dead)
  ), queues AS (
    UPDATE ${schema}._private_job_queues SET locked_at = NULL, locked_by = NULL
    WHERE locked_by IN (SELECT locked_by FROM dead)
  )
  SELECT locked_by AS "workerId" FROM dead`;
