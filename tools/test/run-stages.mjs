// Runs npm scripts in stages, and counts what jest reports.
import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
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

const nameOf = ({ script, env = {} }) =>
  [...Object.entries(env).map(([name, value]) => `${name}=${value}`), `npm run ${script}`].join(' ');

const end = (child) =>
  new Promise((done) => {
    running.add(child);
    child.on('error', () => done(false));
    child.on('close', (code) => done(code === 0));
  }).finally(() => running.delete(child));

/** Runs a script. Returns whether it ended well, and what it wrote where `isShown` is false. */
const runScript = async ({ script, args = [], env = {} }, folder, isShown) => {
  const child = spawn('npm', ['run', '--silent', script, '--', ...args], {
    cwd: folder,
    stdio: isShown ? 'inherit' : ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...env },
  });
  const written = [];
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (part) => written.push(part));
  const ok = await end(child);
  return { ok, output: Buffer.concat(written).toString() };
};

/** Returns the counts of a file of jest's results; one that only failed to run counts as a failed test. */
const countsOf = ({ assertionResults, status }) => {
  const failed = assertionResults.filter((test) => test.status === 'failed').length;
  return {
    passed: assertionResults.filter((test) => test.status === 'passed').length,
    failed: failed === 0 && status === 'failed' ? 1 : failed,
  };
};

const isOfSpecs = ({ script }) => script.startsWith('test:');
const besideEachOtherMax = 2;

/** Runs stages in turn. A stage is a list of npm scripts (`{ script, args, env }`), of which two run beside each other, the first
 *  ones first. A script that is no test ends the run where it fails, at the end of its stage; tests go on. Spec files that failed,
 *  `unsteadyMax` at most, run once more, alone, after all others: one that passes then is unsteady. The last lines show both
 *  outputs of those, and the very last reads "N passed, N failed". The exit code is 0 only when everything else passed and
 *  at least one test ran. `folder` has the package.json of the scripts. */
export const runStages = async (stages, { unsteadyMax, folder = root }) => {
  const results = await mkdtemp(join(tmpdir(), 'scrip-test-results-'));
  const failures = [];
  const failedFiles = [];
  const total = { passed: 0, failed: 0 };
  const count = ({ passed, failed }, sign = 1) => {
    total.passed += sign * passed;
    total.failed += sign * failed;
  };
  let runs = 0;

  /** Runs a script of specs. Returns what jest reports of each file too; undefined where jest wrote no results. */
  const runSpecs = async (job, isShown) => {
    const file = join(results, `${++runs}.json`);
    const args = ['--json', `--outputFile=${file}`, ...(job.args ?? [])];
    const run = await runScript({ ...job, args }, folder, isShown);
    const report = await readFile(file, 'utf8').then(JSON.parse, () => undefined);
    return { ...run, files: report?.testResults };
  };

  const runJob = async (job, isAlone) => {
    const begunAt = Date.now();
    if (isAlone) console.log(`\n— ${nameOf(job)}`);
    const { ok, output, files } = isOfSpecs(job)
      ? await runSpecs({ ...job, args: ['--passWithNoTests', ...(job.args ?? [])] }, isAlone)
      : await runScript(job, folder, isAlone);
    if (!isAlone) process.stdout.write(`\n— ${nameOf(job)}\n${output}`);
    console.log(`— ${nameOf(job)}: ${Math.round((Date.now() - begunAt) / 1_000)} s`);
    const failed = files?.filter(({ status }) => status === 'failed') ?? [];
    files?.map(countsOf).forEach((counts) => count(counts));
    failedFiles.push(...failed.map((result) => ({ job, result, path: relative(folder, result.name) })));
    if (!ok && failed.length === 0) failures.push(nameOf(job));
    return ok || isOfSpecs(job);
  };

  /** Returns what one of the failed files wrote when it ran once more and passed, else undefined. */
  const passesAlone = async ({ job: { script, env }, result, path }) => {
    console.log(`\n— once more, alone: ${nameOf({ script, env })} -- ${path}`);
    const args = ['--maxWorkers=1', '--runTestsByPath', result.name];
    const { ok, output, files = [] } = await runSpecs({ script, args, env }, false);
    process.stdout.write(output);
    const counts = files.map(countsOf);
    if (!ok || !counts.some(({ passed }) => passed > 0)) return undefined;
    count(countsOf(result), -1);
    counts.forEach((one) => count(one));
    return output;
  };

  for (const stage of stages) {
    const waiting = [...stage];
    const passed = [];
    const runner = async () => {
      for (let job = waiting.shift(); job !== undefined && !isEnding; job = waiting.shift())
        passed.push(await runJob(job, stage.length === 1));
    };
    await Promise.all(Array.from({ length: besideEachOtherMax }, runner));
    if (isEnding || passed.includes(false)) break;
  }
  const unsteady = [];
  for (const failed of failedFiles) {
    const output = failedFiles.length > unsteadyMax || isEnding ? undefined : await passesAlone(failed);
    if (output === undefined) failures.push(`${nameOf(failed.job)} -- ${failed.path}`);
    else unsteady.push({ ...failed, output });
  }
  await rm(results, { recursive: true, force: true });

  for (const { job, path, result, output } of unsteady)
    console.log(
      `\nUnsteady: ${nameOf(job)} -- ${path}\nIt failed:\n${result.message}\nIt passed when it ran once more, alone:\n${output}`,
    );
  if (isEnding) failures.push('ended by a signal');
  if (total.passed + total.failed === 0) failures.push('no test ran');
  if (failures.length > 0) console.log(`\nFailed:\n${failures.join('\n')}`);
  if (unsteady.length > 0)
    console.log(`\nUnsteady, to be mended first:\n${unsteady.map(({ path }) => path).join('\n')}`);
  console.log(`\n${total.passed} passed, ${total.failed} failed`);
  process.exitCode = failures.length > 0 ? 1 : 0;
};
