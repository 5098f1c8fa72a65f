import { IsOptional } from 'class-validator';
import { IsDateInput, IsOneOf, IsText, LimitQuery } from '@scrip/edge';
import { StatementValues } from '@scrip/list-query';

/** Query of the audit trail. Source: reference 07 §2.6. */
export class AuditQuery extends LimitQuery {
  /** Of the project that the header names, or of the whole installation: for owners. */
  @IsOptional() @IsOneOf(['project', 'installation']) scope: 'project' | 'installation' = 'project';
  /** The last entry of the page before. */
  @IsOptional() @IsText({ max: 64 }) starting_after_id?: string;
  @IsOptional() @IsText({ max: 64 }) actor_id?: string;
  @IsOptional() @IsText({ max: 64 }) action?: string;
  @IsOptional() @IsText({ max: 255 }) resource_id?: string;
  @IsOptional() @IsDateInput() start_date?: string;
  @IsOptional() @IsDateInput() end_date?: string;
}

/** The entry that a page goes on behind. */
export interface AuditCursor {
  at: string;
  id: string;
}

/** The statement of a page, with one entry of the next; of a project, or of everything. */
export const auditPage = (
  query: AuditQuery,
  projectId: string | null,
  cursor: AuditCursor | null,
): { text: string; values: unknown[] } => {
  const values = new StatementValues();
  const conditions = [
    ...(projectId === null ? [] : [`project_id = ${values.add(projectId)}`]),
    ...(['actor_id', 'action', 'resource_id'] as const).flatMap((name) =>
      query[name] === undefined ? [] : [`${name} = ${values.add(query[name])}`],
    ),
    ...(query.start_date === undefined ? [] : [`at >= ${values.add(query.start_date)}::timestamptz`]),
    ...(query.end_date === undefined ? [] : [`at < ${values.add(query.end_date)}::timestamptz`]),
    ...(cursor === null
      ? []
      : [`(at, id) < (${values.add(cursor.at)}::timestamptz, ${values.add(cursor.id)})`]),
  ];
  const text = `SELECT * FROM audit_entries ${conditions.length > 0 ? `WHERE ${conditions.join(' AND ')}` : ''}
    ORDER BY at DESC, id DESC LIMIT ${values.add(query.limit + 1)}`;
  return { text, values: values.all };
};
