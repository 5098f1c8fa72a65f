import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Counters of unit budgets. Source: reference 01 §6. */
export class LimitCountersCountUnits1802900000140 implements MigrationInterface {
  readonly name = 'LimitCountersCountUnits1802900000140';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE limit_counters ADD COLUMN units bigint NOT NULL DEFAULT 0');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE limit_counters DROP COLUMN units');
  }
}
