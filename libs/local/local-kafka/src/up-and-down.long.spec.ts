import { execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { freePort } from './free-port';
import { kafkaAnswers } from './kafka-answers';
import { isAlive } from './process-identity';
import { runningBroker } from './registration';

// Java takes its time where other suites take the processors.
jest.setTimeout(180_000);

const tool = resolve(__dirname, '..');

describe('a broker that runs by itself', () => {
  let dataDir: string;
  let folder: string;

  beforeAll(() => {
    execFileSync(process.execPath, [resolve(tool, '../../../tools/build/build.mjs'), tool], {
      stdio: 'ignore',
    });
  });
  beforeEach(() => {
    dataDir = realpathSync(mkdtempSync(join(tmpdir(), 'scrip-kafka-spec-')));
    folder = join(dataDir, 'kafka');
  });
  afterEach(async () => {
    await run('down.js');
    rmSync(dataDir, { recursive: true, force: true });
  });

  const environment = () => ({ ...process.env, SCRIP_DATA_DIR: dataDir });
  const run = async (program: string, ...args: string[]): Promise<string> => {
    const script = join(tool, 'dist', program);
    return (await promisify(execFile)(process.execPath, [script, ...args], { env: environment() })).stdout;
  };

  it('starts once, outlives its command, and is stopped by the other one', async () => {
    const port = String(await freePort());
    expect(await run('up.js', '--port', port)).toContain(`Kafka runs at 127.0.0.1:${port} `);
    expect(await run('up.js', '--port', port)).toContain(`Kafka runs already at 127.0.0.1:${port}`);
    expect(await kafkaAnswers(`127.0.0.1:${port}`)).toBe(true);
    expect(await run('down.js')).toContain('has stopped');
    expect(await kafkaAnswers(`127.0.0.1:${port}`)).toBe(false);
    expect(await run('down.js')).toContain('no Kafka runs');
  });

  it('ends with a program that is killed and did not leave it running on purpose', async () => {
    const program = `require(${JSON.stringify(join(tool, 'dist', 'index.js'))}).startKafka({ dataDir: ${JSON.stringify(folder)} })
      .then(({ brokers }) => console.log(brokers)); setInterval(() => undefined, 1000)`;
    const owner = spawn(process.execPath, ['-e', program], { stdio: ['ignore', 'pipe', 'inherit'] });
    await once(owner.stdout, 'data');
    const broker = runningBroker(folder);
    expect(broker?.ownerPid).toBe(owner.pid);
    owner.kill('SIGKILL');
    await once(owner, 'exit');
    const deadline = Date.now() + 20_000;
    while (isAlive(broker?.pid ?? 0) && Date.now() < deadline) await promisify(setTimeout)(50);
    expect(isAlive(broker?.pid ?? 0)).toBe(false);
  });
});
