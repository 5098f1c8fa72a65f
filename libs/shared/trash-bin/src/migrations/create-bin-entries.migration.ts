import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The bin of a context, for its migrations. */
export class CreateBinEntries implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE bin_entries (
        project_id text COLLATE "C" NOT NULL,
        id text COLLATE "C" NOT NULL,
        created_at timestamptz NOT NULL,
        deleted_by_user_id text,
        resource_id text COLLATE "C" NOT NULL,
        resource_type text COLLATE "C" NOT NULL,
        resource_name text COLLATE "C" NOT NULL,
        resource_parent_id text COLLATE "C",
        PRIMARY KEY (project_id, id)
      );
      CREATE UNIQUE INDEX bin_entries_resource ON bin_entries (project_id, resource_id, resource_type);
      CREATE INDEX bin_entries_type ON bin_entries (project_id, resource_type, id);
      CREATE INDEX bin_entries_name ON bin_entries (project_id, resource_name, id);
      CREATE INDEX bin_entries_parent ON bin_entries (project_id, resource_parent_id)
        WHERE resource_parent_id IS NOT NULL`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE bin_entries');
  }
}
