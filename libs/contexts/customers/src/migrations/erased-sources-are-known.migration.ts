import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Keys of the source ids of erased customers, kept for good, with those that tasks still know: tracking ids that were given out
 *  before are refused by them. */
export class ErasedSourcesAreKnown1803400000160 implements MigrationInterface {
  readonly name = 'ErasedSourcesAreKnown1803400000160';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE erased_source_ids (
        project_id text COLLATE "C" NOT NULL,
        source_key text COLLATE "C" NOT NULL,
        customer_id text COLLATE "C" NOT NULL,
        PRIMARY KEY (project_id, source_key, customer_id)
      );
      INSERT INTO erased_source_ids (project_id, source_key, customer_id)
      SELECT project_id, name, customer_id FROM erased_names WHERE name <> customer_id`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE erased_source_ids');
  }
}
