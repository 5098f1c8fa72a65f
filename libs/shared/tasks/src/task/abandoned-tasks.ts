import { type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import type { TaskWork } from '@scrip/contracts/operations';
import type { ContextName } from '@scrip/contracts/registry';
import { jobsSchema, Periodic } from '@scrip/service';
import type { DataSource } from 'typeorm';
import type { TaskJobs } from './task-jobs';

const everyMs = 60_000;
const atOnce = 500;

interface AbandonedRow {
  id: string;
  project_id: string;
  work: TaskWork;
}

/** Gives tasks that have not ended a job again, once a minute, where none is left that would work on them: the last attempt
 *  may have failed before it reached the task, while auth or the database was away. Tasks of kinds that this release does not know
 *  are left to the one that ordered them. */
export class AbandonedTasks implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly rounds = new Periodic({ name: AbandonedTasks.name, everyMs, run: () => this.resume() });
  private readonly abandonedSql: string;

  constructor(
    private readonly dataSource: DataSource,
    private readonly jobs: TaskJobs,
    context: ContextName,
  ) {
    // Machine time: the call that orders an item task adds its job within this time, or the consumer of tasks does. Of a code
    // order nothing says when it began on the clock of machines; a job too many finds nothing to do. Jobs have the key of their
    // task or, where they work off code orders, of the campaign.
    this.abandonedSql = `
      SELECT t.id, t.project_id, t.state->'work' AS work FROM (
        SELECT project_id, task_id, created_at FROM task_batches WHERE created_at < now() - interval '1 minute'
        UNION ALL SELECT project_id, task_id, NULL FROM task_payloads
      ) begun JOIN tasks t ON t.project_id = begun.project_id AND t.id = begun.task_id
      WHERE t.status NOT IN ('DONE', 'FAILED') AND t.state->'work'->>'kind' = ANY($1) AND NOT EXISTS (
        SELECT 1 FROM ${jobsSchema(context)}.jobs j
        WHERE j.key IN (t.id, t.state->'work'->>'campaign_id') AND j.attempts < j.max_attempts)
      ORDER BY begun.created_at, t.id LIMIT ${atOnce}`;
  }

  onApplicationBootstrap(): void {
    this.rounds.start();
  }

  onModuleDestroy(): Promise<void> {
    return this.rounds.stop();
  }

  /** Does it now. */
  async resume(): Promise<void> {
    const rows = await this.dataSource.query<AbandonedRow[]>(this.abandonedSql, [this.jobs.kinds]);
    await this.jobs.add(rows.map(({ id, project_id: projectId, work }) => ({ id, projectId, work })));
  }
}
