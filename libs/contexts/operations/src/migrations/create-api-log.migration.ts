import type { MigrationInterface, QueryRunner } from 'typeorm';

// A partition for each day, which `ApiLogPartitions` makes and drops. There is no default one: rows in it would keep the partition of
// their day from being made, and attaching would lock it. The key is the only index: it finds and orders the calls of a project.
const createApiLog = `
  CREATE TABLE api_log (
    project_id text COLLATE "C" NOT NULL,
    created_at timestamptz NOT NULL,
    id text COLLATE "C" NOT NULL,
    status smallint,
    request_id text COLLATE "C" NOT NULL,
    channel text COLLATE "C" NOT NULL,
    method text COLLATE "C" NOT NULL,
    endpoint text COLLATE "C",
    url text COLLATE "C" NOT NULL,
    app_id text COLLATE "C",
    client_app_id text COLLATE "C",
    PRIMARY KEY (project_id, created_at, id)
  ) PARTITION BY RANGE (created_at)`;

/** The calls of all projects. */
export class CreateApiLog1803200000151 implements MigrationInterface {
  readonly name = 'CreateApiLog1803200000151';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(createApiLog);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE api_log');
  }
}
