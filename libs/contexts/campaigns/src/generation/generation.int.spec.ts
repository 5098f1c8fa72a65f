import type { CampaignEvent, CampaignSnapshot } from '@scrip/contracts/campaigns';
import { Fault, isRefused } from '@scrip/kernel';
import { TaskJobs, TaskPruner } from '@scrip/tasks';
import { waitUntil } from '@scrip/testing';
import { campaignAggregate } from '../campaign/campaign.aggregate';
import {
  type Answer,
  bootCampaigns,
  caller,
  type CampaignsFixture,
  claimOn,
  coupons,
  foldingProject,
  project,
  requestOf,
} from '../campaigns.fixture';
import { CampaignWorkReads } from '../tasks/campaign-work.reads';
import { laneOf } from './generation-lane';
import { GenerationSteps, type GenerationTask } from './generation-steps';

const settled = { timeoutMs: 90_000 };

describe('generation of codes', () => {
  let fixture: CampaignsFixture;

  beforeAll(async () => {
    fixture = await bootCampaigns();
  });
  afterAll(() => fixture?.running.close());

  const taskOf = async (
    campaignId: string,
  ): Promise<{ id: string; status: string; operation_status: string; result: unknown }> => {
    const [row] = await fixture.database.query<{ id: string }[]>(
      'SELECT id FROM tasks WHERE campaign_id = $1',
      [campaignId],
    );
    const task = await fixture.port.loadAsyncAction(caller(), { id: row?.id ?? '' });
    return task as never;
  };
  const finished = (campaignId: string): Promise<unknown> =>
    waitUntil(
      async () =>
        (await fixture.call('GET', `/v1/campaigns/${campaignId}`)).body.creation_status !== 'IN_PROGRESS',
      {
        what: 'the end of the generation',
        ...settled,
      },
    );
  /** Until none of the tasks of a campaign is open: one ends behind what it does to its campaign. */
  const tasksEnded = (campaignId: string): Promise<unknown> =>
    waitUntil(
      async () => {
        const open = await fixture.database.query<object[]>(
          `SELECT 1 FROM tasks WHERE campaign_id = $1 AND status NOT IN ('DONE', 'FAILED')`,
          [campaignId],
        );
        return open.length === 0;
      },
      { what: 'the end of the tasks', ...settled },
    );
  const codesOf = async (campaignId: string): Promise<string[]> => {
    const rows = await fixture.database.query<{ code: string }[]>(
      'SELECT code FROM vouchers WHERE campaign_id = $1 ORDER BY code',
      [campaignId],
    );
    return rows.map(({ code }) => code);
  };

  it('makes the codes of a code order after the answer', async () => {
    const created = await fixture.call(
      'POST',
      '/v1/campaigns',
      coupons('thousand', { vouchers_count: 1_000 }),
    );
    expect(created.body).toMatchObject({
      vouchers_count: 0,
      creation_status: 'IN_PROGRESS',
      vouchers_generation_status: 'IN_PROGRESS',
    });
    await finished(created.body.id);
    const campaign = await fixture.call('GET', '/v1/campaigns/thousand');
    expect(campaign.body).toMatchObject({
      vouchers_count: 1_000,
      creation_status: 'DONE',
      vouchers_generation_status: 'DONE',
    });
    const codes = await codesOf(created.body.id);
    expect(new Set(codes).size).toBe(1_000);
    expect(codes.every((code) => /^[0-9a-zA-Z]{8}$/.test(code))).toBe(true);
    await waitUntil(async () => (await taskOf(created.body.id)).status === 'DONE', {
      what: 'the task',
      ...settled,
    });
    expect(await taskOf(created.body.id)).toMatchObject({
      type: 'CAMPAIGN.VOUCHERS_GENERATE',
      operation_status: 'SUCCESS',
      progress: 100,
      result: { message: 'Generated 1000 vouchers.', done_count: 1_000 },
    });
  });

  it.each([
    ['without the event of its task, which a broker that is away holds back', 'add'],
    ['when who ordered them ended before it added the job', 'hurry'],
  ] as const)('makes codes %s', async (name, cut) => {
    const jobs = fixture.get(TaskJobs);
    const { add } = jobs;
    const spy =
      cut === 'hurry'
        ? jest.spyOn(jobs, 'hurry').mockResolvedValue()
        : jest.spyOn(jobs, 'add').mockImplementation(async (tasks, manager) => {
            if (manager) throw new Fault('unavailable', 'the broker is away');
            return add.call(jobs, tasks);
          });
    try {
      const created = await fixture.call('POST', '/v1/campaigns', coupons(name, { vouchers_count: 10 }));
      await finished(created.body.id);
      const more = await fixture.call(
        'POST',
        `/v1/campaigns/${created.body.id}/vouchers?vouchers_count=5`,
        {},
      );
      expect(more.body).toHaveProperty('async_action_id');
      await waitUntil(async () => (await codesOf(created.body.id)).length === 15, {
        what: 'the codes ordered later',
        ...settled,
      });
      await tasksEnded(created.body.id);
    } finally {
      spy.mockRestore();
    }
  });

  it('keeps what a task needs until it ends, done or failed', async () => {
    const config = { code_config: { pattern: 'LEFT-#', charset: '0123456789' } };
    for (const [name, vouchers_count, status] of [
      ['left 1', 10, 'DONE'],
      ['left 2', 2, 'FAILED'],
    ] as const) {
      const made = await fixture.call('POST', '/v1/campaigns', coupons(name, { vouchers_count }, config));
      expect(made.body).toMatchObject({ creation_status: 'IN_PROGRESS' });
      const payloads = () =>
        fixture.database.query<unknown[]>(
          `SELECT t.status FROM tasks t LEFT JOIN task_payloads p ON p.project_id = t.project_id AND p.task_id = t.id
           WHERE t.campaign_id = $1 AND (p.task_id IS NULL) = (t.status IN ('DONE', 'FAILED'))`,
          [made.body.id],
        );
      await waitUntil(
        async () => {
          expect(await payloads()).toHaveLength(1);
          return (await taskOf(made.body.id)).status === status;
        },
        { what: 'the task', ...settled },
      );
      expect(await payloads()).toEqual([{ status }]);
    }
  });

  it('has what other releases left of ended tasks taken away, and nothing else', async () => {
    const ended = await fixture.database.query<{ id: string }[]>(
      `SELECT id FROM tasks WHERE status IN ('DONE', 'FAILED') LIMIT 2`,
    );
    await fixture.database.query(`INSERT INTO task_payloads SELECT $1, unnest($2::text[]), '{}'`, [
      project.id,
      [...ended.map(({ id }) => id), 'aa_c_waiting'],
    ]);
    await fixture.database.query(
      `INSERT INTO tasks (project_id, id, version, epoch, last_ord, state, status, created_at)
       VALUES ($1, 'aa_c_waiting', 1, 1, '1'::xid8, '{}', 'ENQUEUED', now())`,
      [project.id],
    );
    await fixture.get(TaskPruner).prune();
    expect(await fixture.database.query('SELECT task_id FROM task_payloads')).toEqual([
      { task_id: 'aa_c_waiting' },
    ]);
    await fixture.database.query(`DELETE FROM task_payloads WHERE task_id = 'aa_c_waiting'`);
    await fixture.database.query(`DELETE FROM tasks WHERE id = 'aa_c_waiting'`);
  });

  it('takes every code there is', async () => {
    const config = { code_config: { pattern: 'TEN-#', charset: '0123456789' } };
    const ten = await fixture.call('POST', '/v1/campaigns', coupons('ten', { vouchers_count: 10 }, config));
    const eleven = await fixture.call(
      'POST',
      '/v1/campaigns',
      coupons('eleven', { vouchers_count: 11 }, config),
    );
    expect(eleven.body).toMatchObject({ code: 400, key: 'invalid_code_config' });
    await finished(ten.body.id);
    expect(await codesOf(ten.body.id)).toEqual(Array.from({ length: 10 }, (_, digit) => `TEN-${digit}`));
  });

  it('fails when codes held elsewhere leave too few', async () => {
    const config = { code_config: { pattern: 'FEW-#', charset: '0123456789' } };
    const first = await fixture.call(
      'POST',
      '/v1/campaigns',
      coupons('few 1', { vouchers_count: 4 }, config),
    );
    await finished(first.body.id);
    const second = await fixture.call(
      'POST',
      '/v1/campaigns',
      coupons('few 2', { vouchers_count: 7 }, config),
    );
    await finished(second.body.id);
    const campaign = await fixture.call('GET', `/v1/campaigns/${second.body.id}`);
    expect(campaign.body).toMatchObject({
      creation_status: 'FAILED',
      vouchers_count: 6,
      vouchers_count_invalid: 1,
    });
    await waitUntil(async () => (await taskOf(second.body.id)).status === 'FAILED', {
      what: 'the task',
      ...settled,
    });
    expect(await taskOf(second.body.id)).toMatchObject({
      operation_status: 'FAILED',
      result: { done_count: 6, error: 'No free codes are left.' },
    });
  });

  it('adds codes to a campaign that exists, one code order after another', async () => {
    const created = await fixture.call('POST', '/v1/campaigns', coupons('more'));
    expect(created.body).toMatchObject({ vouchers_count: 0, creation_status: 'DONE' });
    const path = `/v1/campaigns/${created.body.id}/vouchers`;
    const codeOrders = await Promise.all([
      fixture.call('POST', `${path}?vouchers_count=20`, { metadata: { from: 'order' } }),
      fixture.call('POST', `${path}?vouchers_count=30`, { code_config: { prefix: 'NEXT-' } }),
    ]);
    expect(codeOrders.map(({ status }) => status)).toEqual([202, 202]);
    for (const { body } of codeOrders) {
      await waitUntil(
        async () => {
          const task = await fixture.port.loadAsyncAction(caller(), { id: body.async_action_id });
          return 'status' in task && task.status === 'DONE';
        },
        { what: 'a code order', ...settled },
      );
    }
    const campaign = await fixture.call('GET', path.replace('/vouchers', ''));
    expect(campaign.body).toMatchObject({
      vouchers_count: 50,
      creation_status: 'DONE',
      vouchers_generation_status: 'DONE',
    });
    const list = await fixture.call('GET', `/v1/vouchers?campaign=more&limit=100`);
    expect(list.body.total).toBe(50);
    const marked = list.body.vouchers.filter(({ metadata }: { metadata: object }) => 'from' in metadata);
    const prefixed = list.body.vouchers.filter(({ code }: { code: string }) => code.startsWith('NEXT-'));
    expect([marked.length, prefixed.length]).toEqual([20, 30]);
    const log = await fixture.events.readStream('campaign', 'proj_1', created.body.id);
    expect(log.map(({ type }) => type)).toEqual([
      'CampaignCreated',
      'VoucherGenerationStarted',
      'VouchersGenerated',
      'VoucherGenerationCompleted',
      'CampaignVouchersAdded',
      'VoucherGenerationStarted',
      'VouchersGenerated',
      'VoucherGenerationCompleted',
      'CampaignVouchersAdded',
    ]);
  });

  it('leaves an import the room that is left, and tells which rows are beyond it', async () => {
    const { body } = await fixture.call('POST', '/v1/campaigns', coupons('room'));
    const count = (codes: number) =>
      fixture.database.query(
        `UPDATE campaigns SET state = jsonb_set(state, '{generated}', to_jsonb((state->>'generated')::int + $2::int))
         WHERE id = $1`,
        [body.id, codes],
      );
    await count(99_999);
    const sent = [{ code: 'ROOM-1' }, { code: 'ROOM-2' }];
    const { body: order } = await fixture.call('POST', `/v1/campaigns/${body.id}/import`, sent);
    const task = await waitUntil(
      async () => {
        const found = await fixture.port.loadAsyncAction(caller(), { id: order.async_action_id });
        return 'status' in found && found.status === 'DONE' && found;
      },
      { what: 'the import', ...settled },
    );
    await count(-99_999);
    const details = 'A campaign holds at most 100000 codes.';
    expect(task).toMatchObject({
      result: { done_count: 1, failed_count: 1 },
      failures: { results: [{ identifier: 'ROOM-2', failure: { key: 'invalid_campaign', details } }] },
    });
    expect(await codesOf(body.id)).toEqual(['ROOM-1']);
  });

  it('does not make codes that differ in case alone where the project does not tell them apart', async () => {
    const keys = { 'x-app-token': foldingProject.id };
    const config = { code_config: { pattern: 'Fold-##', charset: 'abAB' } };
    const created = await fixture.call(
      'POST',
      '/v1/campaigns',
      coupons('fold', { vouchers_count: 4 }, config),
      keys,
    );
    await waitUntil(
      async () =>
        (await fixture.call('GET', '/v1/campaigns/fold', undefined, keys)).body.creation_status === 'DONE',
      { what: 'the codes', ...settled },
    );
    expect(await codesOf(created.body.id)).toEqual(['Fold-aa', 'Fold-ab', 'Fold-ba', 'Fold-bb']);
    const five = await fixture.call(
      'POST',
      '/v1/campaigns',
      coupons('five', { vouchers_count: 5 }, config),
      keys,
    );
    expect(five.body.key).toBe('invalid_code_config');
  });

  it('lets a small code order behind a huge one finish first', async () => {
    const steps = fixture.get(GenerationSteps);
    const { advance } = steps;
    let goOn: () => void = () => undefined;
    const isSmallDone = new Promise<void>((resolve) => (goOn = resolve));
    const hold = jest.spyOn(steps, 'advance').mockImplementation(async (of, task) => {
      if (task.work.count === 60_000) await isSmallDone;
      return advance.call(steps, of, task);
    });
    try {
      const huge = await fixture.call('POST', '/v1/campaigns', coupons('huge', { vouchers_count: 60_000 }));
      await waitUntil(() => hold.mock.calls.length > 0, { what: 'the huge one to begin' });
      let small: Answer;
      let made = 0;
      // A few campaigns share a lane, where one waits for a portion of another.
      do
        small = await fixture.call(
          'POST',
          '/v1/campaigns',
          coupons(`small ${(made += 1)}`, { vouchers_count: 10 }),
        );
      while (laneOf(small.body.id) === laneOf(huge.body.id));
      await finished(small.body.id);
      expect((await fixture.call('GET', `/v1/campaigns/${huge.body.id}`)).body.creation_status).toBe(
        'IN_PROGRESS',
      );
      goOn();
      await finished(huge.body.id);
      expect((await fixture.call('GET', `/v1/campaigns/${huge.body.id}`)).body.vouchers_count).toBe(60_000);
    } finally {
      goOn();
      hold.mockRestore();
    }
  });

  it('fails a code order that it gives up while the campaign is at another one', async () => {
    const { body } = await fixture.call('POST', '/v1/campaigns', coupons('blocked'));
    const campaigns = fixture.events.aggregate(campaignAggregate);
    const started = (campaign: CampaignSnapshot): CampaignEvent => ({
      type: 'VoucherGenerationStarted',
      data: {
        async_action_id: 'aa_lost',
        count: 2,
        initial: false,
        started_at: campaign.created_at,
        campaign,
      },
    });
    await campaigns.execute<null>({
      context: caller(),
      streamId: body.id,
      decide: (state) => ({ events: [started(state!.campaign)], answer: null }),
    });
    const codeOrder = await fixture.call('POST', '/v1/campaigns/blocked/vouchers?vouchers_count=3', {});
    const steps = fixture.get(GenerationSteps);
    const campaign = { project_id: project.id, campaign_id: body.id };
    const work = fixture.get(CampaignWorkReads);
    const task = await work.oldestUnfinished(campaign);
    expect(task?.async_action.id).toBe(codeOrder.body.async_action_id);
    await steps.giveUp(project, task as GenerationTask);
    expect(
      await fixture.port.loadAsyncAction(caller(), { id: codeOrder.body.async_action_id }),
    ).toMatchObject({
      status: 'FAILED',
      result: { done_count: 0, error: 'The codes could not be stored.' },
    });
    expect(await work.oldestUnfinished(campaign)).toBeUndefined();
  });

  it('goes on with the code order under way before an older one that came to light later', async () => {
    const insert = `
      WITH payload AS (INSERT INTO task_payloads VALUES ('proj_lane', $1, '{"initial": true}'))
      INSERT INTO tasks (project_id, id, version, epoch, last_ord, state, status, campaign_id, created_at)
      VALUES ('proj_lane', $1, 1, 0, '1',
        jsonb_build_object('id', $1::text, 'work', '{"kind": "CAMPAIGN.VOUCHERS_GENERATE"}'::jsonb),
        $2, 'camp_lane', $3)`;
    await fixture.database.query(insert, ['aa_older', 'ENQUEUED', '2026-01-01']);
    await fixture.database.query(insert, ['aa_younger', 'IN_PROGRESS', '2026-01-02']);
    const campaign = { project_id: 'proj_lane', campaign_id: 'camp_lane' };
    expect(await fixture.get(CampaignWorkReads).oldestUnfinished(campaign)).toEqual({
      id: 'aa_younger',
      work: { kind: 'CAMPAIGN.VOUCHERS_GENERATE' },
      payload: { initial: true },
    });
    for (const table of ['tasks', 'task_payloads'])
      await fixture.database.query(`DELETE FROM ${table} WHERE project_id = 'proj_lane'`);
  });

  it('counts a code of a code order once, also when the voucher has a history of its own', async () => {
    const created = await fixture.call('POST', '/v1/campaigns', coupons('history', { vouchers_count: 3 }));
    await finished(created.body.id);
    const listed = await fixture.call('GET', `/v1/vouchers?campaign_id=${created.body.id}`);
    const claimed = await fixture.port.claim(caller(), requestOf(claimOn(listed.body.vouchers[0].id)));
    expect(isRefused(claimed[0])).toBe(false);
    await fixture.call('POST', `/v1/campaigns/${created.body.id}/vouchers`, {});
    expect((await fixture.call('GET', '/v1/campaigns/history')).body.vouchers_count).toBe(4);
  });

  it('folds every stream again to the state it has', async () => {
    expect(await fixture.events.verifyState()).toEqual([]);
  });
});

// Its row says what no event does: it is alone.
describe('a full campaign', () => {
  let fixture: CampaignsFixture;

  beforeAll(async () => {
    fixture = await bootCampaigns();
  });
  afterAll(() => fixture?.running.close());

  it('makes the last code that a campaign holds, and no random one more', async () => {
    const { body } = await fixture.call('POST', '/v1/campaigns', coupons('full'));
    // As codes of its jobs would.
    await fixture.database.query(
      `UPDATE campaigns SET state = jsonb_set(state::jsonb, '{generated}', '99999') WHERE id = $1`,
      [body.id],
    );
    const add = (path: string, sent: object = {}) => fixture.call('POST', path, sent);
    const path = `/v1/campaigns/${body.id}/vouchers`;
    expect((await add(path)).status).toBe(200);
    const full = {
      status: 400,
      body: { key: 'invalid_campaign', details: 'A campaign holds at most 100000 codes.' },
    };
    expect(await add(path)).toMatchObject(full);
    const defined = { campaign: 'full', discount: { type: 'PERCENT', percent_off: 5 } };
    expect(await add('/v1/vouchers', defined)).toMatchObject(full);
    // What is given by hand is not counted out.
    expect((await add(`${path}/BY-HAND`)).status).toBe(200);
    expect((await add('/v1/vouchers', { ...defined, code: 'BY-HAND-2' })).status).toBe(200);
  });
});
