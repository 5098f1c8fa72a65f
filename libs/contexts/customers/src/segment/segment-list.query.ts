import { IsFilters, IsOneOf, IsTextList, LimitQuery, orderOf } from '@scrip/edge';
import { isRefused } from '@scrip/kernel';
import {
  anyCalendar,
  type Calendar,
  type FilterColumns,
  type Filters,
  filterOperators,
  filterSql,
  type ListStatements,
  pageStatements,
  StatementValues,
} from '@scrip/list-query';
import { IsOptional } from 'class-validator';
import type { SegmentRefusal } from './segment.decider';
import { segmentTypes } from './segment.dto';

const columnsWith = (calendar: Calendar): FilterColumns => ({
  id: { sql: 't.id', kind: 'text' },
  name: { sql: 't.name', kind: 'text' },
  type: { sql: 't.type', kind: 'text', oneOf: segmentTypes },
  created_at: { sql: 't.created_at', kind: 'instant', calendar },
});

const fields = Object.keys(columnsWith(anyCalendar));

/** Query of GET /v1/segments: further pages are found by `created_at`. Source: reference 07 §1.4. */
export class SegmentListQuery extends LimitQuery {
  @IsOptional()
  @IsOneOf(['created_at', '-created_at'])
  order: 'created_at' | '-created_at' = '-created_at';

  @IsOptional()
  @IsTextList({ max: 100, maxLength: 512 })
  ids?: string[];

  @IsOptional()
  @IsFilters({ fields, operators: filterOperators })
  filters?: Filters;
}

/** Returns the statements of a page and of its count. Refuses filters whose values do not fit. */
export const segmentListStatements = (
  projectId: string,
  { order, ids, filters, limit }: SegmentListQuery,
  calendar: Calendar,
): ListStatements | SegmentRefusal => {
  const { add, all } = new StatementValues();
  const where = [`t.project_id = ${add(projectId)}`, 'NOT t.deleted'];
  if (ids) where.push(`t.id = ANY(${add(ids)})`);
  const filter = filters ? filterSql(filters, columnsWith(calendar), add) : 'true';
  if (isRefused(filter)) return filter;
  const { field, descending } = orderOf(order);
  const direction = descending ? 'DESC' : 'ASC';
  return pageStatements(
    {
      columns: 't.state',
      from: 'segments t',
      orderBy: `t.${field} ${direction}, t.id ${direction}`,
      limit,
      offset: 0,
    },
    [...where, filter].join(' AND '),
    all,
  );
};
