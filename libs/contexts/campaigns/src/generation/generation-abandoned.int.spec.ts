import { type JobQueue, jobQueueToken, jobsSchema } from '@scrip/service';
import { AbandonedTasks, InternalContexts, TaskJobs, type WaitingTask } from '@scrip/tasks';
import { waitUntil } from '@scrip/testing';
import { bootCampaigns, type CampaignsFixture, coupons, project } from '../campaigns.fixture';
import { generateVouchers } from './generation.job';

const jobs = `${jobsSchema('campaigns')}._private_jobs`;

describe('code orders that lost their job', () => {
  let fixture: CampaignsFixture;
  let isHeld = false;
  const added: WaitingTask[] = [];

  beforeAll(async () => {
    fixture = await bootCampaigns();
    // Rounds run when a test says so.
    await fixture.get(AbandonedTasks).onModuleDestroy();
    const taskJobs = fixture.get(TaskJobs);
    const { add } = taskJobs;
    jest.spyOn(taskJobs, 'add').mockImplementation((tasks, manager) => {
      added.push(...tasks);
      return add.call(taskJobs, isHeld ? [] : tasks, manager);
    });
  });
  afterAll(() => fixture?.running.close());
  afterEach(() => {
    isHeld = false;
  });

  /** A code order whose job was never added, or was added and is gone. */
  const jobless = async (name: string): Promise<string> => {
    isHeld = true;
    added.length = 0;
    const { body } = await fixture.call('POST', '/v1/campaigns', coupons(name, { vouchers_count: 10 }));
    // By the call, and by the consumer of tasks.
    await waitUntil(() => added.length === 2, { what: 'both that add jobs' });
    isHeld = false;
    added.length = 0;
    return body.id as string;
  };
  const resume = () => fixture.get(AbandonedTasks).resume();
  const statusOf = async (campaignId: string): Promise<string> =>
    (await fixture.call('GET', `/v1/campaigns/${campaignId}`)).body.creation_status;
  /** Waits for the end of the codes, and of their task, which comes behind it. */
  const untilDone = async (campaignId: string): Promise<void> => {
    await waitUntil(async () => (await statusOf(campaignId)) === 'DONE', { what: 'the codes' });
    const left = () =>
      fixture.database.query<object[]>(
        `SELECT 1 FROM tasks t JOIN task_payloads p ON p.project_id = t.project_id AND p.task_id = t.id WHERE t.campaign_id = $1`,
        [campaignId],
      );
    await waitUntil(async () => (await left()).length === 0, { what: 'the end of the task' });
  };
  const queue = (): JobQueue => fixture.get(jobQueueToken('campaigns') as never);

  it('get one again', async () => {
    const id = await jobless('lost');
    expect(await statusOf(id)).toBe('IN_PROGRESS');
    await resume();
    await untilDone(id);
    added.length = 0;
    await resume();
    expect(added).toEqual([]);
  });

  it('get one again where the last attempt failed, and none where one of the campaign waits', async () => {
    const id = await jobless('failed');
    const runAt = new Date(Date.now() + 3_600_000);
    await queue().add(generateVouchers, { project_id: project.id, campaign_id: id }, { jobKey: id, runAt });
    await resume();
    expect(added).toEqual([]);
    await fixture.database.query(`UPDATE ${jobs} SET attempts = max_attempts WHERE key = $1`, [id]);
    await resume();
    expect(added).toHaveLength(1);
    await untilDone(id);
  });

  it('end where their project was deleted', async () => {
    const id = await jobless('deleted');
    const gone = jest.spyOn(fixture.get(InternalContexts), 'of').mockResolvedValue(undefined);
    await resume();
    const statusOfTask = async (): Promise<string | undefined> => {
      const query = 'SELECT status FROM tasks WHERE campaign_id = $1';
      return (await fixture.database.query<{ status: string }[]>(query, [id]))[0]?.status;
    };
    await waitUntil(async () => (await statusOfTask()) === 'FAILED', { what: 'the end' });
    gone.mockRestore();
    expect(await fixture.database.query('SELECT 1 FROM task_payloads')).toEqual([]);
  });
});
