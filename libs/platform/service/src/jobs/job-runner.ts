import { Logger } from '@nestjs/common';
import { classifyDatabaseError } from '@scrip/event-store';
import {
  Logger as WorkerLogger,
  type Task,
  type TaskList,
  type WorkerEvents,
  type WorkerPool,
  runTaskList,
} from 'graphile-worker';
import { EventEmitter } from 'node:events';
import { Pool, type PoolClient } from 'pg';
import type { DataSource } from 'typeorm';
import { type DatabaseSettings, connectionSettings } from '../context/context-data-source';
import { withLogContext } from '../logging/log-context';
import { Periodic } from '../background/periodic';
import { type DueJobs, DueLooks, dueJobsSql } from './due-jobs';
import type { RunningJob } from './job-handler';
import { WorkerLock, unlockDeadWorkers } from './worker-lock';

/** Runs one kind of job. */
export type JobHandlerFunction = (payload: object, job: RunningJob) => Promise<void>;

export interface JobRunnerOptions {
  settings: DatabaseSettings;
  /** The database in which killed workers are looked for. */
  dataSource: DataSource;
  schema: string;
  handlers: ReadonlyMap<string, JobHandlerFunction>;
  /** Jobs at once. */
  concurrency: number;
  /** Milliseconds that jobs may run after `stop` before their signal aborts. */
  abortAfterMs: number;
}

// Each of the workers looks by itself; what is added comes by notice, and the rest is found by the looks for what is due. At
// shorter intervals the workers would open their connections anew each time: the pool closes them after 10 s.
const pollIntervalMs = 3_600_000;
const reapIntervalMs = 2_000;
// Every jobs schema of the database is told of the migrations of all: at a first start workers end while another context's
// tables are made, and others take their place.
const migrationNotice = /detected breaking migration/;
const lockRetryMs = 500;

/** Ignores a second release. A worker whose notification connection breaks during shutdown releases it twice, and no
 *  handler would catch the error of the pool. */
const releasedOnce = (client: PoolClient): void => {
  // The pool sets its own function there after the acquire event.
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

/** Runs the jobs of one context in this process: at once when they are added, at their time when that is later. Frees
 *  those of killed processes: at the start and then each two seconds. Source: architecture §9. */
export class JobRunner {
  private readonly logger: Logger;
  private readonly pool: Pool;
  private worker: WorkerPool | undefined;
  /** The last one that was told to end. */
  private replaced: WorkerPool | undefined;
  private readonly reaping: Periodic;
  private readonly dueLooks: DueLooks;
  private stopping = false;

  constructor(private readonly options: JobRunnerOptions) {
    this.logger = new Logger(`Jobs ${options.schema}`);
    this.reaping = new Periodic({ name: JobRunner.name, everyMs: reapIntervalMs, run: () => this.reap() });
    this.dueLooks = new DueLooks(
      (aheadMs) => this.lookForDue(aheadMs),
      (due) => this.nudge(due),
    );
    this.pool = new Pool({
      // An open transaction holds back every reader of the event log, so a hung one must end.
      ...connectionSettings(options.schema, options.settings),
      connectionString: options.settings.databaseUrl.reveal(),
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
    this.reaping.start();
    this.startWorker();
    this.dueLooks.start();
  }

  /** Takes no more jobs and waits for those that run. */
  async stop(): Promise<void> {
    this.stopping = true;
    await Promise.all([this.reaping.stop(), this.dueLooks.stop()]);
    await this.worker?.gracefulShutdown();
    await this.pool.end();
  }

  private startWorker(): void {
    let locked: Promise<WorkerLock | undefined> | undefined;
    const tasks: TaskList = {};
    for (const [task, handler] of this.options.handlers) tasks[task] = taskOf(task, handler);
    const events: WorkerEvents = new EventEmitter();
    const worker = runTaskList(
      {
        events,
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
    // The statement may have taken a job all the same, which would stay this worker's and never run. Afterwards, since one
    // that is ended inside the event writes a trace past the log.
    events.on('worker:getJob:error', ({ error }) => {
      const isInDoubt = classifyDatabaseError(error).kind === 'lost';
      if (isInDoubt) setImmediate(() => this.replace(worker, 'lost the answer to taking a job'));
    });
    events.on('job:complete', ({ job }) => {
      if (job.job_queue_id !== null) this.dueLooks.queueMoved();
    });
    const ended = async (): Promise<void> => {
      await (await locked)?.release().catch(() => undefined);
      if (!this.stopping) this.startWorker();
    };
    worker.promise.then(ended, async (error: unknown) => {
      this.logger.error(`workers ended: ${String(error)}`);
      await ended();
    });
  }

  // No job starts before the lock is held: without it another process would release this worker's jobs.
  private async lockWorker(worker: WorkerPool): Promise<WorkerLock | undefined> {
    while (!this.stopping) {
      try {
        const url = this.options.settings.databaseUrl.reveal();
        return await WorkerLock.take(url, worker.id, () => this.replace(worker, 'lost its lock'));
      } catch (error) {
        this.logger.warn(`no lock for ${worker.id} yet: ${String(error)}`);
        await new Promise((resolve) => setTimeout(resolve, lockRetryMs));
      }
    }
    return undefined;
  }

  /** Ends a worker whose jobs other processes have to be able to take, and with its end starts one under a new id. */
  private replace(worker: WorkerPool, why: string): void {
    if (this.stopping || this.replaced === worker) return;
    this.replaced = worker;
    this.logger.warn(`${worker.id} ${why}: another worker takes its place`);
    Promise.resolve(worker.gracefulShutdown(why)).catch(() => undefined);
  }

  private async reap(): Promise<void> {
    try {
      const dead = await this.options.dataSource.query<{ workerId: string }[]>(
        unlockDeadWorkers(this.options.schema),
      );
      if (dead.length === 0) return;
      this.logger.log(`freed the jobs of ${dead.map(({ workerId }) => workerId).join(', ')}`);
      this.nudge(this.options.concurrency);
    } catch (error) {
      this.logger.warn(`looking for killed workers failed: ${String(error)}`);
    }
  }

  private async lookForDue(aheadMs: number): Promise<DueJobs> {
    const { dataSource, schema, concurrency } = this.options;
    const [jobs] = await dataSource.query<DueJobs[]>(dueJobsSql(schema), [concurrency, aheadMs]);
    return jobs!;
  }

  /** Lets idle workers look for a job, as many as there are jobs. */
  private nudge(jobs: number): void {
    const { worker } = this;
    if (!worker || this.stopping || this.replaced === worker) return;
    try {
      worker.nudge(jobs);
    } catch {
      // It has just ended by itself: the one that takes its place looks as it starts.
    }
  }

  // graphile-worker sets the exit code of the process behind this message, as it would end itself. Here another worker goes
  // on, and the process ends well later.
  private migrated(message: string): void {
    const { exitCode } = process;
    this.logger.log(message);
    queueMicrotask(() => (process.exitCode = exitCode));
  }

  private log(level: string, message: string): void {
    if (level === 'error') this.logger.error(message);
    else if (migrationNotice.test(message)) this.migrated(message);
    else if (level === 'warning') this.logger.warn(message);
    else this.logger.debug(message);
  }
}
