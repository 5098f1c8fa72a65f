import { type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import type { ItemsWork } from '@scrip/contracts/operations';
import type { ContextName } from '@scrip/contracts/registry';
import { jobsSchema, Periodic } from '@scrip/service';
import type { DataSource } from 'typeorm';
import type { TaskJobs } from '../task/task-jobs';

const everyMs = 60_000;
const atOnce = 500;

interface AbandonedRow {
  id: string;
  project_id: string;
  work: ItemsWork;
}

/** Gives item tasks that have not ended a job again, once a minute, where none is left that would work on them: the last attempt
 *  may have failed before it reached the task, while auth or the database was away. */
export class AbandonedTasks implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly rounds = new Periodic({ name: AbandonedTasks.name, everyMs, run: () => this.resume() });
  // Machine time: the call that orders a task adds its job within this time, or the consumer of tasks does.
  private readonly abandonedSql: string;

  constructor(
    private readonly dataSource: DataSource,
    private readonly jobs: TaskJobs,
    context: ContextName,
  ) {
    this.abandonedSql = `
      SELECT t.id, t.project_id, t.state->'work' AS work FROM task_batches b
      JOIN tasks t ON t.project_id = b.project_id AND t.id = b.task_id
      WHERE t.status NOT IN ('DONE', 'FAILED') AND b.created_at < now() - interval '1 minute' AND NOT EXISTS (
        SELECT 1 FROM ${jobsSchema(context)}.jobs j WHERE j.key = t.id AND j.attempts < j.max_attempts)
      ORDER BY b.created_at LIMIT ${atOnce}`;
  }

  onApplicationBootstrap(): void {
    this.rounds.start();
  }

  onModuleDestroy(): Promise<void> {
    return this.rounds.stop();
  }

  /** Does it now. */
  async resume(): Promise<void> {
    const rows = await this.dataSource.query<AbandonedRow[]>(this.abandonedSql);
    await this.jobs.add(rows.map(({ id, project_id: projectId, work }) => ({ id, projectId, work })));
  }
}
