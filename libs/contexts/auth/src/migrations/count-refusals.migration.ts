import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Refusals of the hour, by action, user and network: the audit trail tells them together. */
export class CountRefusals1800900000000 implements MigrationInterface {
  readonly name = 'CountRefusals1800900000000';

  async up(runner: QueryRunner): Promise<void> {
    // Of no user: an empty user_id. Of any further network: an empty network.
    await runner.query(`
      CREATE TABLE audit_refusals (
        hour timestamptz NOT NULL,
        action text COLLATE "C" NOT NULL,
        user_id text COLLATE "C" NOT NULL,
        network text COLLATE "C" NOT NULL,
        times integer NOT NULL,
        first_at timestamptz NOT NULL,
        last_at timestamptz NOT NULL,
        first_entry jsonb NOT NULL,
        PRIMARY KEY (hour, action, user_id, network)
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE audit_refusals');
  }
}
