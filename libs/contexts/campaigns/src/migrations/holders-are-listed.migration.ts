import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Lists find the holders of a code by id, time and role; referees have metadata. */
export class HoldersAreListed1802100000001 implements MigrationInterface {
  readonly name = 'HoldersAreListed1802100000001';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE holders ADD COLUMN metadata jsonb;
      CREATE INDEX holders_listed ON holders (project_id, voucher_id, id);
      CREATE INDEX holders_created ON holders (project_id, voucher_id, created_at);
      CREATE INDEX holders_giving ON holders (project_id, voucher_id) WHERE role <> 'REFEREE'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      'DROP INDEX holders_listed, holders_created, holders_giving; ALTER TABLE holders DROP COLUMN metadata',
    );
  }
}
