import type { Readable } from 'node:stream';

/** A stored file, as a listing tells it. */
export interface StoredFile {
  name: string;
  modifiedAt: Date;
}

/** Keeps files by name. A name is written once: texts of lower-case letters, digits, `-`, `.` and `/`. */
export interface FileStore {
  /** Stores what `content` yields, piece by piece, under a new name. A file is there as a whole or not at all. Throws what
   *  `content` throws, and faults of the store. */
  write(name: string, content: Readable): Promise<void>;

  /** Opens a file; null where there is none of this name. */
  read(name: string): Promise<Readable | null>;

  /** Deletes a file; does nothing where there is none. */
  delete(name: string): Promise<void>;

  /** The files whose names begin with `prefix`, which ends with `/`, in no order. */
  list(prefix: string): AsyncIterable<StoredFile>;

  /** Deletes what writes left behind that began before `before` and never ended. */
  sweepUnfinished(prefix: string, before: Date): Promise<void>;
}

const nameForm = /^[a-z0-9][a-z0-9.-]*(?:\/[a-z0-9][a-z0-9.-]*)+$/;

/** Returns the name. Throws `TypeError` where a folder or a bucket could take it for something else. */
export const checkedName = (name: string): string => {
  if (name.length > 255 || !nameForm.test(name)) throw new TypeError(`${name} is no name of a file`);
  return name;
};
