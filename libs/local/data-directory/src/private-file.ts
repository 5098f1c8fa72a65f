import { randomBytes } from 'node:crypto';
import { closeSync, fsyncSync, linkSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';

const writeAside = (path: string, text: string): string => {
  const aside = `${path}.${randomBytes(6).toString('hex')}`;
  const file = openSync(aside, 'wx', 0o600);
  writeSync(file, text);
  fsyncSync(file);
  closeSync(file);
  return aside;
};

const syncFolder = (path: string): void => {
  const folder = openSync(dirname(path), 'r');
  fsyncSync(folder);
  closeSync(folder);
};

/** Writes a file that only its owner reads (0600); after a crash it has the old content or the new one, whole. */
export const replacePrivateFile = (path: string, text: string): void => {
  renameSync(writeAside(path, text), path);
  syncFolder(path);
};

/** As `replacePrivateFile`, but leaves a file that exists already as it is. False in that case. */
export const createPrivateFile = (path: string, text: string): boolean => {
  const aside = writeAside(path, text);
  try {
    linkSync(aside, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  } finally {
    rmSync(aside);
  }
  syncFolder(path);
  return true;
};
