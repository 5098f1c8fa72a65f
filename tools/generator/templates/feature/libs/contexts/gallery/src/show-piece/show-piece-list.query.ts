import { IsFilters, offsetOf, orderOf, pageQuery } from '@scrip/edge';
import { isRefused } from '@scrip/kernel';
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
import type { GalleryRefusal } from '../gallery.refusals';

const columns: FilterColumns = {
  name: { sql: 't.name', kind: 'text' },
  created_at: { sql: 't.created_at', kind: 'instant' },
};

/** Query of GET /v1/show-pieces. */
export class ShowPieceListQuery extends pageQuery({
  highestPage: 99,
  orders: ['created_at', 'name'],
  order: '-created_at',
}) {
  @IsOptional()
  @IsFilters({ fields: Object.keys(columns), operators: filterOperators })
  filters?: Filters;
}

/** Returns the statements of a page and of its count. Refuses filters whose values do not fit. */
export const showPieceListStatements = (
  projectId: string,
  query: ShowPieceListQuery,
): ListStatements | GalleryRefusal => {
  const values = new StatementValues();
  const where = `t.project_id = ${values.add(projectId)}`;
  const filter = query.filters ? filterSql(query.filters, columns, values.add) : 'true';
  if (isRefused(filter)) return filter;
  const { field, descending } = orderOf(query.order);
  const direction = descending ? 'DESC' : 'ASC';
  return pageStatements(
    {
      columns: 't.state',
      from: 'show_pieces t',
      orderBy: `t.${field} ${direction}, t.id ${direction}`,
      limit: query.limit,
      offset: offsetOf(query),
    },
    `${where} AND ${filter}`,
    values.all,
  );
};
