import type { FileStore } from './file-store';
import { FolderStore } from './folder-store';
import { type S3Settings, S3Store } from './s3-store';

/** Where files are kept: in the folder unless there is a bucket. */
export interface FileStoreSettings {
  /** Absolute path. */
  folder: string;
  s3: S3Settings | null;
}

/** Returns the store of an installation. Reaches nothing yet. */
export const openFileStore = ({ folder, s3 }: FileStoreSettings): FileStore =>
  s3 ? new S3Store(s3) : new FolderStore(folder);
