import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { sdkFile } from '../openapi/openapi-file';
import { repositoryRoot } from '../types/source-program';

/** The document that clients are generated from. */
export const documentFile = sdkFile;

const run = promisify(execFile);

/** What every client prints that does the main job. */
export const printed = [
  'valid: true',
  'total: 18000',
  'redeemed: SUCCESS',
  'again: quantity_exceeded',
  'rolled back: SUCCESS',
];

/** The program of `docs/clients.md` in one of its languages. Throws `Error` where there is none. */
export const programIn = (language: 'ts' | 'python'): string => {
  const page = readFileSync(join(repositoryRoot, 'docs/clients.md'), 'utf8');
  const [, program] = new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``).exec(page) ?? [];
  if (program === undefined) throw new Error(`docs/clients.md has no program in ${language}`);
  return program;
};

/** A folder that is removed after the test. */
export const temporaryFolder = (): { path: string; remove: () => void } => {
  const path = mkdtempSync(join(tmpdir(), 'scrip-client-'));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
};

/** Runs a program to its end. Returns its lines; rejects with its output where it fails. */
export const linesOf = async (
  program: string,
  args: readonly string[],
  { cwd, env = {} }: { cwd: string; env?: Record<string, string> },
): Promise<string[]> => {
  const { stdout, stderr } = await run(program, [...args], { cwd, env: { ...process.env, ...env } });
  return `${stdout}${stderr}`.split('\n').filter((line) => line !== '');
};
