import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { scratchCopy } from '../../mutants/scratch-copy.cjs';

const timeoutMs = 600_000;

describe('npm run new:context and npm run new:feature', () => {
  let copy: string;

  beforeAll(() => {
    copy = scratchCopy();
  });
  afterAll(() => rmSync(copy, { recursive: true, force: true }));

  const run = (program: string, ...args: string[]) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [join(copy, program), ...args], {
      cwd: copy,
      encoding: 'utf8',
      env: { ...process.env, JEST_WORKER_ID: undefined },
    });
    return { status, output: status === 0 ? '' : stdout + stderr };
  };
  const succeeded = { status: 0, output: '' };

  it(
    'make a context and a second feature of it, which compile and pass their specs as they are',
    () => {
      const generator = 'tools/generator/new.mjs';
      expect(run(generator, 'context', 'exhibitions', 'exhibit', '--no-pages')).toEqual(succeeded);
      expect(run(generator, 'feature', 'exhibitions', 'opening-party', '--no-pages')).toEqual(succeeded);
      expect(run('node_modules/typescript-native/bin/tsc', '-p', 'tsconfig.json')).toEqual(succeeded);

      expect(run('tools/build/build.mjs')).toEqual(succeeded);
      const jest = 'node_modules/jest/bin/jest.js';
      const made = ['libs/contexts/exhibitions', 'tools/generator/src/registered'];
      for (const kind of ['unit', 'int'])
        expect(run(jest, '-w', '1', '-c', `tools/jest/${kind}.config.js`, ...made)).toEqual(succeeded);
    },
    timeoutMs,
  );

  it(
    'make features of contexts that have the fixtures and refusals of a new one, which compile',
    () => {
      for (const name of ['campaigns', 'catalog', 'promotions'])
        expect(run('tools/generator/new.mjs', 'feature', name, `${name}-badge`, '--no-pages')).toEqual(
          succeeded,
        );
      expect(run('node_modules/typescript-native/bin/tsc', '-p', 'tsconfig.json')).toEqual(succeeded);
    },
    timeoutMs,
  );

  it('refuse names that exist already, or cannot be names', () => {
    const usage = expect.stringContaining('usage: npm run new:context');
    expect(run('tools/generator/new.mjs', 'context', 'auth', 'key')).toEqual({ status: 1, output: usage });
    expect(run('tools/generator/new.mjs', 'feature', 'auth', 'Key')).toEqual({ status: 1, output: usage });
    expect(run('tools/generator/new.mjs', 'feature', 'nowhere', 'key')).toEqual({ status: 1, output: usage });
  });
});
