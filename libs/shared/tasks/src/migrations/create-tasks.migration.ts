import { stateTableColumns } from '@scrip/event-store';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Background tasks and their payloads, for the migrations of a context that has none yet. */
export class CreateTasks1797100000000 implements MigrationInterface {
  readonly name = 'CreateTasks1797100000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE tasks (
        ${stateTableColumns},
        status text COLLATE "C" NOT NULL,
        created_at timestamptz NOT NULL
      );
      CREATE TABLE task_payloads (
        project_id text COLLATE "C" NOT NULL,
        task_id text COLLATE "C" NOT NULL,
        payload jsonb NOT NULL,
        PRIMARY KEY (project_id, task_id)
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE task_payloads, tasks');
  }
}
