import { stateTableColumns } from '@scrip/event-store';
import type { MigrationInterface, QueryRunner } from 'typeorm';

const stacks = `
  CREATE TABLE promotion_stacks (${stateTableColumns},
    campaign_id text COLLATE "C" NOT NULL,
    name text COLLATE "C" NOT NULL,
    deleted boolean NOT NULL,
    created_at timestamptz NOT NULL,
    updated_at timestamptz
  );
  CREATE INDEX promotion_stacks_campaign ON promotion_stacks (project_id, campaign_id, created_at, id) WHERE NOT deleted;
  CREATE INDEX promotion_stacks_created ON promotion_stacks (project_id, created_at, id) WHERE NOT deleted;
  CREATE INDEX promotion_stacks_updated ON promotion_stacks (project_id, updated_at DESC NULLS LAST, id DESC)
    WHERE NOT deleted;
  CREATE INDEX promotion_stacks_name ON promotion_stacks (project_id, name, id) WHERE NOT deleted`;

/** Stacks of the tiers of a campaign. */
export class CreatePromotionStacks1800000005008 implements MigrationInterface {
  readonly name = 'CreatePromotionStacks1800000005008';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(stacks);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE promotion_stacks');
  }
}
