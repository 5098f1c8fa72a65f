import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Table of deleted campaigns and vouchers, whose redemptions lists leave out. */
export class CreateDeletedObjects1802300000013 implements MigrationInterface {
  readonly name = 'CreateDeletedObjects1802300000013';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE deleted_objects (
        project_id text COLLATE "C" NOT NULL,
        object_id text COLLATE "C" NOT NULL,
        PRIMARY KEY (project_id, object_id)
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE deleted_objects');
  }
}
