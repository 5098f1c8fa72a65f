import { type Scrip, startScrip } from '@scrip/testing';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { build, newDataDir, removeDataDir, root } from './e2e/scrip-process.fixture';

const run = async (program: string, env: NodeJS.ProcessEnv): Promise<{ status: number; output: string }> => {
  const child = spawn(process.execPath, [join(root, program)], {
    cwd: root,
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const [status] = (await once(child, 'exit')) as [number];
  return { status, output };
};

const demo = 'tools/demo/dist/main.js';

describe('npm run demo', () => {
  let dataDir: string;
  let server: Scrip | undefined;

  beforeAll(() => build());
  beforeEach(() => {
    dataDir = newDataDir();
  });
  afterEach(async () => {
    await server?.stop();
    server = undefined;
    await removeDataDir(dataDir);
  });

  it('walks the main job twice against a running server, whose state and events agree afterwards', async () => {
    server = await startScrip({ dataDir, choosesKeys: true });
    for (let round = 1; round <= 2; round += 1) {
      const { status, output } = await run(demo, { SCRIP_DATA_DIR: dataDir });
      expect(output).toContain('The whole main job went as promised');
      expect(output).not.toContain(server.credentials.app_token);
      expect(status).toBe(0);
    }
    await server.stop();
    const { status, output } = await run('apps/scrip/dist/verify-state.js', { SCRIP_DATA_DIR: dataDir });
    expect(output).toContain('campaigns: state and events agree');
    expect(output).toContain('qualification: state and events agree');
    expect(status).toBe(0);
  });

  it('starts a server where none runs, and ends it', async () => {
    const { status, output } = await run(demo, { SCRIP_DATA_DIR: dataDir, SCRIP_PORT: '0' });
    expect(output).toContain('starting one');
    expect(output).toContain('The whole main job went as promised');
    expect(status).toBe(0);
  });

  it('fails when something is not as promised', async () => {
    server = await startScrip({ dataDir, choosesKeys: true, environment: { SCRIP_API_CALLS_PER_HOUR: '3' } });
    const { status, output } = await run(demo, { SCRIP_DATA_DIR: dataDir });
    expect(output).toContain('NotAsExpected');
    expect(status).toBe(1);
  });
});
