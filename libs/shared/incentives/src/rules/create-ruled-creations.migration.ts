import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Which creations of objects with rules came to their end, of a context, for its migrations. Source: ADR 114. */
export class CreateRuledCreations implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE ruled_creations (
        project_id text COLLATE "C" NOT NULL,
        id text COLLATE "C" NOT NULL,
        given_up boolean NOT NULL,
        PRIMARY KEY (project_id, id)
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE ruled_creations');
  }
}
