import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { VoucherGenerationWork, VoucherUpdateWork } from '@scrip/contracts/operations';
import type { TaskState } from '@scrip/tasks';
import type { DataSource } from 'typeorm';
import type { CampaignToGenerate } from '../generation/generation-lane';
import type { GenerationTask } from '../generation/generation-steps';
import type { VoucherUpdateTask } from '../updating/voucher-update-steps';

/** A task that a job of a campaign carries out. */
export type CampaignTask = GenerationTask | VoucherUpdateTask;

/** Whether the task brings vouchers up to a change of their campaign. */
export const isUpdate = (task: CampaignTask): task is VoucherUpdateTask =>
  task.work.kind === 'CAMPAIGN.VOUCHERS_UPDATE';

/** Reads what the job of a campaign has to do. */
@Injectable()
export class CampaignWorkReads {
  constructor(@InjectDataSource('campaigns') private readonly dataSource: DataSource) {}

  /** Returns the task that is to be worked on in a campaign: the one under way, also when an older one became visible since. */
  async oldestUnfinished({ project_id, campaign_id }: CampaignToGenerate): Promise<CampaignTask | undefined> {
    const [row] = await this.dataSource.query<
      { state: TaskState<VoucherGenerationWork & VoucherUpdateWork>; payload: never }[]
    >(
      `SELECT t.state, p.payload FROM tasks t
       JOIN task_payloads p ON p.project_id = t.project_id AND p.task_id = t.id
       WHERE t.project_id = $1 AND t.campaign_id = $2 AND t.status IN ('ENQUEUED', 'IN_PROGRESS')
         AND t.state->'work'->>'kind' IN ('CAMPAIGN.VOUCHERS_GENERATE', 'CAMPAIGN.VOUCHERS_UPDATE')
       ORDER BY (t.status = 'IN_PROGRESS') DESC, t.created_at, t.id LIMIT 1`,
      [project_id, campaign_id],
    );
    return row && { ...row.state, payload: row.payload };
  }
}
