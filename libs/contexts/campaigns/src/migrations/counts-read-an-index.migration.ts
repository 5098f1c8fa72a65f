import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The vouchers that say what their definition says are counted in an index alone: it holds no others. */
export class CountsReadAnIndex1797000000000 implements MigrationInterface {
  readonly name = 'CountsReadAnIndex1797000000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP INDEX vouchers_definition;
      CREATE INDEX vouchers_definition ON vouchers (project_id, definition_id, created_at, id)
        WHERE definition_id IS NOT NULL AND filterable IS NULL`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP INDEX vouchers_definition;
      CREATE INDEX vouchers_definition ON vouchers (project_id, definition_id, created_at, id)
        WHERE definition_id IS NOT NULL`);
  }
}
