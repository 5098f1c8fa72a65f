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

// The times of tasks are those of the clocks of calls. Changes are followed in the order in which they were made, which the
// campaign's state has: each says what vouchers said before it.
const oldestSql = `
  WITH unfinished AS (
    SELECT t.project_id, t.id, t.status, t.created_at, t.state, u.place FROM tasks t
    LEFT JOIN (
      SELECT e.id, e.place FROM campaigns c, jsonb_array_elements_text(c.state->'updates') WITH ORDINALITY e(id, place)
      WHERE c.project_id = $1 AND c.id = $2
    ) u ON u.id = t.id
    WHERE t.project_id = $1 AND t.campaign_id = $2 AND t.status IN ('ENQUEUED', 'IN_PROGRESS')
      AND t.state->'work'->>'kind' IN ('CAMPAIGN.VOUCHERS_GENERATE', 'CAMPAIGN.VOUCHERS_UPDATE')
  )
  SELECT t.state, p.payload FROM unfinished t
  JOIN task_payloads p ON p.project_id = t.project_id AND p.task_id = t.id
  WHERE NOT EXISTS (SELECT 1 FROM unfinished o WHERE o.place < t.place)
  ORDER BY (t.status = 'IN_PROGRESS') DESC, t.created_at, t.id LIMIT 1`;

/** Reads what the job of a campaign has to do. */
@Injectable()
export class CampaignWorkReads {
  constructor(@InjectDataSource('campaigns') private readonly dataSource: DataSource) {}

  /** Returns the task that is to be worked on in a campaign: the one under way, also when an older one became visible since; of changes
   *  the one that was made first. */
  async oldestUnfinished({ project_id, campaign_id }: CampaignToGenerate): Promise<CampaignTask | undefined> {
    const [row] = await this.dataSource.query<
      { state: TaskState<VoucherGenerationWork & VoucherUpdateWork>; payload: never }[]
    >(oldestSql, [project_id, campaign_id]);
    return row && { ...row.state, payload: row.payload };
  }
}
