import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Inputs of tasks and what became of them, for the migrations of a context. */
export class CreateTaskBatches1797100000001 implements MigrationInterface {
  readonly name = 'CreateTaskBatches1797100000001';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE task_batches (
        project_id text COLLATE "C" NOT NULL,
        task_id text COLLATE "C" NOT NULL,
        wrapped_key text NOT NULL,
        shared text,
        created_at timestamptz NOT NULL DEFAULT now(),
        PRIMARY KEY (project_id, task_id)
      );
      CREATE INDEX task_batches_created ON task_batches (created_at);
      CREATE TABLE task_chunks (
        project_id text COLLATE "C" NOT NULL,
        task_id text COLLATE "C" NOT NULL,
        position int NOT NULL,
        items int NOT NULL,
        inputs text,
        results text,
        done int NOT NULL DEFAULT 0,
        failed int NOT NULL DEFAULT 0,
        PRIMARY KEY (project_id, task_id, position)
      );
      CREATE INDEX task_chunks_waiting ON task_chunks (project_id, task_id, position) WHERE inputs IS NOT NULL`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE task_chunks, task_batches');
  }
}
