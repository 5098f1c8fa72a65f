import {
  closeSync,
  linkSync,
  mkdtempSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openServerLog } from './server-log';

const isRoot = process.getuid?.() === 0;
const me = { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 };
const stranger = isRoot ? { uid: 65_534, gid: 65_534 } : me;

describe("the server's log", () => {
  let folder: string;
  let log: string;
  let secret: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'scrip-log-'));
    log = join(folder, 'server.log');
    secret = join(folder, 'shadow');
    writeFileSync(secret, 'of somebody else', { mode: 0o600 });
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it('is made for the user that the server runs as, and appended to', () => {
    const first = openServerLog(log, stranger);
    writeSync(first.log, 'line\n');
    closeSync(first.log);
    const second = openServerLog(log, stranger);
    closeSync(second.log);
    expect([first.logStart, second.logStart]).toEqual([0, 5]);
    expect(statSync(log)).toMatchObject(stranger);
  });

  it.each([
    ['a symbolic link', symlinkSync],
    ['a second name', linkSync],
  ])('is not taken where it is %s of another file, whose owner stays', (_what, link) => {
    link(secret, log);
    expect(() => openServerLog(log, stranger)).toThrow();
    expect(statSync(secret)).toMatchObject(me);
  });
});
