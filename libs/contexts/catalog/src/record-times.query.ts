import { InstantRange, IsFilters, Nested, pageQuery } from '@scrip/edge';
import { isRefused, type Refusal } from '@scrip/kernel';
import {
  type AddValue,
  type Calendar,
  type FilterColumns,
  type Filters,
  filterOperators,
  filterSql,
  rangeSql,
} from '@scrip/list-query';
import { IsOptional } from 'class-validator';

type Time = 'created_at' | 'updated_at';

const columnsWith = (calendar: Calendar): FilterColumns => ({
  created_at: { sql: 't.created_at', kind: 'instant', calendar },
  updated_at: { sql: 't.updated_at', kind: 'instant', calendar },
});

/** Query of a list of products, SKUs or both by their times. Source: reference 07 §1.4. */
export const recordTimesQuery = (order: Time | `-${Time}`) => {
  class RecordTimesQuery extends pageQuery<Time>({
    highestPage: 100,
    orders: ['created_at', 'updated_at'],
    order,
  }) {
    @IsOptional() @Nested(() => InstantRange) created_at?: InstantRange;
    @IsOptional() @Nested(() => InstantRange) updated_at?: InstantRange;
    @IsOptional()
    @IsFilters({ fields: ['created_at', 'updated_at'], operators: filterOperators })
    filters?: Filters;
  }
  return RecordTimesQuery;
};

interface SentTimes {
  created_at?: InstantRange;
  updated_at?: InstantRange;
  filters?: Filters;
}

/** Conditions on the times of rows `t`. Refuses filters whose values do not fit. */
export const timesSql = (
  query: SentTimes,
  calendar: Calendar,
  add: AddValue,
): string[] | Refusal<'invalid_query_params'> => {
  const ranges = (['created_at', 'updated_at'] as const).flatMap((column) =>
    rangeSql(`t.${column}`, query[column] ?? {}, add),
  );
  const filter = query.filters ? filterSql(query.filters, columnsWith(calendar), add) : 'true';
  return isRefused(filter) ? filter : [...ranges, filter];
};

/** The order of rows by a time and their ids. What never changed is older than what did. */
export const recordOrder = (
  alias: string,
  { field, descending }: { field: string; descending: boolean },
): string => {
  const direction = descending ? 'DESC' : 'ASC';
  const nulls = field === 'updated_at' ? ` NULLS ${descending ? 'LAST' : 'FIRST'}` : '';
  return `${alias}.${field} ${direction}${nulls}, ${alias}.id ${direction}`;
};
