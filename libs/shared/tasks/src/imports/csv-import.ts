import { openForm } from '@scrip/edge';
import type { TaskInput } from '../items/item-task';
import { bindColumns } from './columns/bind-columns';
import { readMapping } from './columns/column-mapping';
import type { BoundColumn, ImportColumns } from './columns/import-columns';
import { refuseFile, refuseUpload } from './csv/file-refusal';
import { type CsvRow, isBlank, rowsOf } from './csv/file-rows';
import { readRecords } from './csv/read-records';

/** What the rows of a file share. */
export interface CsvShared {
  columns: BoundColumn[];
  /** Nothing is stored: the task tells what an import would come to. */
  dry_run: boolean;
}

/** A file of comma separated values that is being read. */
export interface CsvImport {
  shared: CsvShared;
  /** Returns a further field of the form that came before the file: `true`, or `false`, also where it is absent. Throws
   *  `EdgeFailure` (400) for another value. */
  flag(name: string): boolean;
  /** Its rows, read once. Throws `EdgeFailure` (400) at the first flaw of the file. */
  rows: AsyncIterable<TaskInput<CsvRow>>;
}

const flagOf = (fields: Readonly<Record<string, string>>, name: string): boolean => {
  const text = fields[name];
  if (text !== undefined && text !== 'true' && text !== 'false')
    throw refuseUpload(`Property .${name} must be true or false`);
  return text === 'true';
};

/** Reads the form of an import up to the first row of its file: the header decides what the columns are. The fields `mapping`
 *  and `dry_run` come before the file. Throws `EdgeFailure` (400, 408, 413). Source: reference 07 §11. */
export const openCsvImport = async (body: unknown, columns: ImportColumns): Promise<CsvImport> => {
  const { fields, file } = await openForm(body);
  const mapping = readMapping(fields['mapping']);
  const dry_run = flagOf(fields, 'dry_run');
  const records = readRecords(file);
  const header = await records.next();
  if (header.done || isBlank(header.value)) throw refuseFile('has no header line');
  const bound = bindColumns(header.value, columns, mapping);
  return {
    shared: { columns: bound, dry_run },
    flag: (name) => flagOf(fields, name),
    rows: rowsOf(records, bound, columns.identifier),
  };
};
