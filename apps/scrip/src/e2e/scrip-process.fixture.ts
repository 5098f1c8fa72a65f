import {
  type Scrip,
  type ScripOptions,
  type ScripProgram,
  patientAnswers,
  spawnScrip,
  startScrip,
  waitUntil,
} from '@scrip/testing';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

/** Root of the repository. */
export const root = resolve(__dirname, '..', '..', '..', '..');

/** Compiles what the processes run. */
export const build = (): void => {
  execFileSync(process.execPath, [join(root, 'tools', 'build', 'build.mjs')], { cwd: root, stdio: 'ignore' });
};

export const newDataDir = (): string => mkdtempSync(join(tmpdir(), 'scrip-e2e-'));

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

/** Permissions of a file as `chmod` writes them, '600' for one. */
export const modeOf = (path: string): string => (statSync(path).mode & 0o777).toString(8);

/** A Scrip that is ready. In the embedded shape, whatever others run in: how services start is tested where they are started. */
export const start = (
  dataDir: string,
  options: Pick<ScripOptions, 'environment' | 'user' | 'databaseUrl'> = {},
): Promise<Scrip> =>
  startScrip({
    ...{ dataDir, shape: 'embedded', choosesKeys: true, ...options },
    environment: { ...patientAnswers, ...options.environment },
  });

/** Such a program, whose readiness is not waited for. */
export const begin = (dataDir: string, environment: Record<string, string> = {}): ScripProgram =>
  spawnScrip({ dataDir, environment, shape: 'embedded' });

/** Runs a built program to its end, with `env` and nothing else of this process but its path. */
export const run = async (
  program: string,
  env: NodeJS.ProcessEnv,
  args: readonly string[] = [],
): Promise<{ status: number; output: string }> => {
  const child = spawn(process.execPath, [join(root, program), ...args], {
    cwd: root,
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const [status] = (await once(child, 'close')) as [number];
  return { status, output };
};
