import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Calls of projects in their newest cycle. */
export class CreateCycleCalls1801900000000 implements MigrationInterface {
  readonly name = 'CreateCycleCalls1801900000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE cycle_calls (
        project_id text COLLATE "C" PRIMARY KEY,
        cycle text COLLATE "C" NOT NULL,
        calls bigint NOT NULL
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE cycle_calls');
  }
}
