import { type Scrip, type ScripProgram, spawnScrip, startScrip } from '@scrip/testing';
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { build, newDataDir, postgresPid, removeDataDir, root } from './e2e/scrip-process.fixture';

// The embedded shape, whatever the others run in: how the services start is tested where they are started.
const start = (dataDir: string, environment: Record<string, string> = {}, user?: string): Promise<Scrip> =>
  startScrip({ dataDir, environment, shape: 'embedded', choosesKeys: true, ...(user ? { user } : {}) });
const begin = (dataDir: string, environment: Record<string, string> = {}): ScripProgram =>
  spawnScrip({ dataDir, environment, shape: 'embedded' });

const campaign = (name: string) => ({
  name,
  campaign_type: 'DISCOUNT_COUPONS',
  type: 'AUTO_UPDATE',
  vouchers_count: 1,
  voucher: { type: 'DISCOUNT_VOUCHER', discount: { type: 'PERCENT', percent_off: 10 } },
});

const readyWithinMs = 5_000;

/** The bound, or twice an ordinary start where this machine is too busy for that. */
const boundFor = (ordinary: Scrip): number => Math.max(readyWithinMs, 2 * ordinary.readyMs);

const modeOf = (path: string): string => (statSync(path).mode & 0o777).toString(8);

describe('npm start', () => {
  let dataDir: string;
  let server: Scrip;

  beforeAll(() => build());
  beforeEach(() => {
    dataDir = newDataDir();
  });
  afterEach(async () => {
    await server?.kill();
    await removeDataDir(dataDir);
  });

  it('makes everything on the first start and shows the keys once', async () => {
    server = await start(dataDir);
    expect(server.output()).toContain(server.credentials.app_token);
    expect(server.output()).toContain('/v1/campaigns');
    expect(['credentials.json', 'master-key'].map((name) => modeOf(join(dataDir, name)))).toEqual([
      '600',
      '600',
    ]);
    expect((await server.call('GET', '/v1/campaigns')).status).toBe(200);
    await server.stop();
    const { credentials } = server;
    server = await start(dataDir, { SCRIP_PORT: new URL(credentials.base_url).port });
    expect(server.output()).not.toContain(credentials.app_token);
    expect(server.credentials).toEqual(credentials);
    expect((await server.call('GET', '/v1/campaigns')).status).toBe(200);
  });

  it('takes keys from the environment', async () => {
    server = await start(dataDir, {
      SCRIP_BOOTSTRAP_PROJECT_ID: 'proj_fixed',
      SCRIP_BOOTSTRAP_APP_ID: 'app-fixed',
      SCRIP_BOOTSTRAP_APP_TOKEN: 'token-fixed',
      SCRIP_BOOTSTRAP_CLIENT_APP_ID: 'client-fixed',
      SCRIP_BOOTSTRAP_CLIENT_TOKEN: 'client-token-fixed',
      SCRIP_BOOTSTRAP_MANAGEMENT_ID: 'management-fixed',
      SCRIP_BOOTSTRAP_MANAGEMENT_TOKEN: 'management-token-fixed',
    });
    expect(server.credentials).toMatchObject({
      project_id: 'proj_fixed',
      app_id: 'app-fixed',
      app_token: 'token-fixed',
      client_app_id: 'client-fixed',
      client_token: 'client-token-fixed',
      management_id: 'management-fixed',
      management_token: 'management-token-fixed',
    });
    expect((await server.call('GET', '/v1/campaigns')).status).toBe(200);
  });

  it('is ready within 5 s after kill -9, with everything it had answered', async () => {
    server = await start(dataDir);
    const boundMs = boundFor(server);
    for (let round = 1; round <= 3; round += 1) {
      const created = await server.call('POST', '/v1/campaigns', campaign(`Round ${round}`));
      expect(created.status).toBe(200);
      await server?.kill();
      server = await start(dataDir);
      expect(server.readyMs).toBeLessThan(boundMs);
      const read = await server.call('GET', `/v1/campaigns/${String(created.body.id)}`);
      expect(read.body.name).toBe(`Round ${round}`);
    }
  });

  it('is ready within 5 s after kill -9 of the database too', async () => {
    server = await start(dataDir);
    const boundMs = boundFor(server);
    const created = await server.call('POST', '/v1/campaigns', campaign('Kept'));
    const postmaster = postgresPid(dataDir) as number;
    server.child.kill('SIGKILL');
    process.kill(postmaster, 'SIGKILL');
    await once(server.child, 'exit');
    server = await start(dataDir);
    expect(server.readyMs).toBeLessThan(boundMs);
    expect((await server.call('GET', `/v1/campaigns/${String(created.body.id)}`)).status).toBe(200);
  });

  it('refuses a second start on the same data directory, and the first one goes on', async () => {
    server = await start(dataDir);
    const second = begin(dataDir);
    const [status] = (await once(second.child, 'exit')) as [number];
    expect(status).toBe(1);
    expect(second.output()).toContain(`${dataDir} is in use by process ${server.child.pid}`);
    expect((await server.call('GET', '/v1/campaigns')).status).toBe(200);
  });

  it('lets one of two simultaneous first starts win', async () => {
    const starts = [0, 1].map(() => begin(dataDir));
    const ended = await Promise.race(
      starts.map(async ({ child }, index) => {
        const [status] = (await once(child, 'exit')) as [number];
        return { index, status };
      }),
    );
    expect(ended.status).toBe(1);
    expect(starts[ended.index]?.output()).toContain(`${dataDir} is in use by`);
    const winner = starts[1 - ended.index] as (typeof starts)[0];
    expect(winner.child.exitCode).toBeNull();
    winner.child.kill('SIGTERM');
    await once(winner.child, 'exit');
    expect(winner.child.exitCode).toBe(0);
    server = await start(dataDir);
  });

  it('ends cleanly on SIGTERM, and its database with it', async () => {
    server = await start(dataDir);
    await server.stop();
    expect(server.child.exitCode).toBe(0);
    expect(postgresPid(dataDir)).toBeNull();
  });

  it('names the variable that is wrong', async () => {
    const wrong = begin(dataDir, { SCRIP_PORT: 'http' });
    const [status] = (await once(wrong.child, 'exit')) as [number];
    expect(status).toBe(1);
    expect(wrong.output()).toBe(
      'Scrip does not start: SCRIP_PORT must be a whole number from 0 to 65535, not "http"\n',
    );
  });

  it('says which port is taken, and leaves no database behind', async () => {
    server = await start(dataDir);
    const other = newDataDir();
    const second = begin(other, { SCRIP_PORT: new URL(server.credentials.base_url).port });
    const [status] = (await once(second.child, 'exit')) as [number];
    expect(status).toBe(1);
    expect(second.output()).toContain('choose another one with SCRIP_PORT');
    expect(postgresPid(other)).toBeNull();
    await removeDataDir(other);
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
    const server = await start(dataDir, {}, user);
    try {
      expect((await server.call('GET', '/v1/campaigns')).status).toBe(200);
      expect(modeOf(dataDir)).toBe('700');
    } finally {
      await server.stop();
      await removeDataDir(dataDir);
    }
  });
});
