import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { waitUntil } from '@scrip/testing';
import type { Credentials } from '../demo-project/credentials';

/** Root of the repository. */
export const root = resolve(__dirname, '..', '..', '..', '..');
const program = join(root, 'apps', 'scrip', 'dist', 'main.js');

/** A started server, as its caller sees it. */
export interface ScripProcess {
  child: ChildProcess;
  dataDir: string;
  /** Everything it wrote so far. */
  output: () => string;
  /** From the start of the process until `/readyz` answers 200, milliseconds. */
  readyAfterMs: number;
  credentials: Credentials;
  get: (path: string) => Promise<{ status: number; body: Record<string, unknown> }>;
  post: (path: string, json: unknown) => Promise<{ status: number; body: Record<string, unknown> }>;
}

/** Compiles what the processes run. */
export const build = (): void => {
  execFileSync(process.execPath, [join(root, 'tools', 'build.mjs')], { cwd: root, stdio: 'ignore' });
};

export const freePort = async (): Promise<number> => {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, 'close');
  return port;
};

export const newDataDir = (): string => mkdtempSync(join(tmpdir(), 'scrip-e2e-'));

/** Starts a process without waiting for it; `as` runs it as another user. */
export const spawnScrip = (
  dataDir: string,
  env: NodeJS.ProcessEnv,
  as?: string,
): { child: ChildProcess; output: () => string } => {
  const [command, args] = as
    ? ['runuser', ['-u', as, '--', process.execPath, program]]
    : [process.execPath, [program]];
  const child = spawn(command as string, args as string[], {
    cwd: '/',
    env: { PATH: process.env.PATH, SCRIP_DATA_DIR: dataDir, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let text = '';
  child.stdout?.on('data', (chunk: Buffer) => (text += chunk.toString()));
  child.stderr?.on('data', (chunk: Buffer) => (text += chunk.toString()));
  return { child, output: () => text };
};

const isReady = async (url: string): Promise<boolean> => {
  try {
    return (await fetch(`${url}/readyz`)).ok;
  } catch {
    return false; // Not listening yet.
  }
};

const caller =
  (credentials: Credentials) =>
  async (path: string, json?: unknown): Promise<{ status: number; body: Record<string, unknown> }> => {
    const response = await fetch(`${credentials.base_url}${path}`, {
      method: json === undefined ? 'GET' : 'POST',
      headers: {
        'X-App-Id': credentials.app_id,
        'X-App-Token': credentials.app_token,
        ...(json === undefined ? {} : { 'Content-Type': 'application/json' }),
      },
      ...(json === undefined ? {} : { body: JSON.stringify(json) }),
    });
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  };

/** Starts a server and waits until it is ready. Throws with its output when it ends before. */
export const startScrip = async (
  dataDir: string,
  env: NodeJS.ProcessEnv = {},
  as?: string,
): Promise<ScripProcess> => {
  const port = Number(env.SCRIP_PORT ?? (await freePort()));
  const startedAt = performance.now();
  const { child, output } = spawnScrip(dataDir, { SCRIP_PORT: String(port), ...env }, as);
  const url = `http://127.0.0.1:${port}`;
  await waitUntil(
    async () => {
      if (child.exitCode !== null) throw new Error(`ended with status ${child.exitCode}:\n${output()}`);
      return isReady(url);
    },
    { what: `a ready server; its output:\n${output()}`, timeoutMs: 60_000, intervalMs: 20 },
  );
  const readyAfterMs = performance.now() - startedAt;
  const credentials = JSON.parse(readFileSync(join(dataDir, 'credentials.json'), 'utf8')) as Credentials;
  const call = caller(credentials);
  return { child, dataDir, output, readyAfterMs, credentials, get: (path) => call(path), post: call };
};

/** Sends a signal and waits for the end of the process. */
export const end = async (child: ChildProcess, signal: NodeJS.Signals): Promise<void> => {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill(signal);
  await once(child, 'exit');
};

/** The PostgreSQL server of a data directory that runs now; null when none does. */
export const postgresPid = (dataDir: string): number | null => {
  const file = join(dataDir, 'postgres', 'data', 'postmaster.pid');
  return existsSync(file) ? Number.parseInt(readFileSync(file, 'utf8'), 10) : null;
};

/** Stops what a killed server left behind and removes its data directory. */
export const removeDataDir = async (dataDir: string): Promise<void> => {
  const pid = postgresPid(dataDir);
  if (pid !== null) {
    process.kill(pid, 'SIGINT');
    await waitUntil(() => postgresPid(dataDir) === null, { what: 'the end of PostgreSQL' });
  }
  rmSync(dataDir, { recursive: true, force: true });
};
