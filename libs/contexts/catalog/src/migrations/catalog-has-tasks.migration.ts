import { CreateTaskBatches1797100000001, CreateTasks1797100000000 } from '@scrip/tasks';
import type { MigrationInterface, QueryRunner } from 'typeorm';

// Those of the library have the time of the first migration of this context, and would not be newer.
const parts = [new CreateTasks1797100000000(), new CreateTaskBatches1797100000001()];

/** Tables of background tasks. */
export class CatalogHasTasks1800000002300 implements MigrationInterface {
  readonly name = 'CatalogHasTasks1800000002300';

  async up(runner: QueryRunner): Promise<void> {
    for (const part of parts) await part.up(runner);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const part of parts.toReversed()) await part.down(runner);
  }
}
