import {
  InstantRange,
  IsDateInput,
  IsFilters,
  IsText,
  Nested,
  offsetOf,
  orderOf,
  pageQuery,
} from '@scrip/edge';
import { isRefused, refuse } from '@scrip/kernel';
import {
  type FilterColumns,
  type Filters,
  filterOperators,
  filterSql,
  type ListStatements,
  pageStatements,
  StatementValues,
} from '@scrip/list-query';
import { IsOptional } from 'class-validator';
import type { CatalogRefusal } from './catalog.refusals';

const columns: FilterColumns = {
  created_at: { sql: 't.created_at', kind: 'instant' },
  updated_at: { sql: 't.updated_at', kind: 'instant' },
};

/** Query of the lists of products and of a product's SKUs. Source: reference 07 §1.4. */
export class RecordListQuery extends pageQuery({
  highestPage: 100,
  orders: ['created_at', 'updated_at'],
  order: 'created_at',
}) {
  @IsOptional() @IsDateInput() start_date?: string;
  @IsOptional() @IsDateInput() end_date?: string;
  @IsOptional() @Nested(() => InstantRange) created_at?: InstantRange;
  @IsOptional() @Nested(() => InstantRange) updated_at?: InstantRange;
  @IsOptional() @IsText({ min: 1, max: 512 }) starting_after_id?: string;
  @IsOptional()
  @IsFilters({ fields: Object.keys(columns), operators: filterOperators })
  filters?: Filters;
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
  const { field, descending } = orderOf(query.order);
  const cursor = query.starting_after_id;
  if (cursor !== undefined && field !== 'created_at')
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
  for (const column of ['created_at', 'updated_at'] as const) {
    const { after, before } = query[column] ?? {};
    if (after) where.push(`t.${column} > ${add(after)}::timestamptz`);
    if (before) where.push(`t.${column} < ${add(before)}::timestamptz`);
  }
  const filter = query.filters ? filterSql(query.filters, columns, add) : 'true';
  if (isRefused(filter)) return filter;
  const matching = [...where, filter].join(' AND ');
  const nulls = field === 'updated_at' ? ` NULLS ${descending ? 'LAST' : 'FIRST'}` : '';
  const direction = descending ? 'DESC' : 'ASC';
  const page = {
    columns: selected,
    from: `${table} t`,
    orderBy: `t.${field} ${direction}${nulls}, t.id ${direction}`,
    limit: query.limit,
    offset: offsetOf(query),
  };
  const statements = pageStatements(page, matching, all);
  if (cursor === undefined) return statements;
  // The row of a deleted record stays, or pages that go on from it would be empty.
  const id = add(cursor);
  const at = `(SELECT c.created_at FROM ${table} c WHERE c.project_id = $1 AND c.id = ${id})`;
  const beyond = `(t.created_at, t.id) ${descending ? '<' : '>'} (${at}, ${id})`;
  return { ...statements, page: pageStatements(page, `${matching} AND ${beyond}`, all).page };
};
