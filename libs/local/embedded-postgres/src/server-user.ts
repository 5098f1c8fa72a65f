import { execFileSync, spawnSync } from 'node:child_process';

/** The user that PostgreSQL runs as, since it refuses to run as root; undefined where the current user will do. */
export interface ServerUser {
  readonly name: string;
  readonly uid: number;
  readonly gid: number;
}

/** Where root keeps what PostgreSQL's user must reach when the data directory or the checkout is closed to that user. */
export const foldersOfRoot = '/var/lib/scrip';

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
  if (process.getuid?.() !== 0) return undefined;
  for (const name of ['postgres', 'nobody']) {
    const [uid, gid] = [idOf('-u', name), idOf('-g', name)];
    if (uid !== null && gid !== null) return { name, uid, gid };
  }
  throw new Error('PostgreSQL does not run as root, and there is neither a user postgres nor a user nobody');
};

/** Identity of a child process that runs as `user`. */
export const asUser = (user: ServerUser | undefined): { uid?: number; gid?: number } =>
  user ? { uid: user.uid, gid: user.gid } : {};

/** Whether `user` may enter a folder. */
export const canEnter = (user: ServerUser | undefined, folder: string): boolean =>
  user === undefined ||
  spawnSync('/bin/sh', ['-c', 'cd "$1"', 'sh', folder], { ...asUser(user), cwd: '/', stdio: 'ignore' })
    .status === 0;
