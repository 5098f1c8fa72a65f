import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { InjectJobQueue, JobHandler, JobQueue, defineJob } from '@scrip/service';
import type { DataSource } from 'typeorm';

const prune = defineJob<object>('webhooks', 'prune');

const everyMs = 3_600_000;
const jobKey = 'prune';

/** Rows of one statement: short enough for the log's horizon (architecture §4). */
const chunk = 1_000;

const payloadDays = 30;
const logDays = 180;

/** Tables, the column with the age of their rows, and the days they are kept. Source: reference 06 §5.2, §5.5. */
const rules: readonly { table: string; column: string; days: number; only?: string }[] = [
  { table: 'public_events', column: 'created_at', days: payloadDays },
  { table: 'public_event_customers', column: 'created_at', days: payloadDays },
  { table: 'erased_customers', column: 'erased_at', days: payloadDays },
  { table: 'sendout_payloads', column: 'created_at', days: payloadDays },
  { table: 'sendout_attempts', column: 'started_at', days: logDays },
  {
    table: 'sendouts',
    column: 'created_at',
    days: logDays,
    only: `state IN ('SUCCEEDED', 'FAILED', 'CANCELED')`,
  },
];

/** Deletes expired rows, each hour.
 *  Machine time: how long rows are kept. */
@Injectable()
export class Retention implements OnApplicationBootstrap {
  constructor(
    @InjectDataSource('webhooks') private readonly database: DataSource,
    @InjectJobQueue('webhooks') private readonly jobs: JobQueue,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    // Replaces a waiting job, and restarts one that has failed for good.
    await this.jobs.add(prune, {}, { jobKey });
  }

  @JobHandler(prune)
  async prune(): Promise<void> {
    for (const rule of rules) while ((await this.deleteChunk(rule)) === chunk);
    await this.forgetReplacedTokens();
    await this.jobs.add(prune, {}, { jobKey, runAt: new Date(Date.now() + everyMs) });
  }

  /** A token that signs no more is not kept: one row for each project. */
  private async forgetReplacedTokens(): Promise<void> {
    await this.database.query(
      `UPDATE webhook_tokens SET previous_sealed = NULL, previous_until = NULL WHERE previous_until <= now()`,
    );
  }

  private async deleteChunk({ table, column, days, only = 'true' }: (typeof rules)[number]): Promise<number> {
    const [row] = await this.database.query<{ deleted: number }[]>(
      `WITH old AS (
         SELECT ctid FROM ${table} WHERE ${column} < now() - make_interval(days => $1) AND ${only} LIMIT ${chunk}
       ), gone AS (DELETE FROM ${table} t USING old WHERE t.ctid = old.ctid RETURNING 1)
       SELECT count(*)::int AS deleted FROM gone`,
      [days],
    );
    return row?.deleted ?? 0;
  }
}
