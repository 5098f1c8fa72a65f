import type { MigrationInterface, QueryRunner } from 'typeorm';

// A row of a referral stays when it is revoked, uncounted, so that what it counted for is taken back once.
const createReferrals = `
  CREATE TABLE customer_referrals (
    project_id text COLLATE "C" NOT NULL,
    customer_id text COLLATE "C" NOT NULL,
    campaign_id text COLLATE "C" NOT NULL,
    campaign text COLLATE "C" NOT NULL,
    referrer_id text COLLATE "C" NOT NULL,
    related_object_id text COLLATE "C" NOT NULL,
    related_object_type text COLLATE "C" NOT NULL,
    referred_at timestamptz NOT NULL,
    counted boolean NOT NULL,
    PRIMARY KEY (project_id, customer_id, campaign_id)
  );
  CREATE TABLE customer_referred_sums (
    project_id text COLLATE "C" NOT NULL,
    customer_id text COLLATE "C" NOT NULL,
    campaign_id text COLLATE "C" NOT NULL,
    campaign text COLLATE "C" NOT NULL,
    referred bigint NOT NULL,
    PRIMARY KEY (project_id, customer_id, campaign_id)
  ) WITH (fillfactor = 80)`;

/** Tables of who was referred in which campaign, and of how many each customer referred. */
export class CreateReferrals1802100000003 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(createReferrals);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE customer_referrals, customer_referred_sums');
  }
}
