import type { VoucherGenerationWork } from '@scrip/contracts/operations';
import type { EventBatch } from '@scrip/messaging';
import { defineJob, type JobQueue } from '@scrip/service';
import { taskJob, TaskJobs } from './task-jobs';

const generate = defineJob<{ campaign_id: string }>('campaigns', 'generate');
const jobs = {
  'CAMPAIGN.VOUCHERS_GENERATE': taskJob<VoucherGenerationWork, { campaign_id: string }>(
    generate,
    ({ work: { campaign_id } }) => ({ payload: { campaign_id }, queueName: 'lane' }),
  ),
};

const enqueued = (id: string, kind: string) => ({
  id,
  type: 'AsyncActionEnqueued',
  projectId: 'proj_1',
  data: { async_action: { id: `aa_${id}` }, work: { kind, campaign_id: 'camp_1', count: 2 } },
});

/** What reaches the queue when these events arrive. */
const queuedBy = async (...events: object[]): Promise<unknown[]> => {
  const queued: unknown[] = [];
  const queue = { addMany: async (...job: unknown[]) => void queued.push(job) } as unknown as JobQueue;
  const batch = {
    events,
    commit: (work: (manager: null) => Promise<void>) => work(null),
  } as unknown as EventBatch;
  await new TaskJobs(queue, jobs).take(batch);
  return queued;
};

describe('tasks', () => {
  it('are carried out by the job of their kind, once for each event', async () => {
    const entry = { payload: { campaign_id: 'camp_1' }, queueName: 'lane', jobKey: 'aa_e_1' };
    const others = { ...enqueued('e_2', ''), type: 'AsyncActionStarted' };
    expect(await queuedBy(enqueued('e_1', 'CAMPAIGN.VOUCHERS_GENERATE'), others)).toEqual([
      [generate, [entry], null],
    ]);
  });

  it('of a kind that nothing carries out are not passed over', async () => {
    const unknown = enqueued('e_1', 'CAMPAIGN.VOUCHERS_PAINT');
    await expect(queuedBy(unknown)).rejects.toThrow(
      'nothing carries out tasks of the kind CAMPAIGN.VOUCHERS_PAINT',
    );
  });
});
