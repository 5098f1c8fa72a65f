import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';

/** Whether process `pid` exists, of any user. */
export const isAlive = (pid: number): boolean => {
  if (!Number.isInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
};

const commandLineOf = (pid: number): string => {
  const file = `/proc/${pid}/cmdline`;
  if (existsSync('/proc/self/cmdline'))
    return existsSync(file) ? readFileSync(file, 'utf8').replaceAll('\0', ' ') : '';
  return execFileSync('ps', ['-ww', '-o', 'args=', '-p', String(pid)], { encoding: 'utf8' });
};

/** Whether process `pid` is the broker that was started with this properties file; the number may have passed on to a
 *  stranger since. */
export const isBroker = (pid: number, propertiesFile: string): boolean => {
  try {
    return isAlive(pid) && commandLineOf(pid).includes(propertiesFile);
  } catch {
    return false; // It ended while it was looked at.
  }
};
