import { type BinEntriesWanted, type BinEntryField, binnedTypes } from '@scrip/contracts/operations';
import { isRefused, type Refusal } from '@scrip/kernel';
import { type FilterColumn, filterSql, type SqlStatement, StatementValues } from '@scrip/list-query';

const filterColumns: Record<BinEntryField, FilterColumn> = {
  id: { sql: 'id', kind: 'text' },
  resource_type: { sql: 'resource_type', kind: 'text', oneOf: binnedTypes },
  resource_name: { sql: 'resource_name', kind: 'text' },
  resource_id: { sql: 'resource_id', kind: 'text' },
};

/** The statement of the next entries. Refuses filters whose operators or values do not fit their field. */
export const binEntryListStatement = (
  projectId: string,
  { limit, order, after, filters }: BinEntriesWanted,
): SqlStatement | Refusal<'invalid_query_params'> => {
  const { all, add } = new StatementValues();
  const descending = order === '-id';
  const where = [`project_id = ${add(projectId)}`];
  if (after !== null) where.push(`id ${descending ? '<' : '>'} ${add(after)}`);
  const filter = filters ? filterSql(filters, filterColumns, add) : 'true';
  if (isRefused(filter)) return filter;
  const text = `
    SELECT id, created_at, deleted_by_user_id, resource_id, resource_type, resource_name, resource_parent_id
    FROM bin_entries WHERE ${[...where, filter].join(' AND ')}
    ORDER BY id ${descending ? 'DESC' : 'ASC'} LIMIT ${add(limit)}`;
  return { text, values: all };
};
