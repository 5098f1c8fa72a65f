import type { AddValue } from './filter-column';

/** Where the last record of a page stands in the order of creation. `created_at`: as PostgreSQL writes it, to the microsecond. */
export interface CreatedCursor {
  id: string;
  created_at: string;
}

/** The condition of rows `alias` behind a record, in the order of their creation and, within one time, of their ids; made with the
 *  values of its statement. Source: reference 07 §1.4. */
export const behindCreated =
  ({ id, created_at }: CreatedCursor, alias: string, descending: boolean) =>
  (add: AddValue): string =>
    `(${alias}.created_at, ${alias}.id) ${descending ? '<' : '>'} (${add(created_at)}::timestamptz, ${add(id)})`;
