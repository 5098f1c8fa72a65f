import { createDatabase } from '@scrip/testing';
import { DataSource } from 'typeorm';
import enqueuedV1 from '../tasks/fixtures/async-action-enqueued.v1.json';
import { CreateCampaigns1763700000000 } from './create-campaigns.migration';
import { TasksByKind1796000000001 } from './tasks-by-kind.migration';

const { async_action, work } = enqueuedV1.data;
const before = { async_action, work, started_at: null };

describe('tasks that were stored before they had a kind', () => {
  let database: DataSource;

  beforeAll(async () => {
    database = new DataSource({ type: 'postgres', url: await createDatabase('tasks_by_kind') });
    await database.initialize();
  });
  afterAll(() => database?.destroy());

  const state = async () => (await database.query<{ state: unknown }[]>('SELECT state FROM tasks'))[0]?.state;

  it('keep what they are to do beside their state, and get it back', async () => {
    const runner = database.createQueryRunner();
    const migration = new TasksByKind1796000000001();
    await new CreateCampaigns1763700000000().up(runner);
    await runner.query(
      `INSERT INTO tasks (project_id, id, version, epoch, last_ord, state, status, campaign_id, created_at)
       VALUES ('p', 'aa_c1', 1, 1, '1'::xid8, $1, 'ENQUEUED', 'camp_1', now())`,
      [before],
    );
    await runner.query(`INSERT INTO voucher_definitions VALUES ('p', 'vd_1', $1)`, [work.template]);

    await migration.up(runner);
    expect(await state()).toEqual({
      ...before,
      work: { kind: 'CAMPAIGN.VOUCHERS_GENERATE', campaign_id: 'camp_1', count: work.count },
    });
    const { definition_id, code_config, initial } = work;
    expect(await runner.query('SELECT * FROM task_payloads')).toEqual([
      { project_id: 'p', task_id: 'aa_c1', payload: { definition_id, code_config, initial } },
    ]);

    await migration.down(runner);
    expect(await state()).toEqual(before);
    await runner.release();
  });
});
