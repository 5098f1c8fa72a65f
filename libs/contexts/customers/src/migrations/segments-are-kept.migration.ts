import type { MigrationInterface, QueryRunner } from 'typeorm';

/** How far the first members of an auto-update segment were found: customers up to the id `after`. No row: all of them. */
export class SegmentsAreKept1800000000900 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE segment_builds (
        project_id text COLLATE "C" NOT NULL,
        segment_id text COLLATE "C" NOT NULL,
        after text COLLATE "C" NOT NULL,
        PRIMARY KEY (project_id, segment_id)
      );
      INSERT INTO segment_builds
        SELECT project_id, id, '' FROM segments WHERE type = 'auto-update' AND NOT deleted`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE segment_builds');
  }
}
