// Runs npm scripts and counts what jest reports.
import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = resolve(dirname(fileURLToPath(import.meta.url)), '../..');

const running = new Set();
let isEnding = false;
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.on(signal, () => {
    isEnding = true; // What waits does not begin; what runs gets the signal too, and cleans up.
    running.forEach((one) => one.kill(signal));
  });
}

const titleOf = (script, env = {}) => {
  const settings = Object.entries(env).map(([name, value]) => `${name}=${value} `);
  return `\n— ${settings.join('')}npm run ${script}`;
};

const end = (child) =>
  new Promise((done) => {
    running.add(child);
    child.on('error', () => done(false));
    child.on('close', (code) => done(code === 0));
  }).finally(() => running.delete(child));

/** Runs a script. `isAlone`: what it writes is seen at once, and else in one piece at its end. */
const succeeds = async ({ script, args = [], env = {} }, isAlone) => {
  if (isAlone) console.log(titleOf(script, env));
  const child = spawn('npm', ['run', '--silent', script, '--', ...args], {
    cwd: root,
    stdio: isAlone ? 'inherit' : ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...env },
  });
  const written = [];
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (part) => written.push(part));
  const ok = await end(child);
  if (!isAlone) {
    console.log(titleOf(script, env));
    process.stdout.write(Buffer.concat(written));
  }
  return ok;
};

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

const hasSpecs = ({ script }) => script.startsWith('test:');
const besideEachOtherMax = 2;

/** Runs stages in turn, each even when one before it failed. A stage is a list of npm scripts (`{ script, args, env }`), of which
 *  two run beside each other, the first ones first; what jest reports of those named `test:…` is counted. The last line printed
 *  reads "N passed, N failed"; the exit code is 0 only when everything passed and at least one test ran. */
export const runStages = async (stages) => {
  const results = await mkdtemp(join(tmpdir(), 'scrip-test-results-'));
  const failed = [];
  const total = { passed: 0, failed: 0 };
  const run = async (job, isAlone) => {
    const { script, args = [], env = {} } = job;
    const file = join(results, `${[script, ...Object.values(env)].join('-').replaceAll(':', '-')}.json`);
    const counted = ['--passWithNoTests', '--json', `--outputFile=${file}`];
    const ok = await succeeds(hasSpecs(job) ? { script, args: [...counted, ...args], env } : job, isAlone);
    if (!ok) failed.push([script, ...Object.values(env)].join(' '));
    if (!hasSpecs(job)) return;
    const counts = await countsIn(file);
    total.passed += counts.passed;
    total.failed += counts.failed;
  };
  for (const stage of stages) {
    const waiting = [...stage];
    const runner = async () => {
      for (let job = waiting.shift(); job !== undefined && !isEnding; job = waiting.shift())
        await run(job, stage.length === 1);
    };
    await Promise.all(Array.from({ length: besideEachOtherMax }, runner));
  }
  await rm(results, { recursive: true, force: true });
  if (isEnding) failed.push('ended by a signal');
  if (total.passed + total.failed === 0) failed.push('no test ran');
  if (failed.length > 0) console.log(`\nFailed: ${failed.join(', ')}`);
  console.log(`\n${total.passed} passed, ${total.failed} failed`);
  process.exitCode = failed.length > 0 || total.failed > 0 ? 1 : 0;
};
