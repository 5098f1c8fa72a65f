import { CreateBinEntries } from '@scrip/trash-bin';
import type { MigrationInterface, QueryRunner } from 'typeorm';

const bin = new CreateBinEntries();

/** Vouchers can be deleted: into the bin of the context, or for good. The row of a deleted voucher stays, for uses that come back
 *  to it; without a code key its code is free. Source: ADR 79. */
export class VouchersCanBeDeleted1801400000002 implements MigrationInterface {
  readonly name = 'VouchersCanBeDeleted1801400000002';

  async up(runner: QueryRunner): Promise<void> {
    await bin.up(runner);
    await runner.query(`
      ALTER TABLE vouchers ADD COLUMN deleted_at timestamptz, ALTER COLUMN code_key DROP NOT NULL;
      CREATE TABLE deleted_codes (
        project_id text COLLATE "C" NOT NULL,
        campaign_id text COLLATE "C" NOT NULL,
        count bigint NOT NULL,
        PRIMARY KEY (project_id, campaign_id)
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TABLE deleted_codes;
      DELETE FROM vouchers WHERE deleted_at IS NOT NULL;
      ALTER TABLE vouchers DROP COLUMN deleted_at, ALTER COLUMN code_key SET NOT NULL`);
    await bin.down(runner);
  }
}
