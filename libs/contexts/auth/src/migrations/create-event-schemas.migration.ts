import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Schemas of custom events, and brandings, a row each. */
export class CreateEventSchemas1800100000000 implements MigrationInterface {
  readonly name = 'CreateEventSchemas1800100000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE event_schemas (
        project_id text COLLATE "C" NOT NULL,
        id text COLLATE "C" NOT NULL,
        name text COLLATE "C" NOT NULL,
        properties jsonb NOT NULL,
        created_at timestamptz NOT NULL,
        updated_at timestamptz,
        PRIMARY KEY (project_id, id),
        CONSTRAINT event_schemas_name UNIQUE (project_id, name)
      );
      CREATE TABLE brandings (
        project_id text COLLATE "C" PRIMARY KEY,
        id text COLLATE "C" NOT NULL,
        branding jsonb NOT NULL
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE brandings, event_schemas');
  }
}
