import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { isAlive } from './process-liveness';

/** A running server, as it registered itself in its data folder. */
export interface Postmaster {
  pid: number;
  port: number;
}

// A number may have passed on to a stranger since, for example in a new container.
const serves = (pid: number, dataFolder: string): boolean => {
  const commandLine = `/proc/${pid}/cmdline`;
  if (!existsSync('/proc/self/cmdline')) return true;
  return existsSync(commandLine) && readFileSync(commandLine, 'utf8').split('\0').includes(dataFolder);
};

/** The server that runs on a data folder, however it was started; null when there is none. A registration left by a
 *  killed server is removed when its number belongs to another process now, which PostgreSQL would take for a
 *  server. */
export const runningPostmaster = (dataFolder: string): Postmaster | null => {
  const file = join(dataFolder, 'postmaster.pid');
  if (!existsSync(file)) return null;
  const lines = readFileSync(file, 'utf8').split('\n');
  const [pid, port] = [Number(lines[0]), Number(lines[3])];
  if (!isAlive(pid)) return null;
  if (!serves(pid, dataFolder)) {
    rmSync(file, { force: true });
    return null;
  }
  return Number.isInteger(port) && port > 0 ? { pid, port } : null;
};

/** Ends a server: open transactions are rolled back, everything committed is kept. False when it still runs after
 *  `timeoutMs`. */
export const stopPostmaster = async ({ pid }: { pid: number }, timeoutMs: number): Promise<boolean> => {
  try {
    process.kill(pid, 'SIGINT');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return true;
    throw error;
  }
  const deadline = Date.now() + timeoutMs;
  while (isAlive(pid)) {
    if (Date.now() > deadline) return false;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return true;
};
