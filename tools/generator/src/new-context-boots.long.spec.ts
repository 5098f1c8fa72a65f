import { spawnSync } from 'node:child_process';
import { kafkaBrokers, testedShape } from '@scrip/testing';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { scratchCopy } from '../../mutants/scratch-copy.cjs';

// The shape is the one that this run is about.
it('a new context boots beside the others, takes a command and lists', async () => {
  const copy = scratchCopy();
  // The servers of this run are those of the run inside it.
  const env =
    testedShape() === 'distributed'
      ? { ...process.env, SCRIP_TEST_KAFKA_BROKERS: await kafkaBrokers() }
      : process.env;
  const run = (program: string, ...args: string[]) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [join(copy, program), ...args], {
      cwd: copy,
      env,
      encoding: 'utf8',
    });
    return { status, output: status === 0 ? '' : stdout + stderr };
  };
  const succeeded = { status: 0, output: '' };
  try {
    const names = ['exhibitions', 'exhibit'];
    expect(run('tools/generator/new.mjs', 'context', ...names, '--no-pages')).toEqual(succeeded);
    expect(run('tools/build/build.mjs')).toEqual(succeeded);
    const made = 'apps/scrip/src/contexts/exhibitions-exhibit.e2e.spec.ts';
    expect(run('node_modules/jest/bin/jest.js', '-c', 'tools/jest/e2e.config.js', made)).toEqual(succeeded);
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}, 600_000);
