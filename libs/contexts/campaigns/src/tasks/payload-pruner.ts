import { Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { Periodic } from '@scrip/service';
import type { DataSource } from 'typeorm';

const everyMs = 3_600_000;

/** Deletes payloads of tasks that have ended, once an hour: the end of a task deletes its own, but releases that did not know
 *  that may have run beside this one. */
@Injectable()
export class PayloadPruner implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly rounds = new Periodic({ name: PayloadPruner.name, everyMs, run: () => this.prune() });

  constructor(@InjectDataSource('campaigns') private readonly dataSource: DataSource) {}

  onApplicationBootstrap(): void {
    this.rounds.start();
  }

  onModuleDestroy(): Promise<void> {
    return this.rounds.stop();
  }

  /** Deletes them now. */
  async prune(): Promise<void> {
    await this.dataSource.query(
      `DELETE FROM task_payloads p USING tasks t
       WHERE t.project_id = p.project_id AND t.id = p.task_id AND t.status IN ('DONE', 'FAILED')`,
    );
  }
}
