import { inPortions } from '@scrip/service';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Vouchers with a state of their own name the first revision of their definition, some rows in a transaction: no caller waits
 *  long for a row. Interrupted, it begins anew and changes what is left. */
export class UsedVouchersNameTheirRevision1801200000011 implements MigrationInterface {
  readonly name = 'UsedVouchersNameTheirRevision1801200000011';
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await inPortions(runner, {
      table: 'vouchers',
      key: ['project_id', 'id'],
      sql: `UPDATE vouchers v SET definition_revision = 1 FROM portion u
            WHERE v.project_id = u.project_id AND v.id = u.id AND v.state IS NOT NULL AND v.definition_id IS NOT NULL
              AND v.definition_revision IS NULL`,
    });
  }

  down(): Promise<void> {
    return Promise.resolve();
  }
}
