import { Logger } from '@nestjs/common';

/** Jobs that may be taken now, counted up to a limit, and milliseconds until the next one may be; null where none may
 *  within the time asked for. */
export interface DueJobs {
  due: number;
  nextInMs: number | null;
}

/** SQL for `DueJobs`: $1 = the limit, $2 = how many milliseconds it looks ahead. A job whose queue is occupied does not
 *  count. `schema` is a jobs schema. */
export const dueJobsSql = (schema: string): string => {
  const waiting = `
    FROM ${schema}._private_jobs jobs
    WHERE jobs.is_available AND (jobs.job_queue_id IS NULL OR EXISTS (
      SELECT FROM ${schema}._private_job_queues queues WHERE queues.id = jobs.job_queue_id AND queues.is_available))`;
  return `
    SELECT (SELECT count(*)::int FROM (SELECT ${waiting} AND jobs.run_at <= now() LIMIT $1::int) due) AS due,
      (SELECT ceil(extract(epoch FROM min(jobs.run_at) - now()) * 1000)::int ${waiting}
         AND jobs.run_at > now() AND jobs.run_at <= now() + make_interval(secs => $2::float8 / 1000)) AS "nextInMs"`;
};

/** Milliseconds between two looks: at rest, and for a while after a job of a queue has ended. */
const paceMs = { rest: 1_000, ended: 100 };
const endedForMs = 1_000;
/** Jobs that are due a little one after another are found together. */
const leastMs = 20;

/** Looks for jobs that are due: at the time of each, and every second for what else there may be. Workers learn only
 *  of jobs that are added, and each would have to look for the others by itself. One whose queue was occupied may be
 *  taken soon after the end of the job before it, which other workers do not learn either. */
export class DueLooks {
  private readonly logger = new Logger(DueLooks.name);
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> = Promise.resolve();
  private plannedAt = Number.POSITIVE_INFINITY;
  private endedAt = Number.NEGATIVE_INFINITY;
  private isStopped = false;

  /** `look` is given how many milliseconds it is to look ahead; `found` is called with the count of jobs that are due. */
  constructor(
    private readonly look: (aheadMs: number) => Promise<DueJobs>,
    private readonly found: (due: number) => void,
  ) {}

  /** The first look comes at once. */
  start(): void {
    this.planIn(0);
  }

  /** A job of a queue has ended: the next one may be taken once that is stored. */
  queueMoved(): void {
    this.endedAt = performance.now();
    if (this.plannedAt < Number.POSITIVE_INFINITY) this.planIn(paceMs.ended);
  }

  /** Waits for the look under way; none begins after it. */
  async stop(): Promise<void> {
    this.isStopped = true;
    clearTimeout(this.timer);
    await this.running;
  }

  /** Plans the next look, unless an earlier one is planned. */
  private planIn(ms: number): void {
    const at = performance.now() + ms;
    if (this.isStopped || at >= this.plannedAt) return;
    clearTimeout(this.timer);
    this.plannedAt = at;
    this.timer = setTimeout(() => {
      this.plannedAt = Number.POSITIVE_INFINITY;
      this.running = this.run();
    }, ms).unref();
  }

  private async run(): Promise<void> {
    let nextInMs = paceMs.rest;
    try {
      const jobs = await this.look(paceMs.rest);
      if (jobs.due > 0 && !this.isStopped) this.found(jobs.due);
      nextInMs = Math.max(jobs.nextInMs ?? paceMs.rest, leastMs);
      if (performance.now() - this.endedAt < endedForMs) nextInMs = Math.min(nextInMs, paceMs.ended);
    } catch (error) {
      this.logger.warn(`looking for jobs that are due failed: ${String(error)}`);
    }
    this.planIn(nextInMs);
  }
}
