import { type Scrip, waitUntil } from '@scrip/testing';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import {
  begin,
  build,
  modeOf,
  newDataDir,
  postgresPid,
  removeDataDir,
  root,
  start,
} from './e2e/scrip-process.fixture';

describe('npm start', () => {
  let dataDir: string;

  beforeAll(() => build());
  beforeEach(() => {
    dataDir = newDataDir();
  });
  afterEach(() => removeDataDir(dataDir));

  it('lets one of two simultaneous first starts win', async () => {
    const starts = [0, 1].map(() => begin(dataDir));
    const ended = await Promise.race(
      starts.map(async ({ child }, index) => {
        const [status] = (await once(child, 'close')) as [number];
        return { index, status };
      }),
    );
    expect(ended.status).toBe(1);
    expect(starts[ended.index]?.output()).toContain(`${dataDir} is in use by`);
    const winner = starts[1 - ended.index] as (typeof starts)[0];
    expect(winner.child.exitCode).toBeNull();
    await waitUntil(() => winner.output().includes('ready at'), { what: 'the winner', timeoutMs: 180_000 });
    const closed = once(winner.child, 'close');
    winner.child.kill('SIGTERM');
    expect(await closed).toEqual([0, null]);
  });

  it.each([
    ['npm gets SIGTERM', 'SIGTERM', 'npm'],
    ['its terminal is closed', 'SIGHUP', 'all'],
  ] as const)('ends, and its database with it, when %s', async (_name, signal, receivers) => {
    const npm = spawn('npm', ['start'], {
      cwd: root,
      detached: true,
      env: { PATH: process.env.PATH, SCRIP_DATA_DIR: dataDir, SCRIP_PORT: '0' },
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    let output = '';
    npm.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
    await waitUntil(() => output.includes('ready at'), { what: 'npm start', timeoutMs: 180_000 });
    process.kill(receivers === 'all' ? -(npm.pid as number) : (npm.pid as number), signal);
    await waitUntil(() => postgresPid(dataDir) === null, {
      what: 'the end of PostgreSQL',
      timeoutMs: 60_000,
    });
  });
});

describe('npm start where one runs or ran', () => {
  let dataDir: string;
  let server: Scrip;

  beforeAll(async () => {
    build();
    dataDir = newDataDir();
    server = await start(dataDir);
  });
  afterAll(async () => {
    await server?.kill();
    await removeDataDir(dataDir);
  });

  it('refuses a second start on the same data directory, and the first one goes on', async () => {
    const second = begin(dataDir);
    const [status] = (await once(second.child, 'close')) as [number];
    expect(status).toBe(1);
    expect(second.output()).toContain(`${dataDir} is in use by process ${server.child.pid}`);
    expect((await server.call('GET', '/v1/campaigns')).status).toBe(200);
  });

  it('says which port is taken, and leaves no database behind', async () => {
    const other = newDataDir();
    const second = begin(other, { SCRIP_PORT: new URL(server.credentials.base_url).port });
    const [status] = (await once(second.child, 'close')) as [number];
    expect(status).toBe(1);
    expect(second.output()).toContain('choose another one with SCRIP_PORT');
    expect(postgresPid(other)).toBeNull();
    await removeDataDir(other);
  });

  it('ends cleanly on SIGTERM, and its database with it', async () => {
    await server.stop();
    expect(server.child.exitCode).toBe(0);
    expect(postgresPid(dataDir)).toBeNull();
  });

  it('says in one sentence that the master key is another one', async () => {
    rmSync(join(dataDir, 'master-key'));
    const other = begin(dataDir);
    const [status] = (await once(other.child, 'close')) as [number];
    expect(status).toBe(1);
    expect(other.output()).toMatch(/^Scrip does not start: the database was made with another master key /m);
    expect(other.output()).not.toContain('Unable to connect to the database');
    expect(other.output()).not.toMatch(/\n\s+at /);
  });
});

describe('npm start as an ordinary user', () => {
  const user = 'nobody';
  const isRoot = process.getuid?.() === 0;
  // Without root no other user can be tried: then the whole suite above has run as an ordinary user already.
  const canRead =
    isRoot && spawnSync('runuser', ['-u', user, '--', 'test', '-r', join(root, 'package.json')]).status === 0;
  if (!canRead)
    console.warn(
      `skipped: ${isRoot ? `${user} cannot read ${root}` : 'these tests run as an ordinary user'}`,
    );

  (canRead ? it : it.skip)('works in a folder of that user', async () => {
    build();
    const dataDir = newDataDir();
    chownSync(dataDir, 65_534, 65_534);
    chmodSync(dataDir, 0o755);
    const server = await start(dataDir, { user });
    try {
      expect((await server.call('GET', '/v1/campaigns')).status).toBe(200);
      expect(modeOf(dataDir)).toBe('700');
    } finally {
      await server.stop();
      await removeDataDir(dataDir);
    }
  });
});
