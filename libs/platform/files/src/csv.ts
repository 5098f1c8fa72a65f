import { stringify } from 'csv-stringify/sync';
import { Readable } from 'node:stream';

/** A cell of a line; null is empty. */
export type CsvCell = string | number | null;

const written = {
  escape_formulas: true,
  record_delimiter: '\r\n',
  // Readers take either alone for the end of a line.
  quoted_match: /[\r\n]/,
} as const;

async function* piecesOf(lines: AsyncIterable<readonly (readonly CsvCell[])[]>): AsyncGenerator<Buffer> {
  for await (const some of lines) yield Buffer.from(stringify([...some], written));
}

/** Lines as CSV in UTF-8, as the reader takes them; a piece for each of `lines`. A text that a spreadsheet would run as a
 *  formula gets an apostrophe before it. Source: RFC 4180. */
export const csvOf = (lines: AsyncIterable<readonly (readonly CsvCell[])[]>): Readable =>
  Readable.from(piecesOf(lines), { objectMode: false, highWaterMark: 65_536 });
