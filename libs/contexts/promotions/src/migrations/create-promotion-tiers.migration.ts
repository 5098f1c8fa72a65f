import { stateTableColumns } from '@scrip/event-store';
import type { MigrationInterface, QueryRunner } from 'typeorm';

// A row is the lock of its campaign. A deleted campaign keeps it, so that nothing begins it again.
const campaigns = `
  CREATE TABLE promotion_campaigns (
    project_id text COLLATE "C" NOT NULL,
    id text COLLATE "C" NOT NULL,
    name text COLLATE "C" NOT NULL,
    campaign jsonb NOT NULL,
    version bigint NOT NULL,
    epoch int NOT NULL,
    deleted boolean NOT NULL DEFAULT false,
    PRIMARY KEY (project_id, id)
  );
  CREATE INDEX promotion_campaigns_name ON promotion_campaigns (project_id, name)`;

const tiers = `
  CREATE TABLE promotion_tiers (${stateTableColumns},
    campaign_id text COLLATE "C" NOT NULL,
    hierarchy int NOT NULL,
    active boolean NOT NULL,
    deleted boolean NOT NULL,
    expiration_date timestamptz,
    created_at timestamptz NOT NULL,
    updated_at timestamptz
  );
  CREATE INDEX promotion_tiers_place ON promotion_tiers (project_id, campaign_id, hierarchy, id) WHERE NOT deleted;
  CREATE INDEX promotion_tiers_created ON promotion_tiers (project_id, created_at, id) WHERE NOT deleted;
  CREATE INDEX promotion_tiers_updated ON promotion_tiers (project_id, updated_at DESC NULLS LAST, id DESC)
    WHERE NOT deleted`;

/** Tiers, and the campaigns that they belong to. */
export class CreatePromotionTiers1800000005007 implements MigrationInterface {
  readonly name = 'CreatePromotionTiers1800000005007';

  async up(runner: QueryRunner): Promise<void> {
    for (const sql of [campaigns, tiers]) await runner.query(sql);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE promotion_tiers, promotion_campaigns');
  }
}
