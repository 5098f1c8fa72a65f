import { buildIndexConcurrently, inPortions } from '@scrip/service';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Vouchers say whether they can be published. The index holds what publications pick from, and nothing that was picked. No caller
 *  waits for all rows: the column's default needs none of them, the others are changed by portions, and the index is built beside
 *  the writers. */
export class VouchersArePublishable1801500000007 implements MigrationInterface {
  readonly name = 'VouchersArePublishable1801500000007';
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    // A generated voucher without an event of its own is active and unpublished, which the default says.
    await runner.query(
      'ALTER TABLE vouchers ADD COLUMN IF NOT EXISTS publishable boolean NOT NULL DEFAULT true',
    );
    await inPortions(runner, {
      table: 'vouchers',
      key: ['project_id', 'id'],
      sql: `UPDATE vouchers v SET publishable = false FROM portion u
            WHERE v.project_id = u.project_id AND v.id = u.id AND v.publishable
              AND (v.deleted_at IS NOT NULL OR v.state->'voucher'->>'active' = 'false')`,
    });
    await buildIndexConcurrently(runner, {
      name: 'vouchers_publishable',
      on: 'vouchers (project_id, campaign_id, id) WHERE publishable AND campaign_id IS NOT NULL',
    });
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE vouchers DROP COLUMN publishable');
  }
}
