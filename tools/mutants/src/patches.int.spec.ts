import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const root = resolve(__dirname, '../../..');
const folder = join(__dirname, '../patches');

/** What is wrong with a patch; null: nothing. */
const problemOf = (file: string): string | null => {
  const text = readFileSync(join(folder, file), 'utf8');
  const [, spec, test] = /^Test: (?:unit|int|e2e|long) (\S+) -t "(.+)"$/m.exec(text) ?? [];
  if (spec === undefined || test === undefined || !/^Guard: .+$/m.test(text))
    return 'names no guard or no test';
  if (!existsSync(join(root, spec))) return `names ${spec}, which is not there`;
  try {
    new RegExp(test);
  } catch {
    return `names its test by "${test}", which is no pattern`;
  }
  const { status, stderr } = spawnSync('git', ['apply', '--check', join(folder, file)], {
    cwd: root,
    encoding: 'utf8',
  });
  return status === 0 ? null : stderr;
};

describe('the planted faults', () => {
  it('name a guard and a test that is there, and apply to the code as it is', () => {
    const wrong = readdirSync(folder).flatMap((file) => {
      const problem = problemOf(file);
      return problem === null ? [] : { file, problem };
    });
    expect(wrong).toEqual([]);
  });
});
