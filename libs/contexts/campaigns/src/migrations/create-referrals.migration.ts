import { stateTableColumns } from '@scrip/event-store';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Table of who was referred in which campaign. */
export class CreateReferrals1802100000002 implements MigrationInterface {
  readonly name = 'CreateReferrals1802100000002';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE TABLE referrals (${stateTableColumns})`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE referrals');
  }
}
