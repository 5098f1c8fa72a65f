import { stateTableColumns } from '@scrip/event-store';
import type { MigrationInterface, QueryRunner } from 'typeorm';

// A membership is a row of its own: a segment can have as many members as there are customers.
const createSegments = `
  CREATE TABLE segments (${stateTableColumns},
    name text COLLATE "C" NOT NULL,
    type text COLLATE "C" NOT NULL CHECK (type IN ('static', 'passive', 'auto-update')),
    deleted boolean NOT NULL,
    created_at timestamptz NOT NULL
  );
  CREATE INDEX segments_created ON segments (project_id, created_at, id) WHERE NOT deleted;
  CREATE INDEX segments_dynamic ON segments (project_id, type) WHERE NOT deleted AND type <> 'static';
  CREATE TABLE segment_members (
    project_id text COLLATE "C" NOT NULL,
    segment_id text COLLATE "C" NOT NULL,
    customer_id text COLLATE "C" NOT NULL,
    PRIMARY KEY (project_id, segment_id, customer_id)
  );
  CREATE INDEX segment_members_customer ON segment_members (project_id, customer_id, segment_id)`;

/** Tables of segments and of who belongs to them. */
export class CreateSegments1800000000600 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(createSegments);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE segments, segment_members');
  }
}
