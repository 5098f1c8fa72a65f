import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Source ids of customers who were deleted permanently, until tasks no longer name them. */
export class ErasedNames1800000001850 implements MigrationInterface {
  readonly name = 'ErasedNames1800000001850';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE erased_names (
        project_id text COLLATE "C" NOT NULL,
        customer_id text COLLATE "C" NOT NULL,
        source_id text COLLATE "C" NOT NULL,
        was_live boolean NOT NULL,
        PRIMARY KEY (project_id, customer_id)
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE erased_names');
  }
}
