import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isAlive } from './process-identity';
import { runningBroker } from './registration';

const prefix = 'scrip-kafka-';

/** A new folder for a broker whose data is not needed later. Its name tells which process answers for it. */
export const makeTemporaryFolder = (ownerPid = process.pid): string =>
  mkdtempSync(join(tmpdir(), `${prefix}${ownerPid}-`));

/** Removes a broker's folder. */
export const removeFolder = (folder: string): void =>
  rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });

const ownerOf = (name: string): number | null => {
  const match = new RegExp(`^${prefix}(\\d+)-`).exec(name);
  return match ? Number(match[1]) : null;
};

/** Stops brokers and removes folders of processes that were killed before they could do so themselves. */
export const removeLeftovers = (): void => {
  for (const name of readdirSync(tmpdir())) {
    const owner = ownerOf(name);
    if (owner === null || isAlive(owner)) continue;
    const folder = join(tmpdir(), name);
    try {
      const broker = runningBroker(folder);
      if (broker) process.kill(broker.pid, 'SIGKILL');
      removeFolder(folder);
    } catch {
      // Another user's, or another process is removing it right now: not this one's concern.
    }
  }
};
