import type { ItemResult, TaskReportPage } from '@scrip/contracts/operations';
import { stringify } from 'csv-stringify';
import { pipeline, Readable } from 'node:stream';

const errorOf = ({ failure }: ItemResult): string =>
  failure ? [failure.message, failure.details].filter((text) => text !== '').join(': ') : '';

async function* linesOf(
  first: TaskReportPage,
  next: (from: number) => Promise<TaskReportPage>,
): AsyncGenerator<(string | null)[]> {
  yield [first.identified_by, 'found', 'updated', 'error'];
  for (let page = first; ; page = await next(page.next)) {
    for (const result of page.results)
      yield [result.identifier, String(result.found), String(result.updated), errorOf(result)];
    if (page.next === null) return;
  }
}

/** A report as CSV, a line for each input; pages are asked for as the reader takes lines. A text that a spreadsheet would run
 *  as a formula gets an apostrophe before it. Source: reference 07 §10, RFC 4180. */
export const reportCsv = (
  first: TaskReportPage,
  next: (from: number) => Promise<TaskReportPage>,
): Readable => {
  const csv = stringify({ escape_formulas: true, record_delimiter: '\r\n' });
  pipeline(Readable.from(linesOf(first, next)), csv, () => undefined);
  return csv;
};
