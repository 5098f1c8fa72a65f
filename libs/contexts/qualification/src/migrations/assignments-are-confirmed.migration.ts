import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Assignments wait until the owner of their object confirmed that it exists, and are found by the campaign of their object.
 *  Those of before are confirmed once too. Source: ADR 114. */
export class AssignmentsAreConfirmed1802200000114 implements MigrationInterface {
  readonly name = 'AssignmentsAreConfirmed1802200000114';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE rule_assignments
        ADD COLUMN campaign_id text COLLATE "C",
        ADD COLUMN unconfirmed_since timestamptz DEFAULT now();
      CREATE INDEX rule_assignments_campaign ON rule_assignments (project_id, campaign_id, id)
        WHERE campaign_id IS NOT NULL;
      CREATE INDEX rule_assignments_unconfirmed ON rule_assignments (unconfirmed_since, project_id, id)
        WHERE unconfirmed_since IS NOT NULL`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP INDEX rule_assignments_campaign, rule_assignments_unconfirmed;
      ALTER TABLE rule_assignments DROP COLUMN campaign_id, DROP COLUMN unconfirmed_since`);
  }
}
