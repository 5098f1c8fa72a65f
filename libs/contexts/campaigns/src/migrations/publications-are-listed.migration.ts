import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Lists of publications find failures, and both results of a source id, by index. */
export class PublicationsAreListed1801600000006 implements MigrationInterface {
  readonly name = 'PublicationsAreListed1801600000006';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE INDEX publications_of_source_id ON publications (project_id, source_id) WHERE source_id IS NOT NULL;
      CREATE INDEX publications_failed ON publications (project_id, created_at, id) WHERE result = 'FAILURE'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX publications_of_source_id, publications_failed');
  }
}
