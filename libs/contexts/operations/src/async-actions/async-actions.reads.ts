import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { AsyncActionSnapshot, OwnedAsyncAction } from '@scrip/contracts/operations';
import { notFound, type RequestContext } from '@scrip/kernel';
import { InjectListReader, type ListReader } from '@scrip/service';
import { hasEnded } from '@scrip/tasks';
import type { DataSource } from 'typeorm';
import type { OperationsRefusal } from '../operations.refusals';
import { TaskOwners } from './task-owners';

/** Whether the list of tasks knows all there is to know of one. */
const isComplete = (action: AsyncActionSnapshot): boolean =>
  hasEnded(action) && (action.result?.failed_count ?? 0) === 0;

/** Reads background tasks of all contexts. */
@Injectable()
export class AsyncActions {
  constructor(
    @InjectDataSource('operations') private readonly dataSource: DataSource,
    @InjectListReader('operations') private readonly lists: ListReader,
    private readonly owners: TaskOwners,
  ) {}

  /** Returns a task. Its owner is asked for the current progress of one that has not ended, and for the inputs that failed.
   *  Refuses `not_found`. */
  async find(context: RequestContext, id: string): Promise<OwnedAsyncAction | OperationsRefusal> {
    const owner = this.owners.of(id);
    if (!owner) return notFound('async_action', id);
    const [row] = await this.dataSource.query<{ async_action: AsyncActionSnapshot }[]>(
      'SELECT async_action FROM async_actions WHERE project_id = $1 AND id = $2',
      [context.project.id, id],
    );
    return row && isComplete(row.async_action) ? row.async_action : owner.loadAsyncAction(context, { id });
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
