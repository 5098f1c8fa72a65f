import { stateTableColumns } from '@scrip/event-store';
import type { MigrationInterface, QueryRunner } from 'typeorm';

const campaigns = `
  CREATE TABLE campaigns (
    ${stateTableColumns},
    name text COLLATE "C" NOT NULL,
    campaign_type text COLLATE "C" NOT NULL,
    type text COLLATE "C" NOT NULL,
    voucher_type text COLLATE "C",
    is_referral_code boolean NOT NULL,
    creation_status text COLLATE "C" NOT NULL,
    active boolean NOT NULL,
    category_id text COLLATE "C",
    category text COLLATE "C",
    start_date timestamptz,
    expiration_date timestamptz,
    created_at timestamptz NOT NULL,
    updated_at timestamptz
  );
  CREATE UNIQUE INDEX campaigns_name ON campaigns (project_id, name);
  CREATE INDEX campaigns_created ON campaigns (project_id, created_at, id)`;

// Codes of one code order share what they are made from: a generated voucher is a narrow row until its first own event.
const vouchers = `
  CREATE TABLE voucher_definitions (
    project_id text COLLATE "C" NOT NULL,
    id text COLLATE "C" NOT NULL,
    template jsonb NOT NULL,
    PRIMARY KEY (project_id, id)
  );
  CREATE TABLE vouchers (
    ${stateTableColumns},
    code text COLLATE "C" NOT NULL,
    code_key text COLLATE "C" NOT NULL,
    campaign_id text COLLATE "C",
    definition_id text COLLATE "C",
    created_at timestamptz NOT NULL,
    updated_at timestamptz
  );
  CREATE UNIQUE INDEX vouchers_code_key ON vouchers (project_id, code_key);
  CREATE INDEX vouchers_created ON vouchers (project_id, created_at, id);
  CREATE INDEX vouchers_campaign ON vouchers (project_id, campaign_id, created_at, id);
  CREATE INDEX vouchers_single ON vouchers (project_id, campaign_id) WHERE definition_id IS NULL`;

const claims = `
  CREATE TABLE claims (
    project_id text COLLATE "C" NOT NULL,
    redeemable_id text COLLATE "C" NOT NULL,
    claim_id text COLLATE "C" NOT NULL,
    redemption_id text COLLATE "C" NOT NULL,
    state text COLLATE "C" NOT NULL CHECK (state IN ('PROVISIONAL', 'CONFIRMED', 'REFUNDED', 'REVERTED')),
    redeemed_quantity bigint,
    rollback_id text COLLATE "C",
    claimed_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT claims_pkey PRIMARY KEY (project_id, redeemable_id, claim_id)
  );
  CREATE INDEX claims_provisional ON claims (project_id, redemption_id) INCLUDE (claimed_at)
    WHERE state = 'PROVISIONAL';
  CREATE INDEX claims_provisional_of ON claims (project_id, redeemable_id) WHERE state = 'PROVISIONAL';
  CREATE INDEX claims_reverted ON claims (claimed_at) WHERE state = 'REVERTED'`;

const tasks = `
  CREATE TABLE tasks (
    ${stateTableColumns},
    status text COLLATE "C" NOT NULL,
    campaign_id text COLLATE "C" NOT NULL,
    created_at timestamptz NOT NULL
  );
  CREATE INDEX tasks_waiting ON tasks (project_id, campaign_id, created_at, id)
    WHERE status IN ('ENQUEUED', 'IN_PROGRESS')`;

const categories = `
  CREATE TABLE categories (
    project_id text COLLATE "C" NOT NULL,
    id text COLLATE "C" NOT NULL,
    name text COLLATE "C" NOT NULL,
    hierarchy int NOT NULL,
    created_at timestamptz NOT NULL,
    updated_at timestamptz,
    PRIMARY KEY (project_id, id)
  );
  CREATE UNIQUE INDEX categories_name ON categories (project_id, name)`;

/** Tables of campaigns, vouchers, claims, tasks and categories. */
export class CreateCampaigns1763700000000 implements MigrationInterface {
  readonly name = 'CreateCampaigns1763700000000';

  async up(runner: QueryRunner): Promise<void> {
    for (const sql of [campaigns, vouchers, claims, tasks, categories]) await runner.query(sql);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE categories, tasks, claims, vouchers, voucher_definitions, campaigns');
  }
}
