import type { OnApplicationBootstrap, OnModuleDestroy } from '@nestjs/common';
import { Periodic } from '@scrip/service';
import type { DataSource } from 'typeorm';
import { pruneBatches, prunePayloads } from '../items/batch.table';
import { pruneErasedNames } from '../items/erased-name.table';

const everyMs = 3_600_000;

/** Deletes, once an hour, what tasks leave behind: payloads and inputs of tasks that have ended (the end of a task deletes
 *  its own, but a process may be killed before that, and releases before did not know it), inputs of calls that never got to
 *  their task, results past their time, and names of erased customers that no task can bring up any more. */
export class TaskPruner implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly rounds = new Periodic({ name: TaskPruner.name, everyMs, run: () => this.prune() });

  /** `namesCustomers`: whether the context has such names. */
  constructor(
    private readonly dataSource: DataSource,
    private readonly namesCustomers: boolean,
  ) {}

  onApplicationBootstrap(): void {
    this.rounds.start();
  }

  onModuleDestroy(): Promise<void> {
    return this.rounds.stop();
  }

  /** Deletes them now. */
  async prune(): Promise<void> {
    await prunePayloads(this.dataSource);
    await pruneBatches(this.dataSource);
    if (this.namesCustomers) await pruneErasedNames(this.dataSource);
  }
}
