import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What moved the credits of gift cards, an entry per movement. */
export class CreateVoucherTransactions1801300000004 implements MigrationInterface {
  readonly name = 'CreateVoucherTransactions1801300000004';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE voucher_transactions (
        project_id text COLLATE "C" NOT NULL,
        id text COLLATE "C" NOT NULL,
        type text COLLATE "C" NOT NULL,
        voucher_id text COLLATE "C" NOT NULL,
        campaign_id text COLLATE "C",
        source_id text,
        source text,
        reason text,
        amount bigint NOT NULL,
        total bigint NOT NULL,
        balance bigint NOT NULL,
        order_id text,
        order_source_id text,
        redemption_id text,
        rollback_id text,
        related_transaction_id text,
        created_at timestamptz NOT NULL,
        PRIMARY KEY (project_id, id)
      );
      CREATE INDEX voucher_transactions_voucher ON voucher_transactions (project_id, voucher_id, id);
      CREATE INDEX voucher_transactions_campaign ON voucher_transactions (project_id, campaign_id, id)
        WHERE campaign_id IS NOT NULL`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE voucher_transactions');
  }
}
