import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Table of how many validations campaigns had, by quarters of an hour. */
export class CreateValidationSums1802300000003 implements MigrationInterface {
  readonly name = 'CreateValidationSums1802300000003';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE validation_sums (
        project_id text COLLATE "C" NOT NULL,
        campaign_id text COLLATE "C" NOT NULL,
        quarter timestamptz NOT NULL,
        succeeded bigint NOT NULL,
        failed bigint NOT NULL,
        PRIMARY KEY (project_id, campaign_id, quarter)
      ) WITH (fillfactor = 80)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE validation_sums');
  }
}
