import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The trace that a delivery belongs to. */
export class AddTraceToSendouts1795200000000 implements MigrationInterface {
  readonly name = 'AddTraceToSendouts1795200000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE sendout_payloads ADD COLUMN traceparent text COLLATE "C"`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE sendout_payloads DROP COLUMN traceparent');
  }
}
