import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const runner = resolve(__dirname, '../run-stages.mjs');
const jestProgram = require.resolve('jest/bin/jest');

const passing = `it('holds', () => {});`;
const failing = `it('holds', () => { throw new Error('it never holds'); });`;
/** Fails in its first process only, beside a test that passes in both. */
const failingOnce = `
  const { existsSync, writeFileSync } = require('node:fs');
  const mark = __filename + '.ran';
  const ranBefore = existsSync(mark);
  writeFileSync(mark, '');
  it('holds', () => {});
  it('holds late', () => { console.log('seen', ranBefore); if (!ranBefore) throw new Error('too early'); });`;

describe('stages of npm scripts', () => {
  let folder: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'scrip-stages-'));
    writeFileSync(
      join(folder, 'jest.config.cjs'),
      `module.exports = { rootDir: __dirname, testMatch: ['**/*.probe.cjs'], transform: {} };`,
    );
    const scripts = {
      'test:probe': `node ${jestProgram} -c jest.config.cjs`,
      'test:ending': 'node -e "process.exit(1)"',
      check: 'node -e ""',
      'broken-check': 'node -e "process.exit(1)"',
    };
    writeFileSync(join(folder, 'package.json'), JSON.stringify({ scripts }));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const run = (specs: Record<string, string>, stages: object[][] = [[{ script: 'test:probe' }]], max = 2) => {
    for (const [name, text] of Object.entries(specs)) writeFileSync(join(folder, `${name}.probe.cjs`), text);
    const options = JSON.stringify({ unsteadyMax: max, folder });
    const { status, stdout } = spawnSync(
      process.execPath,
      [
        '--input-type=module',
        '-e',
        `const { runStages } = await import('${runner}'); await runStages(${JSON.stringify(stages)}, ${options});`,
      ],
      { encoding: 'utf8' },
    );
    const lines = stdout.trimEnd().split('\n');
    return { status, stdout, last: lines.at(-1) };
  };

  it('count what passed', () => {
    expect(run({ one: passing, two: passing })).toMatchObject({ status: 0, last: '2 passed, 0 failed' });
  });

  it('stay green where a file passes alone, and show both outputs of it at the end', () => {
    const { status, stdout, last } = run({ one: passing, two: failingOnce });
    expect({ status, last }).toEqual({ status: 0, last: '3 passed, 0 failed' });
    const [, end] = stdout.split('Unsteady: npm run test:probe -- two.probe.cjs');
    expect(end).toMatch(/It failed:[^]*too early[^]*It passed when it ran once more, alone:[^]*seen true/);
    expect(end).toMatch(/Unsteady, to be mended first:\ntwo\.probe\.cjs\n/);
  });

  it('fail where a file fails alone too', () => {
    const { status, stdout, last } = run({ one: passing, two: failing, three: failingOnce });
    expect({ status, last }).toEqual({ status: 1, last: '3 passed, 1 failed' });
    expect(stdout).toMatch(/\nFailed:\nnpm run test:probe -- two\.probe\.cjs\n/);
  });

  it('fail where more files fail than may be unsteady, and run none of them again', () => {
    const { status, stdout, last } = run({ one: failingOnce, two: failingOnce, three: failingOnce });
    expect({ status, last }).toEqual({ status: 1, last: '3 passed, 3 failed' });
    expect(stdout).not.toContain('once more, alone');
  });

  it('fail at the first failure where none may be unsteady', () => {
    expect(run({ one: failingOnce }, undefined, 0)).toMatchObject({
      status: 1,
      last: '1 passed, 1 failed',
    });
  });

  it('end where a script that is no test fails', () => {
    const { status, stdout, last } = run({ one: passing }, [
      [{ script: 'broken-check' }, { script: 'check' }],
      [{ script: 'test:probe' }],
    ]);
    expect({ status, last }).toEqual({ status: 1, last: '0 passed, 0 failed' });
    expect(stdout).toMatch(/\nFailed:\nnpm run broken-check\n/);
  });

  it('fail where a file cannot be read', () => {
    expect(run({ one: passing, two: 'it(' })).toMatchObject({ status: 1, last: '1 passed, 1 failed' });
  });

  it('fail where no test ran', () => {
    expect(run({})).toMatchObject({ status: 1, last: '0 passed, 0 failed' });
  });

  it('fail where jest ends before it writes what it found', () => {
    const stages = [[{ script: 'test:ending' }], [{ script: 'test:probe' }]];
    const { status, stdout, last } = run({ one: passing }, stages);
    expect({ status, last }).toEqual({ status: 1, last: '1 passed, 0 failed' });
    expect(stdout).toMatch(/\nFailed:\nnpm run test:ending\n/);
  });
});
