import { stateTableColumns } from '@scrip/event-store';
import type { MigrationInterface, QueryRunner } from 'typeorm';

// What listings sort and filter by; the same in both tables, so that one query reads redemptions and rollbacks.
const listedColumns = `
  created_at timestamptz NOT NULL,
  object text NOT NULL,
  result text NOT NULL,
  customer_id text COLLATE "C",
  tracking_id text,
  voucher_code text,
  campaign_name text,
  related_object_id text COLLATE "C" NOT NULL,
  related_object_parent_id text COLLATE "C",
  parent_redemption_id text COLLATE "C",
  failure_code text,
  user_login text`;

const listedIndexes = (table: string): string => `
  CREATE INDEX ${table}_newest ON ${table} (project_id, created_at DESC, id DESC);
  CREATE INDEX ${table}_of_customer ON ${table} (project_id, customer_id, created_at DESC) WHERE customer_id IS NOT NULL;
  CREATE INDEX ${table}_of_voucher ON ${table} (project_id, voucher_code, created_at DESC) WHERE voucher_code IS NOT NULL;
  CREATE INDEX ${table}_of_campaign ON ${table} (project_id, campaign_name, created_at DESC) WHERE campaign_name IS NOT NULL`;

/** Tables of qualification beside its event log. */
export class CreateQualification1800000000000 implements MigrationInterface {
  readonly name = 'CreateQualification1800000000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE redemptions (${stateTableColumns}, ${listedColumns}, rolling_back_since timestamptz);
      ${listedIndexes('redemptions')};
      CREATE INDEX redemptions_of_parent ON redemptions (project_id, parent_redemption_id)
        WHERE parent_redemption_id IS NOT NULL;
      CREATE INDEX redemptions_rolling_back ON redemptions (rolling_back_since) WHERE rolling_back_since IS NOT NULL`);
    await runner.query(`
      CREATE TABLE rollbacks (
        project_id text COLLATE "C" NOT NULL,
        id text COLLATE "C" NOT NULL,
        state jsonb NOT NULL,
        ${listedColumns},
        PRIMARY KEY (project_id, id)
      );
      ${listedIndexes('rollbacks')};
      CREATE INDEX rollbacks_of_redemption ON rollbacks (project_id, parent_redemption_id)`);
    await runner.query(`
      CREATE TABLE redemption_outcomes (
        redemption_id text COLLATE "C" PRIMARY KEY,
        verdict text NOT NULL CHECK (verdict IN ('RECORDED', 'ABANDONED')),
        claims jsonb NOT NULL,
        decided_at timestamptz NOT NULL DEFAULT now()
      );
      CREATE INDEX redemption_outcomes_abandoned ON redemption_outcomes (decided_at) WHERE verdict = 'ABANDONED'`);
    await runner.query(`
      CREATE TABLE validations (
        project_id text COLLATE "C" NOT NULL,
        id text COLLATE "C" NOT NULL,
        created_at timestamptz NOT NULL,
        request_id text NOT NULL,
        valid boolean NOT NULL,
        customer_id text COLLATE "C",
        redeemables jsonb NOT NULL,
        totals jsonb
      ) PARTITION BY RANGE (created_at);
      CREATE INDEX validations_newest ON validations (project_id, created_at DESC, id);
      CREATE TABLE validations_default PARTITION OF validations DEFAULT`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE validations, redemption_outcomes, rollbacks, redemptions');
  }
}
