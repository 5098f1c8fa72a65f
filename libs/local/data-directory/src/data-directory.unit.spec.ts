import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDataDirectory } from './data-directory';
import { masterKeyOf } from './master-key';
import { createPrivateFile, replacePrivateFile } from './private-file';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'scrip-data-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const modeOf = (path: string): string => (statSync(path).mode & 0o777).toString(8);

describe('a private file', () => {
  it('is readable by its owner only, and nothing lies beside it', () => {
    replacePrivateFile(join(folder, 'file'), 'a');
    replacePrivateFile(join(folder, 'file'), 'b');
    expect(readFileSync(join(folder, 'file'), 'utf8')).toBe('b');
    expect(modeOf(join(folder, 'file'))).toBe('600');
    expect(readdirSync(folder)).toEqual(['file']);
  });

  it('is created once, whoever comes second', () => {
    expect(createPrivateFile(join(folder, 'file'), 'first')).toBe(true);
    expect(createPrivateFile(join(folder, 'file'), 'second')).toBe(false);
    expect(readFileSync(join(folder, 'file'), 'utf8')).toBe('first');
    expect(readdirSync(folder)).toEqual(['file']);
  });
});

describe('the master key', () => {
  it('is made once, with 32 bytes', () => {
    const key = masterKeyOf(folder).reveal();
    expect(Buffer.from(key, 'base64')).toHaveLength(32);
    expect(masterKeyOf(folder).reveal()).toBe(key);
    expect(modeOf(join(folder, 'master-key'))).toBe('600');
  });

  it('is never replaced when it is damaged', () => {
    writeFileSync(join(folder, 'master-key'), 'half a k');
    expect(() => masterKeyOf(folder)).toThrow('master-key is damaged');
    expect(readFileSync(join(folder, 'master-key'), 'utf8')).toBe('half a k');
  });
});

describe('the data directory', () => {
  it('is made where it is missing, closed to others', () => {
    const path = openDataDirectory(join(folder, 'a', 'b'));
    expect(existsSync(path)).toBe(true);
    expect(modeOf(path)).toBe(process.getuid?.() === 0 ? '711' : '700');
  });

  it('says how to go on when it cannot be used', () => {
    writeFileSync(join(folder, 'file'), '');
    chmodSync(join(folder, 'file'), 0o600);
    expect(() => openDataDirectory(join(folder, 'file', 'data'))).toThrow(
      'choose another folder with SCRIP_DATA_DIR',
    );
  });
});
