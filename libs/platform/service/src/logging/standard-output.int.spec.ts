import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';

/** Logs a line when it starts, and ends with another one as soon as it is told to. */
const program = `
  const { ScripLogger } = require('@scrip/service');
  const log = new ScripLogger({ level: 'info' });
  log.log('begins');
  process.stdin.once('data', () => {
    log.log('ends');
    process.exit(3);
  });`;

let child: ChildProcess;

beforeEach(() => {
  child = spawn(process.execPath, ['-e', program], { cwd: __dirname, stdio: ['pipe', 'pipe', 'inherit'] });
});
afterEach(() => void child.kill('SIGKILL'));

describe('a log that is no terminal', () => {
  it('has every line of a process that ends at once', async () => {
    const written = text(child.stdout!);
    child.stdin!.write('end\n');
    expect(await once(child, 'exit')).toEqual([3, null]);
    const lines = (await written).trim().split('\n');
    expect(lines.map((line) => (JSON.parse(line) as { msg: string }).msg)).toEqual(['begins', 'ends']);
  });

  it('keeps no process from ending when whoever read it is gone', async () => {
    await once(child.stdout!, 'data');
    child.stdout!.destroy();
    child.stdin!.write('end\n');
    expect(await once(child, 'exit')).toEqual([3, null]);
  });
});
