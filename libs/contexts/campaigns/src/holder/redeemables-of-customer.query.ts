import { IsCursor, IsFilters, IsOneOf, LimitQuery, orderOf } from '@scrip/edge';
import { isRefused } from '@scrip/kernel';
import {
  anyCalendar,
  type Calendar,
  type FilterColumns,
  type Filters,
  filterOperators,
  filterSql,
  type SqlStatement,
  StatementValues,
} from '@scrip/list-query';
import { IsOptional } from 'class-validator';
import { voucherTypes } from '../campaign/campaign.dto';
import type { CampaignsRefusal } from '../campaigns.refusals';
import { holderColumns } from './holder.table';

const text = (sql: string) => ({ sql, kind: 'text' as const });

const columnsWith = (calendar: Calendar): FilterColumns => ({
  id: text('h.id'),
  created_at: { sql: 'h.created_at', kind: 'instant', calendar },
  redeemable_id: text('h.voucher_id'),
  redeemable_object: { ...text(`'voucher'::text`), oneOf: ['voucher'] },
  holder_role: { ...text('h.role'), oneOf: ['OWNER', 'REFERRER', 'REFEREE'] },
  campaign_id: text('h.campaign_id'),
  campaign_type: {
    ...text('h.campaign_type'),
    oneOf: ['LOYALTY_PROGRAM', 'GIFT_VOUCHERS', 'DISCOUNT_COUPONS', 'REFERRAL_PROGRAM'],
  },
  voucher_type: { ...text('h.voucher_type'), oneOf: voucherTypes },
});

const fields = Object.keys(columnsWith(anyCalendar));

/** Query of GET /v1/customers/{customerId}/redeemables. Source: reference 02 §9. */
export class RedeemablesOfCustomerQuery extends LimitQuery {
  @IsOptional()
  @IsOneOf(['id', '-id'])
  order: 'id' | '-id' = 'id';

  @IsOptional()
  @IsCursor('entry')
  starting_after_id?: string;

  @IsOptional()
  @IsFilters({ fields, operators: filterOperators })
  filters?: Filters;
}

/** The holders of a page as `HolderRow`s, one more than it shows where there is more. Codes that were deleted are left out, by
 *  themselves or with their campaign. Refuses filters whose values do not fit. */
export const holdersOfCustomer = (
  { projectId, customerId }: { projectId: string; customerId: string },
  { order, limit, starting_after_id: after, filters }: RedeemablesOfCustomerQuery,
  calendar: Calendar,
): SqlStatement | CampaignsRefusal => {
  const { all, add } = new StatementValues();
  const where = [`h.project_id = ${add(projectId)}`, `h.customer_id = ${add(customerId)}`];
  const filter = filters ? filterSql(filters, columnsWith(calendar), add) : 'true';
  if (isRefused(filter)) return filter;
  const { descending } = orderOf(order);
  if (after !== undefined) where.push(`h.id ${descending ? '<' : '>'} ${add(after)}`);
  const isLive = `EXISTS (
    SELECT 1 FROM vouchers t WHERE t.project_id = h.project_id AND t.id = h.voucher_id AND t.deleted_at IS NULL
      AND NOT EXISTS (SELECT 1 FROM campaigns c
        WHERE c.project_id = t.project_id AND c.id = t.campaign_id AND c.deleted_at IS NOT NULL))`;
  return {
    text: `SELECT ${holderColumns}
      FROM holders h WHERE ${[...where, filter, isLive].join(' AND ')}
      ORDER BY h.id ${descending ? 'DESC' : 'ASC'} LIMIT ${limit + 1}`,
    values: all,
  };
};
