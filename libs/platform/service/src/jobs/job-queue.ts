import { Inject } from '@nestjs/common';
import type { DataSource, EntityManager } from 'typeorm';
import type { ContextName } from '@scrip/contracts/registry';
import type { JobDefinition } from './job-definition';

/** How a job is to run. */
export interface JobOptions {
  /** At most one waiting job has this key; adding it again changes the waiting one as `jobKeyMode` says. */
  jobKey?: string;
  /** `replace` (the default) takes the new payload and time; `preserve_run_at` keeps the time; `unsafe_dedupe` changes
   *  nothing, even if the job is running already. */
  jobKeyMode?: 'replace' | 'preserve_run_at' | 'unsafe_dedupe';
  /** Jobs of one queue run one after another. Names of few values: a row is kept for each. */
  queueName?: string;
  /** Not before this time; now unless given. */
  runAt?: Date;
  /** 25 unless given. Attempts are spaced exponentially. */
  maxAttempts?: number;
  /** Lower runs first; 0 unless given. */
  priority?: number;
}

/** A job of `addMany`: its payload and options. `jobKeyMode` is that of the call. */
export type JobEntry<Payload extends object> = Omit<JobOptions, 'jobKeyMode'> & { payload: Payload };

const tokenOf = (context: ContextName): string => `scrip.job-queue.${context}`;

/** Injects the `JobQueue` of a context. */
export const InjectJobQueue = (context: ContextName) => Inject(tokenOf(context));

export const jobQueueToken = tokenOf;

/** Schema of a context's jobs. */
export const jobsSchema = (context: ContextName): string => `${context}_jobs`;

/** Adds background jobs of one context. With a `manager` a job exists if that transaction commits, else at once.
 *  Adding wakes workers by NOTIFY, so never add in a transaction that appends events: consumers add jobs, and who appended
 *  may add them after the commit, to be quicker. Source: architecture §9. */
export class JobQueue {
  private readonly schema: string;

  constructor(
    private readonly context: ContextName,
    private readonly dataSource: DataSource,
  ) {
    this.schema = jobsSchema(context);
  }

  /** Adds one job and gives its id. */
  async add<Payload extends object>(
    job: JobDefinition<Payload>,
    payload: Payload,
    options: JobOptions = {},
    manager?: EntityManager,
  ): Promise<string> {
    const [row] = await this.run<{ id: string }>(
      `SELECT id::text FROM ${this.schema}.add_job($1::text, payload => $2::json, queue_name => $3::text,
         run_at => $4::timestamptz, max_attempts => $5::int, job_key => $6::text, priority => $7::int,
         job_key_mode => $8::text)`,
      [
        this.ownTask(job),
        JSON.stringify(payload),
        options.queueName ?? null,
        options.runAt?.toISOString() ?? null,
        options.maxAttempts ?? null,
        options.jobKey ?? null,
        options.priority ?? null,
        options.jobKeyMode ?? 'replace',
      ],
      manager,
    );
    if (!row) throw new Error(`no row came back for job ${job.task}`);
    return row.id;
  }

  /** Adds many jobs of one kind in one statement. Of several with one key the last counts. */
  async addMany<Payload extends object>(
    job: JobDefinition<Payload>,
    entries: readonly JobEntry<Payload>[],
    manager?: EntityManager,
    jobKeyMode: 'replace' | 'preserve_run_at' = 'replace',
  ): Promise<void> {
    if (entries.length === 0) return;
    const byKey = new Map(entries.map((entry, index) => [entry.jobKey ?? index, entry]));
    const specs = [...byKey.values()].map((entry) => ({
      identifier: this.ownTask(job),
      payload: entry.payload,
      queue_name: entry.queueName,
      run_at: entry.runAt?.toISOString(),
      max_attempts: entry.maxAttempts,
      job_key: entry.jobKey,
      priority: entry.priority,
    }));
    await this.run(
      `SELECT count(*) FROM ${this.schema}.add_jobs(
         array(SELECT json_populate_recordset(null::${this.schema}.job_spec, $1::json)), $2::boolean)`,
      [JSON.stringify(specs), jobKeyMode === 'preserve_run_at'],
      manager,
    );
  }

  /** Removes the waiting job of a key; a running one ends, but is not repeated. */
  async remove(jobKey: string, manager?: EntityManager): Promise<void> {
    await this.run(`SELECT 1 FROM ${this.schema}.remove_job($1::text)`, [jobKey], manager);
  }

  private ownTask(job: JobDefinition<object>): string {
    if (job.context !== this.context) throw new Error(`job ${job.task} belongs to ${job.context}`);
    return job.task;
  }

  private run<Row>(sql: string, values: unknown[], manager?: EntityManager): Promise<Row[]> {
    return (manager ?? this.dataSource.manager).query<Row[]>(sql, values);
  }
}
