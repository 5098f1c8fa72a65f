import { stateTableColumns } from '@scrip/event-store';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The state table of show pieces. */
export class CreateShowPieces1700000000000 implements MigrationInterface {
  readonly name = 'CreateShowPieces1700000000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE show_pieces (
        ${stateTableColumns},
        name text COLLATE "C" NOT NULL,
        created_at timestamptz NOT NULL
      );
      CREATE UNIQUE INDEX show_pieces_name ON show_pieces (project_id, name);
      CREATE INDEX show_pieces_created ON show_pieces (project_id, created_at, id)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE show_pieces');
  }
}
