// Runs npm scripts, each even when an earlier one failed, and counts what jest reports.
import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = resolve(dirname(fileURLToPath(import.meta.url)), '../..');

const running = new Set();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  // What runs gets the signal too, and cleans up; its exit code decides.
  process.on(signal, () => running.forEach((one) => one.kill(signal)));
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

const succeeds = (script, args = [], env = {}) => {
  console.log(titleOf(script, env));
  const options = { cwd: root, stdio: 'inherit', env: { ...process.env, ...env } };
  return end(spawn('npm', ['run', '--silent', script, '--', ...args], options));
};

const besideEachOtherMax = 2;

/** Runs scripts, two of them beside each other, and prints what each wrote in one piece. Returns those that failed. */
const failedOf = async (scripts) => {
  const failed = [];
  const waiting = [...scripts];
  const runner = async () => {
    for (let script = waiting.shift(); script !== undefined; script = waiting.shift()) {
      const child = spawn('npm', ['run', '--silent', script], {
        cwd: root,
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      const written = [];
      for (const stream of [child.stdout, child.stderr]) stream.on('data', (part) => written.push(part));
      const ok = await end(child);
      console.log(titleOf(script));
      process.stdout.write(Buffer.concat(written));
      if (!ok) failed.push(script);
    }
  };
  await Promise.all(Array.from({ length: besideEachOtherMax }, runner));
  return failed;
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

/** Runs `checks` (groups of npm scripts; those of a group beside each other), then `stages` of jest: `{ script, args,
 *  env }`. The last line printed reads "N passed, N failed"; the exit code is 0 only when everything passed and at least
 *  one test ran. */
export const runStages = async (checks, stages) => {
  const results = await mkdtemp(join(tmpdir(), 'scrip-test-results-'));
  const failed = [];
  for (const group of checks) failed.push(...(await failedOf(group)));
  const total = { passed: 0, failed: 0 };
  for (const [index, { script, args = [], env }] of stages.entries()) {
    const file = join(results, `${index}.json`);
    const ok = await succeeds(script, ['--passWithNoTests', '--json', `--outputFile=${file}`, ...args], env);
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
};
