import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Which filters of other contexts refer to locations, and which changes of locations these contexts were not told of yet. */
export class CreateLocationUses1800600000000 implements MigrationInterface {
  readonly name = 'CreateLocationUses1800600000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE SEQUENCE location_notes;
      CREATE TABLE location_uses (
        project_id text COLLATE "C" NOT NULL,
        location_id text COLLATE "C" NOT NULL,
        used_by text COLLATE "C" NOT NULL,
        user_id text COLLATE "C" NOT NULL,
        note bigint NOT NULL DEFAULT nextval('location_notes'),
        PRIMARY KEY (project_id, location_id, used_by, user_id),
        FOREIGN KEY (project_id, location_id) REFERENCES locations (project_id, id)
      );
      CREATE TABLE location_changes (
        project_id text COLLATE "C" NOT NULL,
        location_id text COLLATE "C" NOT NULL,
        note bigint NOT NULL DEFAULT nextval('location_notes'),
        PRIMARY KEY (project_id, location_id)
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE location_changes, location_uses; DROP SEQUENCE location_notes');
  }
}
