import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import {
  type AsyncActionSnapshot,
  type CampaignsPort,
  campaignsPort,
  type TaskOwner,
  taskOwner,
} from '@scrip/contracts';
import { type Refusal, type RequestContext, refuse } from '@scrip/kernel';
import { InjectPort } from '@scrip/rpc';
import type { DataSource } from 'typeorm';

type LoadAction = (
  context: RequestContext,
  request: { id: string },
) => Promise<AsyncActionSnapshot | Refusal>;

const hasEnded = ({ status }: AsyncActionSnapshot): boolean => status === 'DONE' || status === 'FAILED';

const notFound = (id: string): Refusal =>
  refuse('not_found', `Cannot find async_action with id ${id}`, {
    resourceId: id,
    resourceType: 'async_action',
  });

/** Reads background tasks of all contexts. */
@Injectable()
export class AsyncActions {
  private readonly owners: Record<TaskOwner, LoadAction>;

  constructor(
    @InjectDataSource('operations') private readonly dataSource: DataSource,
    @InjectPort(campaignsPort) campaigns: CampaignsPort,
  ) {
    this.owners = { campaigns: (context, request) => campaigns.loadAsyncAction(context, request) };
  }

  /** A task as it stands: until it has ended its owner is asked, who knows its progress. Refuses `not_found`. */
  async find(context: RequestContext, id: string): Promise<AsyncActionSnapshot | Refusal> {
    const owner = taskOwner(id);
    if (!owner) return notFound(id);
    const [row] = await this.dataSource.query<{ async_action: AsyncActionSnapshot }[]>(
      'SELECT async_action FROM async_actions WHERE project_id = $1 AND id = $2',
      [context.project.id, id],
    );
    return row && hasEnded(row.async_action) ? row.async_action : this.owners[owner](context, { id });
  }

  /** The next `limit` tasks created before `endDate`, newest first, and one more where there is more. */
  async list(
    { project }: RequestContext,
    { limit, endDate }: { limit: number; endDate: string | undefined },
  ): Promise<AsyncActionSnapshot[]> {
    const rows = await this.dataSource.query<{ async_action: AsyncActionSnapshot }[]>(
      `SELECT async_action FROM async_actions WHERE project_id = $1 AND created_at < coalesce($2::timestamptz, 'infinity')
       ORDER BY created_at DESC, id DESC LIMIT $3`,
      [project.id, endDate ?? null, limit + 1],
    );
    return rows.map(({ async_action }) => async_action);
  }
}
