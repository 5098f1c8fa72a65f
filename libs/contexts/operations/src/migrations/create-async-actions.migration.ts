import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The list of background tasks of all contexts. */
export class CreateAsyncActions1763700000001 implements MigrationInterface {
  readonly name = 'CreateAsyncActions1763700000001';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE async_actions (
        project_id text COLLATE "C" NOT NULL,
        id text COLLATE "C" NOT NULL,
        version bigint NOT NULL,
        created_at timestamptz NOT NULL,
        async_action jsonb NOT NULL,
        PRIMARY KEY (project_id, id)
      );
      CREATE INDEX async_actions_created ON async_actions (project_id, created_at, id)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE async_actions');
  }
}
