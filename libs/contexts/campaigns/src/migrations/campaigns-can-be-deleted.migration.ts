import { buildIndexConcurrently } from '@scrip/service';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Campaigns can be deleted: into the bin, or for good; without a name in its column the name is free. Vouchers in the bin are found by
 *  their campaign, through an index that is built beside the writers. Source: ADR 81. */
export class CampaignsCanBeDeleted1802000000002 implements MigrationInterface {
  readonly name = 'CampaignsCanBeDeleted1802000000002';
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await buildIndexConcurrently(runner, {
      name: 'vouchers_binned',
      on: `vouchers (project_id, campaign_id, id) WHERE deleted_at IS NOT NULL AND code_key IS NOT NULL`,
    });
    await runner.query(
      'ALTER TABLE campaigns ADD COLUMN IF NOT EXISTS deleted_at timestamptz, ALTER COLUMN name DROP NOT NULL',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DELETE FROM campaigns WHERE deleted_at IS NOT NULL;
      ALTER TABLE campaigns DROP COLUMN deleted_at, ALTER COLUMN name SET NOT NULL;
      DROP INDEX vouchers_binned`);
  }
}
