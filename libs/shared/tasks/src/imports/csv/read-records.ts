import { EdgeFailure } from '@scrip/edge';
import { CsvError, parse } from 'csv-parse';
import { pipeline, Readable } from 'node:stream';
import { refuseFile } from './file-refusal';
import { longestRow, tooLongARow, utf8Text } from './utf8-text';

/** Bytes that are parsed at once: thousands of records where lines are short, which take some 10 ms. */
const pieceBytes = 8_192;

async function* inPieces(file: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  for await (const bytes of file)
    for (let at = 0; at < bytes.length; at += pieceBytes) yield bytes.subarray(at, at + pieceBytes);
}

const failureOf = (error: unknown): unknown => {
  if (!(error instanceof CsvError)) return error;
  const { lines, records } = error as CsvError & { lines: number; records: number };
  switch (error.code) {
    case 'CSV_QUOTE_NOT_CLOSED':
      return refuseFile(
        `has a quote in ${records === 0 ? 'its header line' : `row ${records}`} that is never closed`,
      );
    case 'CSV_INVALID_CLOSING_QUOTE':
    case 'INVALID_OPENING_QUOTE':
      return refuseFile(
        `has a misplaced quote in line ${lines}: a cell with quotes stands in quotes, and each of its own is doubled`,
      );
    case 'CSV_MAX_RECORD_SIZE':
      return tooLongARow(lines);
    default:
      return error;
  }
};

/** The records of a file of comma separated values, quoted as RFC 4180 says, the header among them; an empty line is a record
 *  of one empty cell. Lines end with LF, CRLF or CR. Throws `EdgeFailure` (400) at the first flaw.
 *  Source: reference 07 §11. */
export async function* readRecords(file: AsyncIterable<Buffer>): AsyncGenerator<string[]> {
  const parser = parse({
    bom: true,
    delimiter: ',',
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_column_count: true,
    max_record_size: longestRow,
  });
  // Errors of either end reach the loop below through the parser.
  pipeline(Readable.from(utf8Text(inPieces(file))), parser, () => undefined);
  try {
    for await (const record of parser) yield record as string[];
  } catch (error) {
    throw error instanceof EdgeFailure ? error : failureOf(error);
  }
}
