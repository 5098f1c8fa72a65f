import { stateTableColumns } from '@scrip/event-store';
import type { MigrationInterface, QueryRunner } from 'typeorm';

const rules = `
  CREATE TABLE validation_rules (${stateTableColumns},
    name text COLLATE "C" NOT NULL,
    deleted boolean NOT NULL,
    created_at timestamptz NOT NULL,
    updated_at timestamptz
  );
  CREATE INDEX validation_rules_created ON validation_rules (project_id, created_at, id) WHERE NOT deleted;
  CREATE INDEX validation_rules_updated ON validation_rules (project_id, updated_at DESC NULLS LAST, id DESC)
    WHERE NOT deleted;
  CREATE INDEX validation_rules_name ON validation_rules (project_id, name, id) WHERE NOT deleted`;

// An assignment is a row of its own: a rule can be assigned to as many vouchers as there are.
const assignments = `
  CREATE TABLE rule_assignments (
    project_id text COLLATE "C" NOT NULL,
    id text COLLATE "C" NOT NULL,
    rule_id text COLLATE "C" NOT NULL,
    related_object_type text COLLATE "C" NOT NULL,
    related_object_id text COLLATE "C" NOT NULL,
    created_at timestamptz NOT NULL,
    PRIMARY KEY (project_id, id)
  );
  CREATE UNIQUE INDEX rule_assignments_once ON rule_assignments
    (project_id, related_object_id, related_object_type, rule_id);
  CREATE INDEX rule_assignments_created ON rule_assignments (project_id, created_at, id);
  CREATE INDEX rule_assignments_rule ON rule_assignments (project_id, rule_id, created_at, id)`;

/** Tables of validation rules and of what they are assigned to. */
export class CreateRules1800000000500 implements MigrationInterface {
  readonly name = 'CreateRules1800000000500';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(rules);
    await runner.query(assignments);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE rule_assignments, validation_rules');
  }
}
