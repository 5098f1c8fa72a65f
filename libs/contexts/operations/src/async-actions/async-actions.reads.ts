import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { type CampaignsPort, campaignsPort } from '@scrip/contracts/campaigns';
import { type AsyncActionSnapshot, type TaskOwner, taskOwner } from '@scrip/contracts/operations';
import { notFound, type RequestContext } from '@scrip/kernel';
import { InjectPort } from '@scrip/rpc';
import { InjectListReader, type ListReader } from '@scrip/service';
import type { DataSource } from 'typeorm';
import type { OperationsRefusal } from '../operations.refusals';

type LoadAction = (
  context: RequestContext,
  request: { id: string },
) => Promise<AsyncActionSnapshot | OperationsRefusal>;

const hasEnded = ({ status }: AsyncActionSnapshot): boolean => status === 'DONE' || status === 'FAILED';

/** Reads background tasks of all contexts. */
@Injectable()
export class AsyncActions {
  private readonly owners: Record<TaskOwner, LoadAction>;

  constructor(
    @InjectDataSource('operations') private readonly dataSource: DataSource,
    @InjectListReader('operations') private readonly lists: ListReader,
    @InjectPort(campaignsPort) campaigns: CampaignsPort,
  ) {
    this.owners = { campaigns: (context, request) => campaigns.loadAsyncAction(context, request) };
  }

  /** Returns a task. Until the task has ended, its owner is asked for the current progress. Refuses `not_found`. */
  async find(context: RequestContext, id: string): Promise<AsyncActionSnapshot | OperationsRefusal> {
    const owner = taskOwner(id);
    if (!owner) return notFound('async_action', id);
    const [row] = await this.dataSource.query<{ async_action: AsyncActionSnapshot }[]>(
      'SELECT async_action FROM async_actions WHERE project_id = $1 AND id = $2',
      [context.project.id, id],
    );
    return row && hasEnded(row.async_action) ? row.async_action : this.owners[owner](context, { id });
  }

  /** Returns the next `limit` tasks created before `endDate`, newest first, and one more when there are further
   *  ones. */
  async list(
    context: RequestContext,
    { limit, endDate }: { limit: number; endDate: string | undefined },
  ): Promise<AsyncActionSnapshot[]> {
    const rows = await this.lists.rows<{ async_action: AsyncActionSnapshot }>(context, {
      text: `SELECT async_action FROM async_actions
        WHERE project_id = $1 AND created_at < coalesce($2::timestamptz, 'infinity')
        ORDER BY created_at DESC, id DESC LIMIT $3`,
      values: [context.project.id, endDate ?? null, limit + 1],
    });
    return rows.map(({ async_action }) => async_action);
  }
}
