import { stateTableColumns } from '@scrip/event-store';
import type { MigrationInterface, QueryRunner } from 'typeorm';

const templates = `
  CREATE TABLE campaign_templates (${stateTableColumns},
    name text COLLATE "C" NOT NULL,
    campaign_type text COLLATE "C" NOT NULL,
    deleted boolean NOT NULL
  );
  CREATE UNIQUE INDEX campaign_templates_name ON campaign_templates (project_id, name) WHERE NOT deleted;
  CREATE INDEX campaign_templates_listed ON campaign_templates (project_id, id) WHERE NOT deleted;
  CREATE INDEX campaign_templates_type ON campaign_templates (project_id, campaign_type, id) WHERE NOT deleted`;

/** Templates of campaigns and tiers. */
export class CreateCampaignTemplates1802100000007 implements MigrationInterface {
  readonly name = 'CreateCampaignTemplates1802100000007';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(templates);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE campaign_templates');
  }
}
