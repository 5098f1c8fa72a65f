import { existsSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isAlive, ownerOf } from './postgres-binaries';

const serverPidIn = (folder: string): number | null => {
  const pidFile = join(folder, 'data', 'postmaster.pid');
  return existsSync(pidFile) ? Number.parseInt(readFileSync(pidFile, 'utf8'), 10) : null;
};

// The number may have passed on to a stranger since.
const serves = (pid: number, folder: string): boolean => {
  const commandLine = `/proc/${pid}/cmdline`;
  return existsSync(commandLine) && readFileSync(commandLine, 'utf8').includes(folder);
};

/** Stops servers and removes folders of earlier test runs that were killed before they could do so themselves. */
export const removeLeftovers = (): void => {
  for (const name of readdirSync(tmpdir())) {
    const owner = ownerOf(name);
    if (owner === null || isAlive(owner)) continue;
    const folder = join(tmpdir(), name);
    try {
      const pid = serverPidIn(folder);
      if (pid !== null && serves(pid, folder)) process.kill(pid, 'SIGQUIT');
      rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
    } catch {
      // Another user's, or another run is removing it right now: not this run's concern.
    }
  }
};
