import type {
  VoucherDeletionWork,
  VoucherGenerationWork,
  VoucherUpdateWork,
} from '@scrip/contracts/operations';
import { topics } from '@scrip/contracts/registry';
import { taskJob, tasksOfContext, type WaitingTask } from '@scrip/tasks';
import { deleteVouchers, type VouchersToDelete } from '../deletion/voucher-deletion.job';
import { type CampaignToGenerate, laneOf } from '../generation/generation-lane';
import { UpdateVouchers, UpdateVouchersMetadata } from '../bulk/voucher-metadata.tasks';
import { generateVouchers } from '../generation/generation.job';
import { ImportVoucherFile, ImportVouchers } from '../imports/import-vouchers.tasks';
import { ImportCampaignFile } from '../imports/import-campaign-file.task';
import { ImportCampaignCodes } from '../imports/import-campaign-codes.task';
import { taskAggregate } from './task.aggregate';

const ofCampaign = ({
  projectId: project_id,
  work: { campaign_id },
}: WaitingTask<VoucherGenerationWork | VoucherUpdateWork>) => ({
  payload: { project_id, campaign_id },
  queueName: laneOf(campaign_id),
});

/** Background tasks of campaigns. */
export const campaignTasks = tasksOfContext({
  context: 'campaigns',
  topic: topics.campaignTask,
  group: 'campaigns.generation',
  aggregate: taskAggregate,
  itemTasks: [
    ImportCampaignCodes,
    ImportCampaignFile,
    UpdateVouchers,
    UpdateVouchersMetadata,
    ImportVouchers,
    ImportVoucherFile,
  ],
  jobs: {
    'CAMPAIGN.VOUCHERS_GENERATE': taskJob<VoucherGenerationWork, CampaignToGenerate>(
      generateVouchers,
      ofCampaign,
    ),
    'CAMPAIGN.VOUCHERS_UPDATE': taskJob<VoucherUpdateWork, CampaignToGenerate>(generateVouchers, ofCampaign),
    'CAMPAIGN.VOUCHERS_DELETE': taskJob<VoucherDeletionWork, VouchersToDelete>(
      deleteVouchers,
      ({ id: task_id, projectId: project_id, work: { campaign_id } }) => ({
        payload: { project_id, campaign_id, task_id },
        queueName: laneOf(campaign_id),
      }),
    ),
  },
});
