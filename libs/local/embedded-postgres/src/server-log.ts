import { constants, closeSync, fchownSync, fstatSync, openSync } from 'node:fs';
import type { ServerUser } from './server-user';

const appendWithoutFollowing =
  constants.O_APPEND | constants.O_CREAT | constants.O_WRONLY | (constants.O_NOFOLLOW ?? 0);

/** Opens the server's log for appending and gives it to `user`. `logStart`: its size in bytes before this server
 *  writes. The folder belongs to that user, who could put a link to another user's file in the log's place: throws
 *  `Error` for anything but a plain file with one name, before its owner changes. */
export const openServerLog = (
  path: string,
  user: Pick<ServerUser, 'uid' | 'gid'> | undefined,
): { log: number; logStart: number } => {
  const log = openSync(path, appendWithoutFollowing, 0o600);
  const { size, nlink } = fstatSync(log);
  const isPlain = fstatSync(log).isFile() && nlink === 1;
  if (!isPlain) {
    closeSync(log);
    throw new Error(`${path} is not a plain file of its own: remove it`);
  }
  if (user) fchownSync(log, user.uid, user.gid);
  return { log, logStart: size };
};
