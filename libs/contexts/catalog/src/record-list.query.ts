import { IsDateInput, IsText, offsetOf, orderOf } from '@scrip/edge';
import { isRefused, refuse } from '@scrip/kernel';
import {
  type AddValue,
  type Calendar,
  type ListStatements,
  pageStatements,
  StatementValues,
} from '@scrip/list-query';
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
  /** The id of the product whose stream tells of a deletion for good. `cursor`: a placeholder of the id of the record. */
  streamOf: (cursor: string, add: AddValue) => string;
}

const deletions = {
  products: { record: 'product', types: `'ProductDeleted', 'ProductPurged'` },
  skus: { record: 'sku', types: `'SkuDeleted', 'SkuPurged'` },
} as const;

/** When the record of a cursor was created. Of one that is in the bin its row says so; of one that was deleted for good the event
 *  does, or pages that go on from it would be empty. Null: there never was one. */
const createdAtSql = ({ table, streamOf }: ListedRecords, cursor: string, add: AddValue): string => {
  const { record, types } = deletions[table];
  return `coalesce(
    (SELECT c.created_at FROM ${table} c WHERE c.project_id = $1 AND c.id = ${cursor}),
    (SELECT (e.data->'${record}'->>'created_at')::timestamptz FROM events e
     WHERE e.project_id = $1 AND e.aggregate = 'product' AND e.stream_id = ${streamOf(cursor, add)}
       AND e.type IN (${types}) AND e.data->'${record}'->>'id' = ${cursor}
     ORDER BY e.version DESC LIMIT 1))`;
};

/** Returns the statements of a page and of its count; the cursor moves the page and not the count. Refuses filters whose
 *  values do not fit, and a cursor beside an order whose values change. */
export const recordListStatements = (
  listed: ListedRecords,
  query: RecordListQuery,
  calendar: Calendar,
): ListStatements | CatalogRefusal => {
  const { table, columns: selected, of } = listed;
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
  const times = timesSql(query, calendar, add);
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
  const id = add(cursor);
  const beyond = `(t.created_at, t.id) ${order.descending ? '<' : '>'} (${createdAtSql(listed, id, add)}, ${id})`;
  return {
    ...statements,
    page: pageStatements(page, `${matching} AND ${beyond}`, all).page,
    behindCursor: true,
  };
};
