import type { MigrationInterface, QueryRunner } from 'typeorm';

// Read by segment alone. `source`, `segment`: JSON, the segment as the event left it.
const createSegmentActivities = `
  CREATE TABLE segment_activities (
    project_id text COLLATE "C" NOT NULL,
    segment_id text COLLATE "C" NOT NULL,
    id text COLLATE "C" NOT NULL,
    type text COLLATE "C" NOT NULL,
    created_at timestamptz NOT NULL,
    group_id text NOT NULL,
    source jsonb NOT NULL,
    segment jsonb NOT NULL,
    PRIMARY KEY (project_id, segment_id, id)
  );
  CREATE INDEX segment_activities_time ON segment_activities (project_id, segment_id, created_at, id)`;

/** Table of what became of segments. */
export class CreateSegmentActivities1800000003100 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(createSegmentActivities);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE segment_activities');
  }
}
