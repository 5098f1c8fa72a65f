import { stateTableColumns } from '@scrip/event-store';
import type { MigrationInterface, QueryRunner } from 'typeorm';

const publications = `
  CREATE TABLE publications (
    ${stateTableColumns},
    customer_id text COLLATE "C" NOT NULL,
    source_id text COLLATE "C",
    result text COLLATE "C" NOT NULL,
    failure_code text COLLATE "C",
    channel text COLLATE "C" NOT NULL,
    campaign_id text COLLATE "C",
    campaign text COLLATE "C",
    voucher_type text COLLATE "C" NOT NULL,
    is_referral_code boolean NOT NULL,
    voucher_id text COLLATE "C",
    voucher_code text COLLATE "C",
    created_at timestamptz NOT NULL
  );
  CREATE UNIQUE INDEX publications_source_id ON publications (project_id, source_id)
    WHERE source_id IS NOT NULL AND result = 'SUCCESS';
  CREATE INDEX publications_created ON publications (project_id, created_at, id);
  CREATE INDEX publications_customer ON publications (project_id, customer_id, created_at, id);
  CREATE INDEX publications_campaign ON publications (project_id, campaign_id, created_at, id);
  CREATE INDEX publications_voucher ON publications (project_id, voucher_id)`;

// The first publication of each customer in each campaign. Every publication in a campaign inserts its row or meets it.
const members = `
  CREATE TABLE campaign_members (
    project_id text COLLATE "C" NOT NULL,
    campaign_id text COLLATE "C" NOT NULL,
    customer_id text COLLATE "C" NOT NULL,
    publication_id text COLLATE "C" NOT NULL,
    PRIMARY KEY (project_id, campaign_id, customer_id)
  )`;

const holders = `
  CREATE TABLE holders (
    project_id text COLLATE "C" NOT NULL,
    id text COLLATE "C" NOT NULL,
    voucher_id text COLLATE "C" NOT NULL,
    customer_id text COLLATE "C" NOT NULL,
    role text COLLATE "C" NOT NULL CHECK (role IN ('OWNER', 'REFERRER', 'REFEREE')),
    publication_id text COLLATE "C" NOT NULL,
    campaign_id text COLLATE "C",
    campaign_type text COLLATE "C",
    voucher_type text COLLATE "C" NOT NULL,
    created_at timestamptz NOT NULL,
    PRIMARY KEY (project_id, id)
  );
  CREATE UNIQUE INDEX holders_voucher ON holders (project_id, voucher_id, customer_id);
  CREATE INDEX holders_customer ON holders (project_id, customer_id, id)`;

/** Tables of publications, of who joined which campaign and of holders. */
export class CreatePublications1801500000006 implements MigrationInterface {
  readonly name = 'CreatePublications1801500000006';

  async up(runner: QueryRunner): Promise<void> {
    for (const sql of [publications, members, holders]) await runner.query(sql);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE holders, campaign_members, publications');
  }
}
