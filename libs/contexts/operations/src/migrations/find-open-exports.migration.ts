import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Exports that have not ended are counted for each order, and looked through for lost jobs. `executions`: how often one was
 *  begun. */
export class FindOpenExports1798100000000 implements MigrationInterface {
  readonly name = 'FindOpenExports1798100000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE exports ADD COLUMN executions int NOT NULL DEFAULT 0');
    await runner.query(
      `CREATE INDEX exports_open ON exports (project_id) WHERE status IN ('SCHEDULED', 'IN_PROGRESS')`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX exports_open');
    await runner.query('ALTER TABLE exports DROP COLUMN executions');
  }
}
