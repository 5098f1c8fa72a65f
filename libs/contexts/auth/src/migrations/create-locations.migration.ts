import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Locations of projects, a row each. */
export class CreateLocations1800200000000 implements MigrationInterface {
  readonly name = 'CreateLocations1800200000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE locations (
        project_id text COLLATE "C" NOT NULL,
        id text COLLATE "C" NOT NULL,
        name text NOT NULL,
        shape jsonb NOT NULL,
        created_at timestamptz NOT NULL,
        updated_at timestamptz,
        PRIMARY KEY (project_id, id)
      );
      CREATE INDEX locations_created_at ON locations (project_id, created_at, id)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE locations');
  }
}
