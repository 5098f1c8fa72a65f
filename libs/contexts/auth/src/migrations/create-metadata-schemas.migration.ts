import { stateTableColumns } from '@scrip/event-store';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Metadata schemas, and how often those of a project changed: what other contexts keep schemas by. */
export class CreateMetadataSchemas1797200000000 implements MigrationInterface {
  readonly name = 'CreateMetadataSchemas1797200000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE metadata_schemas (
        ${stateTableColumns},
        related_object text COLLATE "C" NOT NULL,
        deleted boolean NOT NULL
      );
      CREATE UNIQUE INDEX metadata_schemas_related_object ON metadata_schemas (project_id, related_object)
        WHERE NOT deleted;
      CREATE TABLE metadata_schema_changes (
        project_id text COLLATE "C" PRIMARY KEY,
        count bigint NOT NULL
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE metadata_schema_changes, metadata_schemas');
  }
}
