import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { OwnedAsyncAction } from '@scrip/contracts/operations';
import { type Refusal, notFound, type RequestContext } from '@scrip/kernel';
import { ItemTasks, progressOf, type TaskState } from '@scrip/tasks';
import type { DataSource } from 'typeorm';
import type { CampaignState } from '../campaign/campaign.decider';

/** Reads background tasks with their progress as it stands. */
@Injectable()
export class TaskReads {
  constructor(
    @InjectDataSource('campaigns') private readonly dataSource: DataSource,
    private readonly items: ItemTasks,
  ) {}

  /** Refuses `not_found`. Progress of a code order is what the campaign has stored for it. Source: reference 07 §10. */
  async find(context: RequestContext, id: string): Promise<OwnedAsyncAction | Refusal<'not_found'>> {
    const [row] = await this.dataSource.query<{ state: TaskState; running: CampaignState['running'] }[]>(
      `SELECT t.state, c.state->'running' AS running FROM tasks t
       LEFT JOIN campaigns c ON c.project_id = t.project_id AND c.id = t.campaign_id
       WHERE t.project_id = $1 AND t.id = $2`,
      [context.project.id, id],
    );
    if (!row) {
      return notFound('async_action', id);
    }
    const { async_action, work } = row.state;
    if (!('campaign_id' in work)) return this.items.find(context, id);
    const isRunning = async_action.status === 'IN_PROGRESS' && row.running?.async_action_id === id;
    return isRunning && row.running
      ? { ...async_action, progress: progressOf(row.running.done, row.running.count) }
      : async_action;
  }
}
