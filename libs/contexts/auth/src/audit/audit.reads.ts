import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { pageOf } from '@scrip/edge';
import { isRefused, type Refusal, refuse, type RequestContext } from '@scrip/kernel';
import { InjectListReader, type ListReader } from '@scrip/service';
import type { DataSource } from 'typeorm';
import { UserHandlers } from '../users/user.handlers';
import type { AuditEntry } from './audit-entry';
import { type AuditCursor, auditPage, type AuditQuery } from './audit-list.query';

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
    const cursor = await this.cursorOf(query.starting_after_id, projectId);
    if (isRefused(cursor)) return cursor;
    const rows = await this.lists.rows<AuditEntry>(context, auditPage(query, projectId, cursor));
    const { items, hasMore } = pageOf(rows, query.limit);
    return { entries: items, hasMore };
  }

  private async cursorOf(
    id: string | undefined,
    projectId: string | null,
  ): Promise<AuditCursor | null | Refusal<'invalid_query_params'>> {
    if (id === undefined) return null;
    const [cursor] = await this.database.query<AuditCursor[]>(
      'SELECT at::text AS at, id FROM audit_entries WHERE id = $1 AND ($2::text IS NULL OR project_id = $2)',
      [id, projectId],
    );
    return (
      cursor ??
      refuse('invalid_query_params', `Property .starting_after_id names no entry of the list: ${id}`)
    );
  }

  private async isOwner({ user }: RequestContext): Promise<boolean> {
    return user !== null && (await this.users.find(user.id))?.is_owner === true;
  }
}
