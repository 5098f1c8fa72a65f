import { WatchedConnection, type WatchTimes } from '@scrip/messaging';
import { lockHolderOptions } from '../context/context-data-source';

// First key of the two-part advisory locks that workers hold; the second is a hash of the worker's id.
const lockClass = "hashtext('scrip.worker')";

/** Shows other processes that a worker is alive: an advisory lock on its id, held by a connection of its own that is
 *  watched. When this process is killed, the server ends that connection and the lock. Source: architecture §9. */
export class WorkerLock {
  private released = false;

  private constructor(private readonly connection: WatchedConnection) {}

  /** Takes the lock of a worker. `onLost` is called when the connection ends before `release`, or when the server does not
   *  answer on it any more. Throws where the server cannot be reached. */
  static async take(
    databaseUrl: string,
    workerId: string,
    onLost: () => void,
    times?: WatchTimes,
  ): Promise<WorkerLock> {
    const settings = {
      connectionString: databaseUrl,
      application_name: 'scrip-worker-lock',
      keepAlive: true,
      options: lockHolderOptions,
    };
    const connection = new WatchedConnection(settings, times);
    const lock = new WorkerLock(connection);
    try {
      await connection.open();
      await connection.query(`SELECT pg_advisory_lock(${lockClass}, hashtext($1))`, [workerId]);
    } catch (error) {
      await connection.close();
      throw error;
    }
    connection.lost.addEventListener('abort', () => {
      if (!lock.released) onLost();
    });
    if (connection.lost.aborted) throw new Error('the connection of the lock ended at once');
    return lock;
  }

  async release(): Promise<void> {
    this.released = true;
    await this.connection.close();
  }
}

/** Releases jobs and queues whose worker no longer holds its lock, and returns the ids of those workers. A job whose
 *  last attempt was interrupted gets one more. `schema` is a jobs schema. */
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
