import type { MigrationInterface, QueryRunner } from 'typeorm';

// `parameters` are sealed: filters may name people. `file_name` and `wrapped_key` are of the last attempt, and null where there
// was none, or where an erasure took them: then the attempt cannot end.
const createExports = `
  CREATE TABLE exports (
    project_id text COLLATE "C" NOT NULL,
    id text COLLATE "C" NOT NULL,
    exported_object text COLLATE "C" NOT NULL,
    parameters text NOT NULL,
    tells_of_people boolean NOT NULL,
    status text COLLATE "C" NOT NULL CHECK (status IN ('SCHEDULED', 'IN_PROGRESS', 'DONE', 'ERROR')),
    channel text COLLATE "C" NOT NULL,
    user_id text COLLATE "C",
    file_name text COLLATE "C",
    wrapped_key text,
    created_at timestamptz NOT NULL,
    stored_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT exports_pkey PRIMARY KEY (project_id, id)
  );
  CREATE INDEX exports_created ON exports (project_id, created_at, id);
  CREATE INDEX exports_status ON exports (project_id, status, id);
  CREATE INDEX exports_people ON exports (project_id) WHERE tells_of_people;
  CREATE INDEX exports_stored ON exports (stored_at);
  CREATE UNIQUE INDEX exports_file ON exports (file_name)`;

/** The exports of all projects. */
export class CreateExports1797400000000 implements MigrationInterface {
  readonly name = 'CreateExports1797400000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(createExports);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE exports');
  }
}
