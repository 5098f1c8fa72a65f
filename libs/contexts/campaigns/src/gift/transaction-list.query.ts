import { IsCursor, IsFilters, IsOneOf, LimitQuery, orderOf } from '@scrip/edge';
import { isRefused } from '@scrip/kernel';
import {
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

/** Query of the lists of transactions. Source: reference 04 §4.8, §6.2. */
class TransactionsQuery extends LimitQuery {
  @IsOptional()
  @IsOneOf(['id', '-id'])
  order: 'id' | '-id' = '-id';

  @IsOptional()
  @IsCursor('transaction')
  starting_after_id?: string;
}

/** Query of the transactions of one voucher. Source: reference 04 §6.2. */
export class TransactionListQuery extends TransactionsQuery {
  @IsOptional()
  @IsFilters({ fields: ['id'], operators: filterOperators })
  filters?: Filters;
}

/** Query of the transactions of all vouchers of one campaign. Source: reference 04 §4.8. */
export class CampaignTransactionListQuery extends TransactionsQuery {
  @IsOptional()
  @IsFilters({ fields: ['id', 'voucher_id'], operators: filterOperators })
  filters?: Filters;
}

const filtered: FilterColumns = {
  id: { sql: 'id', kind: 'text' },
  voucher_id: { sql: 'voucher_id', kind: 'text' },
};

/** Whose transactions are listed: those of one voucher, or of all vouchers of one campaign. */
export type TransactionsOf = { voucher_id: string } | { campaign_id: string };

/** What `transactionOf` reads. */
export const transactionColumns = `id, type, voucher_id, campaign_id, source_id, source, reason, amount, total, balance, order_id,
  order_source_id, redemption_id, rollback_id, related_transaction_id, created_at`;

/** The statements of a page, with one row more than it shows where there is more, and of the bounded count of all that match.
 *  Refuses filters whose values do not fit. */
export const transactionListStatements = (
  projectId: string,
  of: TransactionsOf,
  { order, limit, starting_after_id: after, filters }: TransactionListQuery,
): { page: SqlStatement; count: SqlStatement } | CampaignsRefusal => {
  const values = new StatementValues();
  const { add } = values;
  const [column, id] = 'voucher_id' in of ? ['voucher_id', of.voucher_id] : ['campaign_id', of.campaign_id];
  const where = [`project_id = ${add(projectId)}`, `${column} = ${add(id)}`];
  if (filters) {
    const filter = filterSql(filters, filtered, add);
    if (isRefused(filter)) return filter;
    where.push(filter);
  }
  const { descending } = orderOf(order);
  const list = { columns: transactionColumns, from: 'voucher_transactions', id: 'id' };
  return pageBehindId({ ...list, descending, limit, after }, where.join(' AND '), values);
};
