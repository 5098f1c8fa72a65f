import type { MigrationInterface, QueryRunner } from 'typeorm';

// `claim_id`: the claim that uses the hold up; it is not counted meanwhile. `generation`: another one with each validation.
const holds = `
  CREATE TABLE voucher_holds (
    project_id text COLLATE "C" NOT NULL,
    voucher_id text COLLATE "C" NOT NULL,
    session_key text COLLATE "C" NOT NULL,
    generation text COLLATE "C" NOT NULL,
    uses int NOT NULL,
    credits bigint NOT NULL,
    expires_at timestamptz NOT NULL,
    claim_id text COLLATE "C",
    PRIMARY KEY (project_id, voucher_id, session_key)
  );
  CREATE INDEX voucher_holds_session ON voucher_holds (project_id, session_key);
  CREATE INDEX voucher_holds_counted ON voucher_holds (project_id, voucher_id, expires_at) WHERE claim_id IS NULL;
  CREATE INDEX voucher_holds_claimed ON voucher_holds (project_id, voucher_id, claim_id) WHERE claim_id IS NOT NULL;
  CREATE INDEX voucher_holds_expiry ON voucher_holds (expires_at)`;

/** What sessions hold of vouchers. */
export class CreateVoucherHolds1803100000160 implements MigrationInterface {
  readonly name = 'CreateVoucherHolds1803100000160';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(holds);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE voucher_holds');
  }
}
