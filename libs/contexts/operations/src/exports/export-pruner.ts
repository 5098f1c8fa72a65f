import { Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { runQuery } from '@scrip/event-store';
import { Periodic } from '@scrip/service';
import type { DataSource } from 'typeorm';
import { ExportFiles } from './export-files';
import { changedRows } from './export.table';

const everyMs = 3_600_000;
/** Older than any execution can be. */
const abandonedMs = 86_400_000;
const rowsTogether = 500;

// Machine time: how long files are kept.
const pastTheirTime = `
  DELETE FROM exports WHERE (project_id, id) IN (
    SELECT project_id, id FROM exports WHERE stored_at < now() - interval '90 days' LIMIT ${rowsTogether}
  ) RETURNING file_name`;

/** Deletes, once an hour, exports with their files 90 days after they were ordered, and files that no export has any more. */
@Injectable()
export class ExportPruner implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly rounds = new Periodic({ name: ExportPruner.name, everyMs, run: () => this.prune() });

  constructor(
    @InjectDataSource('operations') private readonly dataSource: DataSource,
    private readonly files: ExportFiles,
  ) {}

  onApplicationBootstrap(): void {
    this.rounds.start();
  }

  onModuleDestroy(): Promise<void> {
    return this.rounds.stop();
  }

  /** Deletes them now. */
  async prune(): Promise<void> {
    for (let full = true; full;) {
      const gone = await changedRows<{ file_name: string | null }>(this.dataSource, pastTheirTime, []);
      await this.files.delete(gone.map(({ file_name }) => file_name));
      full = gone.length === rowsTogether;
    }
    // Machine time: that of the store.
    await this.files.sweep(new Date(Date.now() - abandonedMs), (names) => this.keptOf(names));
  }

  private async keptOf(names: string[]): Promise<Set<string>> {
    const rows = await runQuery<{ file_name: string }>(
      this.dataSource,
      'SELECT file_name FROM exports WHERE file_name = ANY($1)',
      [names],
    );
    return new Set(rows.map(({ file_name }) => file_name));
  }
}
