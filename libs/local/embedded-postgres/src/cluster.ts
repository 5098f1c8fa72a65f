import { execFile, execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { isAlive } from './process-liveness';
import type { Programs } from './programs';
import { type ServerUser, asUser, canEnter, foldersOfRoot } from './server-user';

/** A cluster on disk. */
export interface Cluster {
  /** Holds `data`, `password` and `server.log`. */
  home: string;
  dataFolder: string;
  logFile: string;
  /** Of the superuser `scrip`. */
  password: string;
  /** Resolves when a cluster made just now is safe on disk; at once for an older one. */
  synced: Promise<void>;
}

/** Where the cluster of a data directory lies: inside it, except for root where PostgreSQL's user cannot get there (as
 *  in root's home); then under /var/lib/scrip in a folder of a random name, which `postgres-location` in the data directory
 *  keeps. A data directory that is made again under its old path therefore never finds the cluster of the old one, whose
 *  secrets only the old master key opens. */
export const clusterHome = (dataDir: string, user: ServerUser | undefined): string => {
  const pointer = join(dataDir, 'postgres-location');
  if (existsSync(pointer)) return readFileSync(pointer, 'utf8').trim();
  const inside = join(dataDir, 'postgres');
  if (existsSync(inside) || canEnter(user, dataDir)) return inside;
  mkdirSync(foldersOfRoot, { recursive: true, mode: 0o755 });
  return keptOrNew(pointer, join(foldersOfRoot, randomBytes(8).toString('hex')));
};

/** Writes `path` into the file `pointer`, whole; of two starts at once the first one's path is kept. */
const keptOrNew = (pointer: string, path: string): string => {
  const aside = `${pointer}.${process.pid}`;
  writeFileSync(aside, `${path}\n`);
  try {
    linkSync(aside, pointer);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    rmSync(aside);
  }
  return readFileSync(pointer, 'utf8').trim();
};

const partialPrefix = (home: string): string => `${home}.new-`;

const removePartials = (home: string): void => {
  const folder = dirname(home);
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    if (!path.startsWith(partialPrefix(home))) continue;
    if (!isAlive(Number(path.slice(partialPrefix(home).length))))
      rmSync(path, { recursive: true, force: true });
  }
};

// Made beside its place and renamed, so that a start that is killed midway, or beaten by another, leaves no half cluster.
const createCluster = (home: string, { initdb }: Programs, user: ServerUser | undefined): void => {
  removePartials(home);
  const partial = `${partialPrefix(home)}${process.pid}`;
  const passwordFile = join(partial, 'password');
  mkdirSync(partial, { mode: 0o700 });
  writeFileSync(passwordFile, `${randomBytes(24).toString('base64url')}\n`, { mode: 0o600 });
  if (user) [partial, passwordFile].forEach((path) => chownSync(path, user.uid, user.gid));
  const locale = ['--encoding=UTF8', '--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--locale=C'];
  const access = ['--username=scrip', '--auth=scram-sha-256', `--pwfile=${passwordFile}`];
  try {
    execFileSync(initdb, ['-D', join(partial, 'data'), '--no-sync', ...access, ...locale], {
      ...asUser(user),
      cwd: partial,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    renameSync(partial, home);
  } catch (error) {
    rmSync(partial, { recursive: true, force: true });
    if (!existsSync(join(home, 'data'))) throw error;
  }
};

// A thousand files take longer to sync than to make, so that goes on beside the start of everything else.
const syncCluster = async (
  home: string,
  { initdb }: Programs,
  user: ServerUser | undefined,
): Promise<void> => {
  await promisify(execFile)(initdb, ['-D', join(home, 'data'), '--sync-only'], {
    ...asUser(user),
    cwd: home,
  });
};

/** The cluster of a data directory, made where there is none. Throws what `initdb` says. */
export const openCluster = (dataDir: string, programs: Programs, user: ServerUser | undefined): Cluster => {
  const home = clusterHome(dataDir, user);
  const isNew = !existsSync(join(home, 'data'));
  if (isNew) createCluster(home, programs, user);
  chmodSync(home, 0o700);
  return {
    home,
    dataFolder: join(home, 'data'),
    logFile: join(home, 'server.log'),
    password: readFileSync(join(home, 'password'), 'utf8').trim(),
    synced: isNew ? syncCluster(home, programs, user) : Promise.resolve(),
  };
};
