import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isBroker } from './process-identity';

/** A running broker, as its starter registered it in the broker's folder. */
export interface Registration {
  readonly pid: number;
  readonly port: number;
  /** The process that answers for it; null when it runs on until `npm run kafka:down`. */
  readonly ownerPid: number | null;
}

/** The properties of the broker of a folder; its path in a command line tells that broker from others. */
export const propertiesFileOf = (folder: string): string => join(folder, 'server.properties');

const fileOf = (folder: string): string => join(folder, 'broker.json');

export const register = (folder: string, registration: Registration): void =>
  writeFileSync(fileOf(folder), `${JSON.stringify(registration)}\n`);

/** Forgets the broker `pid`, but not its successor. */
export const unregister = (folder: string, pid: number): void => {
  if (registered(folder)?.pid === pid) rmSync(fileOf(folder), { force: true });
};

const registered = (folder: string): Registration | null => {
  try {
    return JSON.parse(readFileSync(fileOf(folder), 'utf8')) as Registration;
  } catch (error) {
    if (!existsSync(fileOf(folder)) || error instanceof SyntaxError) return null; // None, or one half written.
    throw error;
  }
};

/** The broker that runs on a folder now, however it was started; null when none does. */
export const runningBroker = (folder: string): Registration | null => {
  const found = registered(folder);
  return found && isBroker(found.pid, propertiesFileOf(folder)) ? found : null;
};
