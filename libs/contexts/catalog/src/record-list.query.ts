import { IsDateInput, IsText, offsetOf, orderOf } from '@scrip/edge';
import { isRefused, refuse } from '@scrip/kernel';
import { type ListStatements, pageStatements, StatementValues } from '@scrip/list-query';
import { IsOptional } from 'class-validator';
import type { CatalogRefusal } from './catalog.refusals';
import { recordOrder, recordTimesQuery, timesSql } from './record-times.query';

/** Query of the lists of products and of a product's SKUs. Source: reference 07 §1.4. */
export class RecordListQuery extends recordTimesQuery('created_at') {
  @IsOptional() @IsDateInput() start_date?: string;
  @IsOptional() @IsDateInput() end_date?: string;
  @IsOptional() @IsText({ min: 1, max: 512 }) starting_after_id?: string;
}

/** Whose records are listed. */
export interface ListedRecords {
  table: 'products' | 'skus';
  /** What a row answers. */
  columns: string;
  /** Columns that all have, by value. */
  of: Readonly<Record<string, string>>;
}

/** Returns the statements of a page and of its count; the cursor moves the page and not the count. Refuses filters whose
 *  values do not fit, and a cursor beside an order whose values change. */
export const recordListStatements = (
  { table, columns: selected, of }: ListedRecords,
  query: RecordListQuery,
): ListStatements | CatalogRefusal => {
  const order = orderOf(query.order);
  const cursor = query.starting_after_id;
  if (cursor !== undefined && order.field !== 'created_at')
    return refuse(
      'invalid_query_params',
      'Property .starting_after_id cannot be combined with an order other than created_at or -created_at',
    );
  const { all, add } = new StatementValues();
  const where = Object.entries(of).map(([column, value]) => `t.${column} = ${add(value)}`);
  where.push("t.status = 'LIVE'");
  const { start_date, end_date } = query;
  if (start_date) where.push(`t.created_at >= ${add(start_date)}::timestamptz`);
  if (end_date) where.push(`t.created_at < ${add(end_date)}::timestamptz`);
  const times = timesSql(query, add);
  if (isRefused(times)) return times;
  const matching = [...where, ...times].join(' AND ');
  const page = {
    columns: selected,
    from: `${table} t`,
    orderBy: recordOrder('t', order),
    limit: query.limit,
    offset: offsetOf(query),
  };
  const statements = pageStatements(page, matching, all);
  if (cursor === undefined) return statements;
  // The row of a deleted record stays, or pages that go on from it would be empty.
  const id = add(cursor);
  const at = `(SELECT c.created_at FROM ${table} c WHERE c.project_id = $1 AND c.id = ${id})`;
  const beyond = `(t.created_at, t.id) ${order.descending ? '<' : '>'} (${at}, ${id})`;
  return { ...statements, page: pageStatements(page, `${matching} AND ${beyond}`, all).page };
};
