export { amountOfCell } from './columns/money-cell';
export type { BoundColumn, ImportColumns } from './columns/import-columns';
export { rowValues, type RowValues } from './columns/row-values';
export type { CsvRow } from './csv/file-rows';
export { type CsvShared, openCsvImport } from './csv-import';
export { CsvImportTask, type PreparedRows } from './csv-import.task';
export { csvBody, csvBodyWith } from './csv-body';
export { importMessage } from './import-message';
