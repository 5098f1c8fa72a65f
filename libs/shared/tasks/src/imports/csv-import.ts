import { openForm } from '@scrip/edge';
import type { ItemFailure } from '@scrip/contracts/operations';
import type { TaskInput } from '../items/item-task';
import { bindColumns } from './columns/bind-columns';
import { readMapping } from './columns/column-mapping';
import type { BoundColumn, ImportColumns } from './columns/import-columns';
import { refuseFile, refuseUpload } from './csv/file-refusal';
import { readRecords } from './csv/read-records';

/** A row of a file, as it waits to be carried out. */
export interface CsvRow {
  /** What failures name it by. */
  identifier: string | null;
  cells: string[];
}

/** What the rows of a file share. */
export interface CsvShared {
  columns: BoundColumn[];
  /** Nothing is stored: the task tells what an import would come to. */
  dry_run: boolean;
}

/** A file of comma separated values that is being read. */
export interface CsvImport {
  shared: CsvShared;
  /** Its rows, read once. Throws `EdgeFailure` (400) at the first flaw of the file. */
  rows: AsyncIterable<TaskInput<CsvRow>>;
}

const invalid = (details: string): ItemFailure => ({
  key: 'invalid_payload',
  message: 'Invalid payload',
  details,
});

const flagOf = (text: string | undefined): boolean => {
  if (text !== undefined && text !== 'true' && text !== 'false')
    throw refuseUpload('Property .dry_run must be true or false');
  return text === 'true';
};

const isBlank = (cells: readonly string[]): boolean => cells.every((cell) => cell === '');

/** What no column can store; undefined: nothing. */
const flawOf = (cells: readonly string[], columns: readonly BoundColumn[]): ItemFailure | undefined => {
  if (cells.length !== columns.length)
    return invalid(
      `The row has another number of cells (${cells.length}) than the header (${columns.length})`,
    );
  const withNul = cells.findIndex((cell) => cell.includes('\0'));
  return withNul < 0 ? undefined : invalid(`The cell of column ${withNul + 1} cannot contain NUL characters`);
};

async function* rowsOf(
  records: AsyncIterator<string[]>,
  columns: BoundColumn[],
  identifiedBy: string,
): AsyncGenerator<TaskInput<CsvRow>> {
  const identifierAt = columns.findIndex(
    (column) => column && 'field' in column && column.field === identifiedBy,
  );
  let [row, count] = [0, 0];
  try {
    for (let next = await records.next(); !next.done; next = await records.next()) {
      const cells = next.value;
      row += 1;
      if (isBlank(cells)) continue;
      count += 1;
      const identifier = cells[identifierAt] || null;
      const failure = flawOf(cells, columns);
      yield failure ? { row, identifier, failure } : { row, item: { identifier, cells } };
    }
  } finally {
    await records.return?.();
  }
  if (count === 0) throw refuseFile('has no rows behind its header line');
}

/** Reads the form of an import up to the first row of its file: the header decides what the columns are. The fields `mapping`
 *  and `dry_run` come before the file. Throws `EdgeFailure` (400, 408, 413). Source: reference 07 §11. */
export const openCsvImport = async (body: unknown, columns: ImportColumns): Promise<CsvImport> => {
  const { fields, file } = await openForm(body);
  const mapping = readMapping(fields['mapping']);
  const dry_run = flagOf(fields['dry_run']);
  const records = readRecords(file);
  const header = await records.next();
  if (header.done || isBlank(header.value)) throw refuseFile('has no header line');
  const bound = bindColumns(header.value, columns, mapping);
  return { shared: { columns: bound, dry_run }, rows: rowsOf(records, bound, columns.identifier) };
};
