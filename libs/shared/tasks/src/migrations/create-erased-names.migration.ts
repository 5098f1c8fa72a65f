import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Names of customers that were deleted permanently, for the migrations of a context whose tasks name customers. In place of the
 *  source ids in plain text that an earlier form kept. */
export class CreateErasedNames1800000002700 implements MigrationInterface {
  readonly name = 'CreateErasedNames1800000002700';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TABLE IF EXISTS erased_names;
      CREATE TABLE erased_names (
        project_id text COLLATE "C" NOT NULL,
        customer_id text COLLATE "C" NOT NULL,
        name text COLLATE "C" NOT NULL,
        named_until timestamptz NOT NULL DEFAULT clock_timestamp(),
        erased_at timestamptz NOT NULL DEFAULT clock_timestamp(),
        is_cleared boolean NOT NULL DEFAULT false,
        PRIMARY KEY (project_id, customer_id, name)
      );
      CREATE INDEX erased_names_name ON erased_names (project_id, name);
      CREATE INDEX task_batches_of_project ON task_batches (project_id, created_at)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX task_batches_of_project; DROP TABLE erased_names');
  }
}
