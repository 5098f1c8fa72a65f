import type { CsvShared } from './csv-import';

/** What the result of an import says. Source: reference 07 §10, §11. */
export const importMessage =
  (what: string) =>
  (done: number, failed: number, { dry_run }: Pick<CsvShared, 'dry_run'>): string =>
    dry_run
      ? `Dry run: ${done} ${what}(s) can be imported, ${failed} cannot.`
      : `${done} ${what}(s) imported successfully, ${failed} failed.`;
