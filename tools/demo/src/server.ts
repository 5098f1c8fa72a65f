import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** What `credentials.json` holds. */
export interface Credentials {
  base_url: string;
  project_id: string;
  app_id: string;
  app_token: string;
  management_id: string;
  management_token: string;
  webhook_token: string;
}

/** The server that the demo talks to. */
export interface Server {
  credentials: Credentials;
  /** Ends the server if the demo started it. */
  close(): Promise<void>;
}

const startTimeoutMs = 180_000;
const dataDir = resolve(process.env.SCRIP_DATA_DIR ?? '.scrip');
const program = resolve(__dirname, '..', '..', '..', 'apps', 'scrip', 'dist', 'main.js');

const readCredentials = (): Credentials | null => {
  const path = join(dataDir, 'credentials.json');
  if (!existsSync(path)) return null;
  const credentials = JSON.parse(readFileSync(path, 'utf8')) as Partial<Credentials>;
  return credentials.webhook_token === undefined ? null : (credentials as Credentials);
};

const running = async (): Promise<Credentials | null> => {
  const credentials = readCredentials();
  if (!credentials) return null;
  try {
    const response = await fetch(`${credentials.base_url}/readyz`, { signal: AbortSignal.timeout(10_000) });
    return response.ok ? credentials : null;
  } catch {
    return null; // No process listens there: the caller starts a server.
  }
};

const untilReady = async (server: ChildProcess): Promise<Credentials> => {
  const deadline = Date.now() + startTimeoutMs;
  while (Date.now() < deadline) {
    if (server.exitCode !== null) throw new Error(`the server ended with status ${server.exitCode}`);
    const credentials = await running();
    if (credentials) return credentials;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error('the server did not become ready');
};

/** The running server of the data directory, or one started for the demo. */
export const findServer = async (): Promise<Server> => {
  const credentials = await running();
  if (credentials) return { credentials, close: async () => undefined };
  process.stdout.write(`No server runs on ${dataDir}: starting one.\n`);
  const server = spawn(process.execPath, [program], { stdio: ['ignore', 'ignore', 'inherit'] });
  const close = async (): Promise<void> => {
    if (server.exitCode !== null || server.signalCode !== null) return;
    server.kill('SIGTERM');
    await once(server, 'exit');
  };
  try {
    return { credentials: await untilReady(server), close };
  } catch (error) {
    await close();
    throw error;
  }
};
