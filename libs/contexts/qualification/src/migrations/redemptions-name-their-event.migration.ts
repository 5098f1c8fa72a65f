import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A redemption's row names the event that holds the redemption. */
export class RedemptionsNameTheirEvent1800000000100 implements MigrationInterface {
  readonly name = 'RedemptionsNameTheirEvent1800000000100';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      'ALTER TABLE redemptions ADD COLUMN snapshot_version bigint, ADD COLUMN snapshot_at timestamptz',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE redemptions DROP COLUMN snapshot_version, DROP COLUMN snapshot_at');
  }
}
