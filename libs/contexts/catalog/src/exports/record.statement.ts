import type { ExportParameters } from '@scrip/contracts/operations';
import { orderOf } from '@scrip/edge';
import { exportCondition } from '@scrip/exports';
import { isRefused, type RequestContext } from '@scrip/kernel';
import { type FilterColumns, StatementValues } from '@scrip/list-query';
import { recordOrder } from '../record-times.query';

/** What records of the catalog are selected from; `t` is the table whose rows are exported. */
export interface SelectedRecords {
  columns: string;
  from: string;
  where: string;
  filters: FilterColumns;
}

/** All live records of a project that match, in their order; one that never changed is older than those that did. */
export const recordStatement = (
  { project }: RequestContext,
  parameters: ExportParameters,
  { columns, from, where, filters }: SelectedRecords,
) => {
  const { add, all } = new StatementValues();
  const ofProject = `t.project_id = ${add(project.id)}`;
  const filter = exportCondition(parameters, filters, add);
  if (isRefused(filter)) return filter;
  const text = `SELECT ${columns} FROM ${from} WHERE ${ofProject} AND ${where} AND ${filter}
    ORDER BY ${recordOrder('t', orderOf(parameters.order))}`;
  return { text, values: all };
};
