import { stringify } from 'csv-stringify/sync';
import { Readable } from 'node:stream';

/** A cell of a line; null is empty. */
export type CsvCell = string | number | null;

const written = {
  escape_formulas: true,
  record_delimiter: '\r\n',
  // Readers take a carriage return or a line feed alone for the end of a line, and some a semicolon or a tab for that of a cell.
  quoted_match: /[\r\n;\t]/,
} as const;

/** What a spreadsheet leaves out before a formula: blanks, line ends, and signs that are not seen. The library looks at the first
 *  character alone. */
const formulaBehindBlanks = /^[\s\p{Cc}\p{Cf}]+[=+\-@＝＋－＠]/u;

const safe = (cell: CsvCell): CsvCell =>
  typeof cell === 'string' && formulaBehindBlanks.test(cell) ? `'${cell}` : cell;

async function* piecesOf(lines: AsyncIterable<readonly (readonly CsvCell[])[]>): AsyncGenerator<Buffer> {
  for await (const some of lines) {
    const cells = some.map((line) => line.map(safe));
    yield Buffer.from(stringify(cells, written));
  }
}

/** Lines as CSV in UTF-8, as the reader takes them; a piece for each of `lines`. A text that a spreadsheet would run as a
 *  formula gets an apostrophe before it. Source: RFC 4180. */
export const csvOf = (lines: AsyncIterable<readonly (readonly CsvCell[])[]>): Readable =>
  Readable.from(piecesOf(lines), { objectMode: false, highWaterMark: 65_536 });
