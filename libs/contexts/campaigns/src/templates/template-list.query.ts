import { IsCursor, IsFilters, IsFlag, IsOneOf, LimitQuery, orderOf } from '@scrip/edge';
import { isRefused } from '@scrip/kernel';
import {
  countOf,
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

const columns: FilterColumns = {
  id: { sql: 't.id', kind: 'text' },
  name: { sql: 't.name', kind: 'text' },
  campaign_type: { sql: 't.campaign_type', kind: 'text', oneOf: ['DISCOUNT_COUPONS', 'GIFT_VOUCHERS'] },
};

/** Query of GET /v1/templates/campaigns. Source: reference 04 §12. */
export class TemplateListQuery extends LimitQuery {
  @IsOptional()
  @IsOneOf(['id', '-id'])
  order: 'id' | '-id' = 'id';

  @IsOptional()
  @IsCursor('template')
  starting_after_id?: string;

  @IsOptional()
  @IsFlag()
  include_total?: boolean;

  @IsOptional()
  @IsFilters({ fields: Object.keys(columns), operators: filterOperators })
  filters?: Filters;
}

/** The statements of a page, with one row more than it shows where there is more, and of the bounded count of all templates
 *  of the project. Refuses filters whose values do not fit. */
export const templateListStatements = (
  projectId: string,
  { order, limit, starting_after_id: after, filters }: TemplateListQuery,
): { page: SqlStatement; count: SqlStatement } | CampaignsRefusal => {
  const values = new StatementValues();
  const { all, add } = values;
  const where = [`t.project_id = ${add(projectId)}`, 'NOT t.deleted'];
  const count = {
    text: countOf(`SELECT 1 FROM campaign_templates t WHERE ${where.join(' AND ')}`),
    values: [...all],
  };
  if (filters) {
    const filter = filterSql(filters, columns, add);
    if (isRefused(filter)) return filter;
    where.push(filter);
  }
  const { descending } = orderOf(order);
  const list = { columns: 't.state', from: 'campaign_templates t', id: 't.id' };
  const { page } = pageBehindId({ ...list, descending, limit, after }, where.join(' AND '), values);
  return { page, count };
};
