// For each guard, proves that its test would notice the guard's absence: applies one patch of `patches/` to a scratch
// copy of the repository, runs the test that the patch names, and expects it to fail there. The tests are expected to
// pass on the unpatched tree; `--check` runs them there first.
//
// Usage: npm run test:mutants [-- --check] [-- name…]      name: part of a patch's file name
// A patch begins with `Guard: …` (what it removes) and `Test: <unit|int|e2e|long> <spec path> -t "<name>"`.
import { spawnSync } from 'node:child_process';
import { readFileSync, readdirSync, rmSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import copies from './scratch-copy.cjs';

const here = dirname(fileURLToPath(import.meta.url));
const root = resolve(here, '../..');
const words = process.argv.slice(2);
const checkFirst = words.includes('--check');
const names = words.filter((word) => !word.startsWith('--'));

const header = (text, field) => text.match(new RegExp(`^${field}: (.+)$`, 'm'))?.[1];

const readPatch = (file) => {
  const text = readFileSync(join(here, 'patches', file), 'utf8');
  const [, kind, spec, test] = header(text, 'Test')?.match(/^(unit|int|e2e|long) (\S+) -t "(.+)"$/) ?? [];
  if (!kind || !header(text, 'Guard')) throw new Error(`${file} names no guard or no test`);
  return { file, guard: header(text, 'Guard'), kind, spec, test };
};

const run = (command, args, cwd) =>
  spawnSync(command, args, {
    cwd,
    encoding: 'utf8',
    env: { ...process.env, CI: 'true' },
    maxBuffer: 64 * 1_024 * 1_024,
  });

/** Returns how many tests of the patch passed and failed in `tree`. */
const outcomeOf = ({ kind, spec, test }, tree) => {
  const args = ['-c', `tools/jest/${kind}.config.js`, '--json', '--testNamePattern', test, spec];
  // Processes under test run from the build.
  run('node', ['tools/build/build.mjs'], tree);
  const { stdout, stderr } = run(join(root, 'node_modules/.bin/jest'), args, tree);
  try {
    const { numPassedTests, numFailedTests, numRuntimeErrorTestSuites } = JSON.parse(
      stdout.slice(stdout.indexOf('{')),
    );
    return {
      passed: numPassedTests,
      failed: numFailedTests,
      broken: numRuntimeErrorTestSuites,
      output: stderr,
    };
  } catch {
    return { passed: 0, failed: 0, broken: 1, output: stderr };
  }
};

const patches = readdirSync(join(here, 'patches'))
  .filter(
    (file) => file.endsWith('.patch') && (names.length === 0 || names.some((name) => file.includes(name))),
  )
  .map(readPatch);

const verdictOn = (patch) => {
  const copy = copies.scratchCopy();
  try {
    if (checkFirst) {
      const { passed, failed, broken, output } = outcomeOf(patch, copy);
      if (passed === 0 || failed > 0 || broken > 0)
        return { survived: true, why: `fails without the patch:\n${output}` };
    }
    const applied = run('git', ['apply', '--whitespace=nowarn', join(here, 'patches', patch.file)], copy);
    if (applied.status !== 0) return { survived: true, why: `does not apply: ${applied.stderr.trim()}` };
    const { passed, failed, broken, output } = outcomeOf(patch, copy);
    if (failed > 0) return { survived: false };
    return {
      survived: true,
      why: broken > 0 ? `the test could not run:\n${output}` : `${passed} tests passed without the guard`,
    };
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
};

let killed = 0;
for (const patch of patches) {
  const { survived, why } = verdictOn(patch);
  killed += survived ? 0 : 1;
  console.log(
    `${survived ? 'SURVIVED' : 'killed  '} ${patch.file}: ${patch.guard}${why ? `\n         ${why}` : ''}`,
  );
}
console.log(`${killed} of ${patches.length} mutants killed`);
if (killed < patches.length || patches.length === 0) process.exitCode = 1;
