import { setImmediate } from 'node:timers/promises';
import type { ItemFailure } from '@scrip/contracts/operations';
import type { TaskInput } from '../../items/item-task';
import type { BoundColumn } from '../columns/import-columns';
import { refuseFile } from './file-refusal';

/** Rows that a file may have, blank ones among them: each is an input, and what is said of those that fail is kept for days. */
export const rowsMax = 200_000;

/** Rows that may have another number of cells than the header, or NUL: with more of them, the file is no such file. */
export const malformedRowsMax = 10_000;

/** Rows that may be blank: spreadsheets leave some behind, and a file of line ends alone would be read for seconds. */
export const blankRowsMax = 10_000;

/** Records between which the process serves others: a piece of a file has tens of thousands of short ones. */
const recordsAtOnce = 1_000;

/** A row of a file, as it waits to be carried out. */
export interface CsvRow {
  /** What failures name it by. */
  identifier: string | null;
  cells: string[];
}

const invalid = (details: string): ItemFailure => ({
  key: 'invalid_payload',
  message: 'Invalid payload',
  details,
});

/** Whether a row has no content. */
export const isBlank = (cells: readonly string[]): boolean => cells.every((cell) => cell === '');

/** What no column can store; undefined: nothing. */
const flawOf = (cells: readonly string[], columns: readonly BoundColumn[]): ItemFailure | undefined => {
  if (cells.length !== columns.length)
    return invalid(
      `The row has another number of cells (${cells.length}) than the header (${columns.length})`,
    );
  const withNul = cells.findIndex((cell) => cell.includes('\0'));
  return withNul < 0 ? undefined : invalid(`The cell of column ${withNul + 1} cannot contain NUL characters`);
};

/** The rows of a file behind its header line, blank ones left out; between 1,000 of them the process serves others. Throws
 *  `EdgeFailure` (400) where there are none, or too many.
 *  Source: reference 07 §11. */
export async function* rowsOf(
  records: AsyncIterator<string[]>,
  columns: BoundColumn[],
  identifiedBy?: string,
): AsyncGenerator<TaskInput<CsvRow>> {
  const identifierAt = columns.findIndex(
    (column) => column && 'field' in column && column.field === identifiedBy,
  );
  let [row, count, blank, malformed] = [0, 0, 0, 0];
  try {
    for (let next = await records.next(); !next.done; next = await records.next()) {
      const cells = next.value;
      row += 1;
      if (row > rowsMax) throw refuseFile(`has more than ${rowsMax} rows`);
      if (row % recordsAtOnce === 0) await setImmediate();
      if (isBlank(cells)) {
        if (++blank > blankRowsMax)
          throw refuseFile(
            `has more than ${blankRowsMax} rows without any content, the last of them row ${row}`,
          );
        continue;
      }
      count += 1;
      const identifier = cells[identifierAt] || null;
      const failure = flawOf(cells, columns);
      if (failure && ++malformed > malformedRowsMax)
        throw refuseFile(`has more than ${malformedRowsMax} malformed rows. Row ${row}: ${failure.details}`);
      yield failure ? { row, identifier, failure } : { row, item: { identifier, cells } };
    }
  } finally {
    await records.return?.();
  }
  if (count === 0) throw refuseFile('has no rows behind its header line');
}
