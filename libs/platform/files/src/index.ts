export { type CsvCell, csvOf } from './csv';
export type { FileStore, StoredFile } from './file-store';
export { type FileStoreSettings, openFileStore } from './open-file-store';
export { sealFile, unsealFile } from './sealed-file';
