import { Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { InjectJobQueue, JobQueue, jobsSchema, Periodic } from '@scrip/service';
import type { DataSource } from 'typeorm';
import { writeExport, writeExportEntry } from './export.job';
import { executionsMax, type ExportName, ExportTable, isOpen } from './export.table';

const everyMs = 60_000;
const atOnce = 500;

interface AbandonedRow extends ExportName {
  executions: number;
  ahead: number;
}

// Machine time: an export and its job are stored together, so an export without one has lost it.
const abandoned = `
  SELECT e.project_id, e.id, e.executions,
    row_number() OVER (PARTITION BY e.project_id ORDER BY e.stored_at)::int - 1 AS ahead
  FROM exports e
  WHERE ${isOpen} AND NOT EXISTS (
    SELECT FROM ${jobsSchema('operations')}.jobs j
    WHERE j.key = e.project_id || ' ' || e.id AND j.attempts < j.max_attempts)
  ORDER BY e.stored_at LIMIT ${atOnce}`;

/** Gives exports that have not ended a job again, once a minute, where none is left that would write them: the process was
 *  killed in the last attempt, or the database was away when that failed. Those that were begun 18 times end without a file. */
@Injectable()
export class AbandonedExports implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly rounds = new Periodic({ name: AbandonedExports.name, everyMs, run: () => this.resume() });

  constructor(
    @InjectDataSource('operations') private readonly dataSource: DataSource,
    @InjectJobQueue('operations') private readonly queue: JobQueue,
    private readonly table: ExportTable,
  ) {}

  onApplicationBootstrap(): void {
    this.rounds.start();
  }

  onModuleDestroy(): Promise<void> {
    return this.rounds.stop();
  }

  /** Does it now. */
  async resume(): Promise<void> {
    const rows = await this.dataSource.query<AbandonedRow[]>(abandoned);
    for (const row of rows) if (row.executions >= executionsMax) await this.table.fail(row);
    const left = rows.filter(({ executions }) => executions < executionsMax);
    await this.queue.addMany(
      writeExport,
      left.map(({ project_id, id, ahead }) => writeExportEntry({ project_id, id }, ahead)),
    );
  }
}
