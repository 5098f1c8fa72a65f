import type { MigrationInterface, QueryRunner } from 'typeorm';
import { counterTablesSql } from '../limits/counter.table';

/** Counters of limits. */
export class CreateLimitCounters1800000000200 implements MigrationInterface {
  readonly name = 'CreateLimitCounters1800000000200';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(counterTablesSql);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE limit_counters, limit_scopes');
  }
}
