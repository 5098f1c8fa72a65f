import type { ItemResult, TaskReportPage } from '@scrip/contracts/operations';
import { type CsvCell, csvOf } from '@scrip/files';
import type { Readable } from 'node:stream';

const errorOf = ({ failure }: ItemResult): string =>
  failure ? [failure.message, failure.details].filter((text) => text !== '').join(': ') : '';

async function* linesOf(
  first: TaskReportPage,
  next: (from: number) => Promise<TaskReportPage>,
): AsyncGenerator<CsvCell[][]> {
  const ofFile = first.results.some(({ row }) => row !== undefined);
  yield [[first.identified_by, ...(ofFile ? ['row'] : []), 'found', 'updated', 'error']];
  for (let page = first; ; page = await next(page.next)) {
    yield page.results.map((result) => [
      result.identifier,
      ...(ofFile ? [result.row === undefined ? null : String(result.row)] : []),
      String(result.found),
      String(result.updated),
      errorOf(result),
    ]);
    if (page.next === null) return;
  }
}

/** A report as CSV, a line for each input, of a file with its row; pages are asked for as the reader takes lines. Source:
 *  reference 07 §10. */
export const reportCsv = (first: TaskReportPage, next: (from: number) => Promise<TaskReportPage>): Readable =>
  csvOf(linesOf(first, next));
