import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { checkedName, type FileStore, type StoredFile } from './file-store';

const unfinished = '.part';

const isMissing = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'ENOENT';

/** Null where there is no such file or folder. */
const ifThere = <T>(work: Promise<T>): Promise<T | null> =>
  work.catch((error: unknown) => {
    if (isMissing(error)) return null;
    throw error;
  });

/** Makes what a folder lists as durable as the files in it. */
const syncFolder = async (path: string): Promise<void> => {
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
};

/** Files in a folder that every process of the installation reaches under its path. A file is written beside its place and
 *  moved there when it is whole and on disk. */
export class FolderStore implements FileStore {
  /** `folder`: absolute path; made on the first write. */
  constructor(private readonly folder: string) {}

  async write(name: string, content: Readable): Promise<void> {
    const path = this.pathOf(name);
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    const partial = `${path}.${randomUUID()}${unfinished}`;
    try {
      await pipeline(content, createWriteStream(partial, { flags: 'wx', mode: 0o600, flush: true }));
      await rename(partial, path);
    } catch (error) {
      await rm(partial, { force: true });
      throw error;
    }
    await syncFolder(dirname(path));
  }

  async read(name: string): Promise<Readable | null> {
    const file = await ifThere(open(this.pathOf(name), 'r'));
    return file?.createReadStream() ?? null;
  }

  async delete(name: string): Promise<void> {
    await rm(this.pathOf(name), { force: true });
  }

  async *list(prefix: string): AsyncGenerator<StoredFile> {
    for await (const { name, modifiedAt } of this.entries(prefix))
      if (!name.endsWith(unfinished)) yield { name, modifiedAt };
  }

  async sweepUnfinished(prefix: string, before: Date): Promise<void> {
    for await (const { name, modifiedAt } of this.entries(prefix))
      if (name.endsWith(unfinished) && modifiedAt < before)
        await rm(join(this.folder, name), { force: true });
  }

  private async *entries(prefix: string): AsyncGenerator<StoredFile> {
    const names = (await ifThere(readdir(join(this.folder, prefix)))) ?? [];
    for (const name of names) {
      const found = await ifThere(stat(join(this.folder, prefix, name)));
      if (found?.isFile()) yield { name: `${prefix}${name}`, modifiedAt: found.mtime };
    }
  }

  private pathOf(name: string): string {
    return join(this.folder, checkedName(name));
  }
}
