import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { pageOf } from '@scrip/edge';
import { type Refusal, refuse, type RequestContext } from '@scrip/kernel';
import { StatementValues } from '@scrip/list-query';
import { InjectListReader, type ListReader } from '@scrip/service';
import type { DataSource } from 'typeorm';
import { UserHandlers } from '../users/user.handlers';
import type { AuditEntry } from './audit-entry';
import type { AuditQuery } from './audit-list.query';

/** A page of the trail. */
export interface AuditPage {
  entries: AuditEntry[];
  hasMore: boolean;
}

/** Lists the audit trail, newest first. */
@Injectable()
export class AuditReads {
  constructor(
    @InjectDataSource('auth') private readonly database: DataSource,
    @InjectListReader('auth') private readonly lists: ListReader,
    private readonly users: UserHandlers,
  ) {}

  /** Refuses `forbidden` for the whole installation to who is no owner, and `invalid_query_params` for an unknown
   *  `starting_after_id`. */
  async list(
    context: RequestContext,
    query: AuditQuery,
  ): Promise<AuditPage | Refusal<'forbidden' | 'invalid_query_params'>> {
    const projectId = query.scope === 'project' ? context.project.id : null;
    if (projectId === null && !(await this.isOwner(context)))
      return refuse('forbidden', 'Owners see the trail of the whole installation');
    const values = new StatementValues();
    const conditions = [
      ...(projectId === null ? [] : [`project_id = ${values.add(projectId)}`]),
      ...(['actor_id', 'action', 'resource_id'] as const).flatMap((name) =>
        query[name] === undefined ? [] : [`${name} = ${values.add(query[name])}`],
      ),
      ...(query.start_date === undefined ? [] : [`at >= ${values.add(query.start_date)}::timestamptz`]),
      ...(query.end_date === undefined ? [] : [`at < ${values.add(query.end_date)}::timestamptz`]),
    ];
    const id = query.starting_after_id;
    if (id !== undefined) {
      const [cursor] = await this.database.query<{ at: string }[]>(
        'SELECT at::text AS at FROM audit_entries WHERE id = $1 AND ($2::text IS NULL OR project_id = $2)',
        [id, projectId],
      );
      if (!cursor)
        return refuse(
          'invalid_query_params',
          `Property .starting_after_id names no entry of the list: ${id}`,
        );
      conditions.push(`(at, id) < (${values.add(cursor.at)}::timestamptz, ${values.add(id)})`);
    }
    const rows = await this.lists.rows<AuditEntry>(context, {
      text: `SELECT * FROM audit_entries ${conditions.length > 0 ? `WHERE ${conditions.join(' AND ')}` : ''}
        ORDER BY at DESC, id DESC LIMIT ${values.add(query.limit + 1)}`,
      values: values.all,
    });
    const { items, hasMore } = pageOf(rows, query.limit);
    return { entries: items, hasMore };
  }

  private async isOwner({ user }: RequestContext): Promise<boolean> {
    return user !== null && (await this.users.find(user.id))?.is_owner === true;
  }
}
