import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What customers consent to, sealed, in the row of the key: the deletion of that row takes it along. */
export class CustomersHaveConsents1800000002160 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE customer_keys ADD COLUMN consents text');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE customer_keys DROP COLUMN consents');
  }
}
