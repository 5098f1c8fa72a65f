import type { MigrationInterface, QueryRunner } from 'typeorm';

const filteredIndexes = (table: string): string => `
  CREATE INDEX ${table}_of_object ON ${table} (project_id, related_object_id, created_at DESC);
  CREATE INDEX ${table}_of_parent_object ON ${table} (project_id, related_object_parent_id, created_at DESC)
    WHERE related_object_parent_id IS NOT NULL;
  CREATE INDEX ${table}_failed ON ${table} (project_id, created_at DESC, id DESC) WHERE result = 'FAILURE';
  CREATE INDEX ${table}_of_failure ON ${table} (project_id, failure_code, created_at DESC)
    WHERE failure_code IS NOT NULL;
  CREATE INDEX ${table}_of_user ON ${table} (project_id, user_login, created_at DESC) WHERE user_login IS NOT NULL`;

/** The list of redemptions finds what it filters by through indexes. Source: ADR 63. */
export class ListFindsByIndex1800000000400 implements MigrationInterface {
  readonly name = 'ListFindsByIndex1800000000400';

  async up(runner: QueryRunner): Promise<void> {
    for (const table of ['redemptions', 'rollbacks']) await runner.query(filteredIndexes(table));
  }

  async down(runner: QueryRunner): Promise<void> {
    const kinds = ['of_object', 'of_parent_object', 'failed', 'of_failure', 'of_user'];
    const names = ['redemptions', 'rollbacks'].flatMap((table) => kinds.map((kind) => `${table}_${kind}`));
    await runner.query(`DROP INDEX ${names.join(', ')}`);
  }
}
