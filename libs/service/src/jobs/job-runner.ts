import { Logger } from '@nestjs/common';
import {
  Logger as WorkerLogger,
  type Task,
  type TaskList,
  type WorkerPool,
  runTaskList,
} from 'graphile-worker';
import { Pool, type PoolClient } from 'pg';
import type { DataSource } from 'typeorm';
import { type DatabaseSettings, sessionOptions } from '../context/context-data-source';
import { withLogContext } from '../logging/log-context';
import type { RunningJob } from './job-handler';
import { WorkerLock, unlockDeadWorkers } from './worker-lock';

/** Runs one kind of job. */
export type JobHandlerFunction = (payload: object, job: RunningJob) => Promise<void>;

export interface JobRunnerOptions {
  settings: DatabaseSettings;
  /** Where killed workers are looked for. */
  dataSource: DataSource;
  schema: string;
  handlers: ReadonlyMap<string, JobHandlerFunction>;
  /** Jobs at once. */
  concurrency: number;
  /** How long jobs may go on after `stop` before their signal aborts, milliseconds. */
  abortAfterMs: number;
}

const pollIntervalMs = 1_000;
const reapIntervalMs = 2_000;
const lockRetryMs = 500;

/** A worker whose connection for notifications dies while it shuts down gives it back twice, and nobody would catch what
 *  the pool throws then. */
const releasedOnce = (client: PoolClient): void => {
  // The pool puts its own function there when it has told of the acquisition.
  let release = client.release;
  Object.defineProperty(client, 'release', {
    configurable: true,
    get: () => release,
    set: (given: PoolClient['release']) => {
      let isReleased = false;
      release = (error) => {
        if (isReleased) return;
        isReleased = true;
        given(error);
      };
    },
  });
};

const taskOf =
  (task: string, handler: JobHandlerFunction): Task =>
  async (payload, { job, abortSignal }) =>
    withLogContext({ job_id: `${task}:${job.id}` }, () =>
      handler(payload as object, {
        id: job.id,
        attempt: job.attempts,
        maxAttempts: job.max_attempts,
        lastError: job.last_error,
        // Always given by the worker; its type is optional because tests may leave it out.
        abortSignal: abortSignal as AbortSignal,
      }),
    );

/** Runs the jobs of one context in this process, and frees those of killed processes: at the start and then each two
 *  seconds. Source: architecture §9. */
export class JobRunner {
  private readonly logger: Logger;
  private readonly pool: Pool;
  private worker: WorkerPool | undefined;
  private reaper: NodeJS.Timeout | undefined;
  private stopping = false;

  constructor(private readonly options: JobRunnerOptions) {
    this.logger = new Logger(`Jobs ${options.schema}`);
    this.pool = new Pool({
      connectionString: options.settings.databaseUrl.reveal(),
      // An open transaction holds back every reader of the event log, so a hung one must end.
      options: sessionOptions(options.schema, options.settings),
      application_name: `scrip-${options.schema}`,
      max: 5,
    });
    this.pool.on('error', (error) => this.logger.warn(`idle connection lost: ${error.message}`));
    this.pool.on('connect', (client) => client.on('error', () => undefined));
    this.pool.on('acquire', releasedOnce);
  }

  /** Whether jobs are being taken. */
  get running(): boolean {
    return this.worker !== undefined && !this.stopping;
  }

  async start(): Promise<void> {
    await this.reap();
    this.reaper = setInterval(() => void this.reap(), reapIntervalMs);
    this.startWorker();
  }

  /** Takes no more jobs and waits for those that run. */
  async stop(): Promise<void> {
    this.stopping = true;
    clearInterval(this.reaper);
    await this.worker?.gracefulShutdown();
    await this.pool.end();
  }

  private startWorker(): void {
    let locked: Promise<WorkerLock | undefined> | undefined;
    const tasks: TaskList = {};
    for (const [task, handler] of this.options.handlers) tasks[task] = taskOf(task, handler);
    const worker = runTaskList(
      {
        schema: this.options.schema,
        concurrency: this.options.concurrency,
        pollInterval: pollIntervalMs,
        noHandleSignals: true,
        gracefulShutdownAbortTimeout: this.options.abortAfterMs,
        logger: new WorkerLogger(() => (level, message) => this.log(level, message)),
        preset: {
          // Batched completions are awaited by a shutdown, single ones are not.
          worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 },
          plugins: [
            {
              name: 'scrip-worker-lock',
              version: '1.0.0',
              worker: {
                hooks: {
                  // Awaited before a worker takes its first job.
                  startWorker: async (_context, { worker: { workerPool } }) => {
                    locked ??= this.lockWorker(workerPool);
                    await locked;
                  },
                },
              },
            },
          ],
        },
      },
      tasks,
      this.pool,
    );
    this.worker = worker;
    const ended = async (): Promise<void> => {
      await (await locked)?.release().catch(() => undefined);
      if (!this.stopping) this.startWorker();
    };
    worker.promise.then(ended, async (error: unknown) => {
      this.logger.error(`workers ended: ${String(error)}`);
      await ended();
    });
  }

  // Without the lock another process would take this worker for dead, so no job starts before it is held.
  private async lockWorker(worker: WorkerPool): Promise<WorkerLock | undefined> {
    while (!this.stopping) {
      try {
        const url = this.options.settings.databaseUrl.reveal();
        return await WorkerLock.take(url, worker.id, () => this.lockLost(worker));
      } catch (error) {
        this.logger.warn(`no lock for ${worker.id} yet: ${String(error)}`);
        await new Promise((resolve) => setTimeout(resolve, lockRetryMs));
      }
    }
    return undefined;
  }

  // Its jobs may be given to others from now on: end this worker and begin again under a new id.
  private lockLost(worker: WorkerPool): void {
    if (this.stopping) return;
    this.logger.warn(`lock of ${worker.id} lost`);
    Promise.resolve(worker.gracefulShutdown('lock lost')).catch(() => undefined);
  }

  private async reap(): Promise<void> {
    try {
      const dead = await this.options.dataSource.query<{ workerId: string }[]>(
        unlockDeadWorkers(this.options.schema),
      );
      if (dead.length === 0) return;
      this.logger.log(`freed the jobs of ${dead.map(({ workerId }) => workerId).join(', ')}`);
      this.worker?.nudge(this.options.concurrency);
    } catch (error) {
      this.logger.warn(`looking for killed workers failed: ${String(error)}`);
    }
  }

  private log(level: string, message: string): void {
    if (level === 'error') this.logger.error(message);
    else if (level === 'warning') this.logger.warn(message);
    else this.logger.debug(message);
  }
}
