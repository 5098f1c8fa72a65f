import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import type { Distributed } from './distributed';

const script = resolve(__dirname, '..', '..', '..', 'messaging', 'dist', 'main.js');

/** What `npm run messaging -- …` says, beside the running processes; also where something still waits. */
export const operate = async (shape: Distributed, ...command: string[]): Promise<string> => {
  const env = { ...process.env, SCRIP_DATA_DIR: shape.folder, DATABASE_URL: shape.postgres.directUrl };
  try {
    const { stdout } = await promisify(execFile)(process.execPath, [script, ...command], { env });
    return stdout.trim();
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
    return `${stdout}${stderr}`.trim();
  }
};
