// npm test: type check, lint and all specs, in this order, each even when an earlier one failed. The last line reads
// "N passed, N failed"; the exit code is 0 only when everything passed and at least one test ran.
import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const results = await mkdtemp(join(tmpdir(), 'scrip-test-results-'));

let running = null;
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  // The running stage gets the signal too, and cleans up; what it answers decides.
  process.on(signal, () => running?.kill(signal));
}

const succeeds = (script, args = [], env = {}) =>
  new Promise((done) => {
    const settings = Object.entries(env).map(([name, value]) => `${name}=${value} `);
    console.log(`\n— ${settings.join('')}npm run ${script}`);
    running = spawn('npm', ['run', '--silent', script, '--', ...args], {
      cwd: root,
      stdio: 'inherit',
      env: { ...process.env, ...env },
    });
    running.on('error', () => done(false));
    running.on('exit', (code) => done(code === 0));
  });

const countsIn = async (file) => {
  try {
    const { numPassedTests, numFailedTests, numRuntimeErrorTestSuites } = JSON.parse(
      await readFile(file, 'utf8'),
    );
    return { passed: numPassedTests, failed: numFailedTests + numRuntimeErrorTestSuites };
  } catch {
    return { passed: 0, failed: 1 }; // Jest ended before it could write its results.
  }
};

const failed = [];
for (const stage of ['typecheck', 'lint']) {
  if (!(await succeeds(stage))) failed.push(stage);
}

// The end-to-end suite runs against both shapes.
const stages = [
  { script: 'test:unit' },
  { script: 'test:int' },
  { script: 'test:e2e', env: { SCRIP_TEST_SHAPE: 'embedded' } },
  { script: 'test:e2e', env: { SCRIP_TEST_SHAPE: 'distributed' } },
];
const total = { passed: 0, failed: 0 };
for (const [index, { script, env }] of stages.entries()) {
  const file = join(results, `${index}.json`);
  const ok = await succeeds(script, ['--passWithNoTests', '--json', `--outputFile=${file}`], env);
  const counts = await countsIn(file);
  total.passed += counts.passed;
  total.failed += counts.failed;
  if (!ok) failed.push([script, ...Object.values(env ?? {})].join(' '));
}

await rm(results, { recursive: true, force: true });
if (total.passed + total.failed === 0) failed.push('no test ran');
if (failed.length > 0) console.log(`\nFailed: ${failed.join(', ')}`);
console.log(`\n${total.passed} passed, ${total.failed} failed`);
process.exitCode = failed.length > 0 || total.failed > 0 ? 1 : 0;
