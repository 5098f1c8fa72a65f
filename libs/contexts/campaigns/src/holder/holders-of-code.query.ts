import { IsCursor, IsFilters, IsOneOf, LimitQuery, orderOf } from '@scrip/edge';
import { isRefused } from '@scrip/kernel';
import {
  anyCalendar,
  type Calendar,
  type FilterColumns,
  type Filters,
  filterOperators,
  filterSql,
  pageBehindId,
  type SqlStatement,
  StatementValues,
} from '@scrip/list-query';
import { IsOptional } from 'class-validator';
import type { CampaignsRefusal } from '../campaigns.refusals';
import { holderColumns } from './holder.table';

const columnsWith = (calendar: Calendar): FilterColumns => ({
  id: { sql: 'id', kind: 'text' },
  created_at: { sql: 'created_at', kind: 'instant', calendar },
  holder_role: { sql: 'role', kind: 'text', oneOf: ['REFERRER', 'REFEREE'] },
  customer_id: { sql: 'customer_id', kind: 'text' },
});

const fields = Object.keys(columnsWith(anyCalendar));

/** Query of GET …/holders. Source: reference 04 §11. */
export class HolderListQuery extends LimitQuery {
  @IsOptional()
  @IsOneOf(['id', '-id'])
  order: 'id' | '-id' = '-id';

  @IsOptional()
  @IsCursor('holder')
  starting_after_id?: string;

  @IsOptional()
  @IsFilters({ fields, operators: filterOperators })
  filters?: Filters;
}

/** The statements of a page of a code's holders, with one row more than it shows where there is more, and of the bounded count of
 *  all that match. Refuses filters whose values do not fit. */
export const holderListStatements = (
  { projectId, voucherId }: { projectId: string; voucherId: string },
  { order, limit, starting_after_id: after, filters }: HolderListQuery,
  calendar: Calendar,
): { page: SqlStatement; count: SqlStatement } | CampaignsRefusal => {
  const values = new StatementValues();
  const { add } = values;
  const where = [`project_id = ${add(projectId)}`, `voucher_id = ${add(voucherId)}`];
  if (filters) {
    const filter = filterSql(filters, columnsWith(calendar), add);
    if (isRefused(filter)) return filter;
    where.push(filter);
  }
  const { descending } = orderOf(order);
  const list = { columns: holderColumns, from: 'holders', id: 'id' };
  return pageBehindId({ ...list, descending, limit, after }, where.join(' AND '), values);
};
