import { buildIndexConcurrently } from '@scrip/service';
import type { MigrationInterface, QueryRunner } from 'typeorm';

const indexes = {
  publications_code: '(project_id, voucher_code, id)',
  publications_channel: '(project_id, channel, id)',
  publications_campaign_name: '(project_id, campaign, created_at, id)',
  publications_type: '(project_id, voucher_type, created_at, id)',
  publications_referral: '(project_id, created_at, id) WHERE is_referral_code',
  publications_failure: '(project_id, failure_code, created_at, id) WHERE failure_code IS NOT NULL',
};

/** Publications are found by each of their filters, and sorted by each order. The indexes are built beside the writers. */
export class PublicationsAreFound1802400000021 implements MigrationInterface {
  readonly name = 'PublicationsAreFound1802400000021';
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    for (const [name, columns] of Object.entries(indexes))
      await buildIndexConcurrently(runner, { name, on: `publications ${columns}` });
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX ${Object.keys(indexes).join(', ')}`);
  }
}
