import type { MigrationInterface, QueryRunner } from 'typeorm';

const summaries = `
  CREATE TABLE tier_summaries (
    project_id text COLLATE "C" NOT NULL,
    tier_id text COLLATE "C" NOT NULL,
    redemptions bigint NOT NULL,
    total_amount bigint NOT NULL,
    total_discount_amount bigint NOT NULL,
    PRIMARY KEY (project_id, tier_id)
  ) WITH (fillfactor = 80)`;

/** What redemptions of tiers add up to. */
export class CreateTierSummaries1802900000142 implements MigrationInterface {
  readonly name = 'CreateTierSummaries1802900000142';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(summaries);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE tier_summaries');
  }
}
