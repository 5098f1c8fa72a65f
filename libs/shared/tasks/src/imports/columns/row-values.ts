import type { Metadata } from '@scrip/contracts/snapshot';
import type { CompiledSchema } from '@scrip/metadata-schemas';
import type { BoundColumn } from './import-columns';

/** What a row says: the cells that are not empty. */
export interface RowValues {
  /** By field of the import. */
  fields: Readonly<Record<string, string>>;
  /** Typed by the schema. */
  metadata: Metadata;
}

/** Reads the cells of a row. `schema`: of the metadata; undefined: the project has none, and its values are texts.
 *  Source: reference 07 §11. */
export const rowValues = (
  columns: readonly BoundColumn[],
  cells: readonly string[],
  schema: Pick<CompiledSchema, 'ofCell'> | undefined,
): RowValues => {
  const fields: Record<string, string> = {};
  const metadata: Metadata = {};
  for (const [index, column] of columns.entries()) {
    const cell = cells[index];
    if (!column || cell === undefined || cell === '') continue;
    if ('field' in column) fields[column.field] = cell;
    else metadata[column.metadata] = schema?.ofCell(column.metadata, cell) ?? cell;
  }
  return { fields, metadata };
};
