import type { MigrationInterface, QueryRunner } from 'typeorm';

// Every text that may be an id: what a rule of before names is among them.
const namesOfStored = `
  UPDATE validation_rules SET names = ARRAY(
      SELECT DISTINCT text #>> '{}' FROM jsonb_path_query(
        jsonb_build_array(state #> '{rule,rules}', state #> '{rule,applicable_to}', state #> '{rule,bundle_rules}'),
        '$.** ? (@.type() == "string")') AS text)
    WHERE NOT deleted`;

/** Rules are found by what they name, and deletions of what rules can name are noted. Source: ADR 146. */
export class RulesTellWhatTheyName1803100000146 implements MigrationInterface {
  readonly name = 'RulesTellWhatTheyName1803100000146';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `ALTER TABLE validation_rules ADD COLUMN names text[] COLLATE "C" NOT NULL DEFAULT '{}'`,
    );
    await runner.query(namesOfStored);
    await runner.query(`
      CREATE INDEX validation_rules_names ON validation_rules USING gin (names) WHERE NOT deleted;
      CREATE TABLE deletion_notes (
        project_id text COLLATE "C" NOT NULL,
        name text COLLATE "C" NOT NULL,
        deletion_id text COLLATE "C" NOT NULL,
        until timestamptz NOT NULL,
        PRIMARY KEY (project_id, name, deletion_id)
      );
      CREATE INDEX deletion_notes_deletion ON deletion_notes (project_id, deletion_id)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE deletion_notes');
    await runner.query('ALTER TABLE validation_rules DROP COLUMN names');
  }
}
