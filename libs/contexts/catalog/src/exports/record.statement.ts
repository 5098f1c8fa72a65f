import type { ExportParameters } from '@scrip/contracts/operations';
import { orderOf } from '@scrip/edge';
import { exportCondition } from '@scrip/exports';
import { isRefused, type RequestContext } from '@scrip/kernel';
import { StatementValues } from '@scrip/list-query';
import type { FilterContext } from '@scrip/metadata';
import { recordOrder } from '../record-times.query';
import { asksForLocations, exportColumns } from './located-records';

/** What records of the catalog are selected from. */
export interface SelectedRecords {
  /** What a row answers. */
  columns: string;
  from: string;
  /** What filters look at. */
  record: string;
  where: string;
}

/** All live records of a project that match, in their order; one that never changed is older than those that did. Filters that ask for
 *  locations are only checked: `LocatedRecords` tests them. */
export const recordStatement = (
  { project }: RequestContext,
  parameters: ExportParameters,
  { columns, from, record, where }: SelectedRecords,
  by: FilterContext,
) => {
  const values = new StatementValues();
  const ofProject = `r.project_id = ${values.add(project.id)}`;
  const { add } = asksForLocations(parameters) ? new StatementValues() : values;
  const filter = exportCondition(parameters, exportColumns(by), add);
  if (isRefused(filter)) return filter;
  const text = `SELECT ${columns} FROM ${from} CROSS JOIN LATERAL (SELECT ${record}) r
    WHERE ${ofProject} AND ${where} AND ${asksForLocations(parameters) ? 'true' : filter}
    ORDER BY ${recordOrder('r', orderOf(parameters.order))}`;
  return { text, values: values.all };
};
