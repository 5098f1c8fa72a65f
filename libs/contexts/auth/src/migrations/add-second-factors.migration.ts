import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Second factors of users, and the codes for those who lost theirs. */
export class AddSecondFactors1797900000000 implements MigrationInterface {
  readonly name = 'AddSecondFactors1797900000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE second_factors (
        user_id text COLLATE "C" PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
        sealed_secret text NOT NULL,
        confirmed boolean NOT NULL DEFAULT false,
        last_step bigint NOT NULL DEFAULT 0
      )`);
    await runner.query(`
      CREATE TABLE backup_codes (
        user_id text COLLATE "C" NOT NULL REFERENCES second_factors (user_id) ON DELETE CASCADE,
        code_hash bytea NOT NULL,
        PRIMARY KEY (user_id, code_hash)
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE backup_codes, second_factors');
  }
}
