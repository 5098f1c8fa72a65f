import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Projects that managers make, change and delete. */
export class AddProjectManagement1797300000000 implements MigrationInterface {
  readonly name = 'AddProjectManagement1797300000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE projects ADD COLUMN deleted boolean NOT NULL DEFAULT false');
    // Addresses of people, so beside the events.
    await runner.query(`
      CREATE TABLE project_notifications (
        project_id text COLLATE "C" PRIMARY KEY,
        callouts jsonb,
        usage jsonb
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE project_notifications');
    await runner.query('ALTER TABLE projects DROP COLUMN deleted');
  }
}
