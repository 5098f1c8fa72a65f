import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runningPostmaster } from './postmaster';

describe('the server of a data folder', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'scrip-postmaster-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const register = (pid: number): void =>
    writeFileSync(join(folder, 'postmaster.pid'), `${pid}\n${folder}\n1795266992\n5432\n\n127.0.0.1\n`);

  it('is none without a registration', () => {
    expect(runningPostmaster(folder)).toBeNull();
  });

  it('is none when the registered process is gone', () => {
    register(2 ** 22 - 1);
    expect(runningPostmaster(folder)).toBeNull();
  });

  it('is none when its number belongs to another program now, whose registration is removed', () => {
    register(process.pid);
    expect(runningPostmaster(folder)).toBeNull();
    expect(existsSync(join(folder, 'postmaster.pid'))).toBe(false);
  });
});
