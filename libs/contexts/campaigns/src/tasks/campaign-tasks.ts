import type { VoucherGenerationWork } from '@scrip/contracts/operations';
import { topics } from '@scrip/contracts/registry';
import { taskJob, tasksOfContext } from '@scrip/tasks';
import { laneOf } from '../generation/generation-lane';
import { generateVouchers } from '../generation/generation.job';
import { taskAggregate } from './task.aggregate';

/** Background tasks of campaigns. */
export const campaignTasks = tasksOfContext({
  context: 'campaigns',
  topic: topics.campaignTask,
  group: 'campaigns.generation',
  aggregate: taskAggregate,
  itemTasks: [],
  jobs: {
    'CAMPAIGN.VOUCHERS_GENERATE': taskJob<VoucherGenerationWork, { project_id: string; campaign_id: string }>(
      generateVouchers,
      ({ projectId: project_id, work: { campaign_id } }) => ({
        payload: { project_id, campaign_id },
        queueName: laneOf(campaign_id),
      }),
    ),
  },
});
