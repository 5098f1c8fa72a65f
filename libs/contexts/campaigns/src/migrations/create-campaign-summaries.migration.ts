import type { MigrationInterface, QueryRunner } from 'typeorm';

const createSummaries = `
  CREATE TABLE campaign_summaries (
    project_id text COLLATE "C" NOT NULL,
    campaign_id text COLLATE "C" NOT NULL,
    quarter timestamptz NOT NULL,
    redemptions_succeeded bigint NOT NULL,
    redemptions_failed bigint NOT NULL,
    rollbacks_succeeded bigint NOT NULL,
    rollbacks_failed bigint NOT NULL,
    orders_amount numeric NOT NULL,
    orders_rolledback_amount numeric NOT NULL,
    discounted_amount numeric NOT NULL,
    rolledback_discounted_amount numeric NOT NULL,
    vouchers_created bigint NOT NULL,
    vouchers_deleted bigint NOT NULL,
    publications_succeeded bigint NOT NULL,
    publications_failed bigint NOT NULL,
    amount_created numeric NOT NULL,
    amount_deleted numeric NOT NULL,
    amount_added numeric NOT NULL,
    amount_subtracted numeric NOT NULL,
    amount_redeemed numeric NOT NULL,
    amount_rolledback numeric NOT NULL,
    referred_customers bigint NOT NULL,
    PRIMARY KEY (project_id, campaign_id, quarter)
  ) WITH (fillfactor = 80)`;

/** Table of what happened in campaigns, by quarters of an hour. */
export class CreateCampaignSummaries1802300000002 implements MigrationInterface {
  readonly name = 'CreateCampaignSummaries1802300000002';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(createSummaries);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE campaign_summaries');
  }
}
