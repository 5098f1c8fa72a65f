import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Which server keys are those of integrations. */
export class AddIntegrationKeys1802125000000 implements MigrationInterface {
  readonly name = 'AddIntegrationKeys1802125000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `ALTER TABLE application_keys ADD COLUMN integration boolean NOT NULL DEFAULT false
         CHECK (kind = 'server' OR NOT integration)`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE application_keys DROP COLUMN integration');
  }
}
