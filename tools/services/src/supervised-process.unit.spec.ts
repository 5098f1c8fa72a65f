import { waitUntil } from '@scrip/testing';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { ProcessLog } from './process-log';
import { SupervisedProcess } from './supervised-process';

const tool = resolve(__dirname, '..');

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

describe('a supervised process', () => {
  let folder: string;
  let written: string;
  let started: number;
  let supervised: SupervisedProcess;

  beforeAll(() => {
    execFileSync(process.execPath, [resolve(tool, '../build/build.mjs'), tool], { stdio: 'ignore' });
  });
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'scrip-supervised-'));
    written = '';
    started = 0;
  });
  afterEach(async () => {
    await supervised?.stop(1_000);
    rmSync(folder, { recursive: true, force: true });
  });

  const run = (source: string): SupervisedProcess => {
    const script = join(folder, 'program.js');
    writeFileSync(script, source);
    const log = new ProcessLog({ write: (text) => (written += text) }, false, 8);
    supervised = new SupervisedProcess(
      { label: 'one', script, environment: process.env },
      log,
      () => void (started += 1),
    );
    supervised.start();
    return supervised;
  };
  const says = (text: string) => waitUntil(() => written.includes(text), { what: `"${text}" in ${written}` });

  it('is started again when it is killed', async () => {
    const { pid } = run(`console.log('here'); setInterval(() => undefined, 1000)`);
    await says('here');
    process.kill(pid, 'SIGKILL');
    await says('one ended (SIGKILL): it is started again in 200 ms');
    await waitUntil(() => started === 2, { what: 'the second start' });
    expect(supervised.pid).not.toBe(pid);
  });

  it('waits longer each time when it keeps failing', async () => {
    run(`process.exit(7)`);
    await says('one ended (status 7): it is started again in 400 ms');
    expect(written).toContain('one ended (status 7): it is started again in 200 ms');
    expect(supervised.failures).toBe(2);
  });

  it('is not started again when it was asked to end', async () => {
    const { pid } = run(`process.on('SIGTERM', () => { console.log('bye'); process.exit(0); });
      console.log('here'); setInterval(() => undefined, 1000)`);
    await says('here');
    await supervised.stop(5_000);
    expect(isAlive(pid)).toBe(false);
    expect(started).toBe(1);
    expect(written).not.toContain('started again');
  });

  it('is killed when it does not end in time', async () => {
    const { pid } = run(
      `process.on('SIGTERM', () => undefined); console.log('here'); setInterval(() => undefined, 1000)`,
    );
    await says('here');
    await supervised.stop(50);
    expect(isAlive(pid)).toBe(false);
    expect(written).toContain('one has not ended after 50 ms: it is killed');
  });

  it('ends when the process that supervises it is killed', async () => {
    const script = join(folder, 'program.js');
    writeFileSync(script, `console.log('pid ' + process.pid); setInterval(() => undefined, 1000)`);
    const dist = (file: string) => JSON.stringify(join(tool, 'dist', file));
    const supervisor = `
      const { SupervisedProcess } = require(${dist('supervised-process.js')});
      const log = { line: (label, text) => console.log(text), note: console.log };
      new SupervisedProcess({ label: 'one', script: ${JSON.stringify(script)}, environment: process.env }, log, () => 0).start();`;
    const parent = spawn(process.execPath, ['-e', supervisor], { stdio: ['ignore', 'pipe', 'inherit'] });
    const [line] = (await once(createInterface({ input: parent.stdout }), 'line')) as [string];
    const pid = Number(/^pid (\d+)$/.exec(line)?.[1]);
    expect(isAlive(pid)).toBe(true);
    parent.kill('SIGKILL');
    await waitUntil(() => !isAlive(pid), { what: 'the end of its child' });
  });
});
