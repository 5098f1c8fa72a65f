import { EndDateQuery, IsFilters, IsOneOf, orderOf } from '@scrip/edge';
import { isRefused, type Refusal } from '@scrip/kernel';
import {
  anyCalendar,
  type Calendar,
  type FilterColumns,
  filterOperators,
  type Filters,
  filterSql,
  type ListStatements,
  pageStatements,
  StatementValues,
} from '@scrip/list-query';
import { IsOptional } from 'class-validator';
import { locationColumns } from './location.table';

const columnsWith = (calendar: Calendar): FilterColumns => ({
  name: { sql: 't.name', kind: 'text' },
  created_at: { sql: 't.created_at', kind: 'instant', calendar },
  updated_at: { sql: 't.updated_at', kind: 'instant', calendar },
});

const fields = Object.keys(columnsWith(anyCalendar));

const orders = ['created_at', '-created_at', 'updated_at', '-updated_at'] as const;

// One that never changed stands where it was created.
const sortedBy = { created_at: 't.created_at', updated_at: 'COALESCE(t.updated_at, t.created_at)' };

/** Query of GET /v1/locations. Source: reference 07 §1.4. */
export class LocationListQuery extends EndDateQuery {
  @IsOptional()
  @IsOneOf(orders)
  order: (typeof orders)[number] = '-created_at';

  @IsOptional()
  @IsFilters({ fields, operators: filterOperators })
  filters?: Filters;
}

/** Returns the statements of a page, with one row more, and of its count. Refuses filters whose values do not fit. */
export const locationListStatements = (
  projectId: string,
  { order, end_date, filters, limit }: LocationListQuery,
  calendar: Calendar,
): ListStatements | Refusal<'invalid_query_params'> => {
  const { add, all } = new StatementValues();
  const where = [`t.project_id = ${add(projectId)}`];
  if (end_date) where.push(`t.created_at < ${add(end_date)}`);
  const filter = filters ? filterSql(filters, columnsWith(calendar), add) : 'true';
  if (isRefused(filter)) return filter;
  const { field, descending } = orderOf(order);
  const direction = descending ? 'DESC' : 'ASC';
  return pageStatements(
    {
      columns: locationColumns,
      from: 'locations t',
      orderBy: `${sortedBy[field]} ${direction}, t.id ${direction}`,
      limit: limit + 1,
      offset: 0,
    },
    [...where, filter].join(' AND '),
    all,
  );
};
