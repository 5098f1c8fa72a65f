import type { MigrationInterface, QueryRunner } from 'typeorm';

/** When keys were used last. */
export class AddKeyUse1800300000000 implements MigrationInterface {
  readonly name = 'AddKeyUse1800300000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE application_keys ADD COLUMN last_used_at timestamptz;
      ALTER TABLE management_keys ADD COLUMN last_used_at timestamptz`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE management_keys DROP COLUMN last_used_at;
      ALTER TABLE application_keys DROP COLUMN last_used_at`);
  }
}
