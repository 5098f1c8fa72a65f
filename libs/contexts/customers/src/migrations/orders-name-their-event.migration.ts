import type { MigrationInterface, QueryRunner } from 'typeorm';

/** An order's row names the event that holds the order. A claim's draft is written once and dropped when the claim is
 *  settled: by default a fifth of the table would be dead drafts before a vacuum runs. */
export class OrdersNameTheirEvent1764000000100 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE orders ADD COLUMN snapshot_version bigint, ADD COLUMN snapshot_at timestamptz;
      ALTER TABLE customers SET (fillfactor = 90);
      ALTER TABLE order_claims SET (autovacuum_vacuum_scale_factor = 0.01, toast.autovacuum_vacuum_scale_factor = 0.01)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE orders DROP COLUMN snapshot_version, DROP COLUMN snapshot_at;
      ALTER TABLE customers RESET (fillfactor);
      ALTER TABLE order_claims RESET (autovacuum_vacuum_scale_factor, toast.autovacuum_vacuum_scale_factor)`);
  }
}
