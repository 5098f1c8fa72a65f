import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Tasks say which kind of work they are; what the work needs lies beside them. */
export class TasksByKind1796000000001 implements MigrationInterface {
  readonly name = 'TasksByKind1796000000001';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE task_payloads (
        project_id text COLLATE "C" NOT NULL,
        task_id text COLLATE "C" NOT NULL,
        payload jsonb NOT NULL,
        PRIMARY KEY (project_id, task_id)
      );
      INSERT INTO task_payloads SELECT project_id, id, jsonb_build_object('definition_id', state->'work'->'definition_id',
          'code_config', state->'work'->'code_config', 'initial', state->'work'->'initial')
        FROM tasks;
      UPDATE tasks SET state = jsonb_set(state, '{work}', jsonb_build_object('kind', 'CAMPAIGN.VOUCHERS_GENERATE',
        'campaign_id', state->'work'->'campaign_id', 'count', state->'work'->'count'));
      ALTER TABLE tasks ALTER COLUMN campaign_id DROP NOT NULL`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE tasks ALTER COLUMN campaign_id SET NOT NULL;
      UPDATE tasks t SET state = jsonb_set(t.state, '{work}',
        (t.state->'work') - 'kind' || p.payload || jsonb_build_object('template', d.template))
        FROM task_payloads p, voucher_definitions d
        WHERE p.project_id = t.project_id AND p.task_id = t.id
          AND d.project_id = p.project_id AND d.id = p.payload->>'definition_id';
      DROP TABLE task_payloads`);
  }
}
