import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, statSync } from 'node:fs';
import { join } from 'node:path';
import {
  build,
  end,
  newDataDir,
  postgresPid,
  removeDataDir,
  root,
  type ScripProcess,
  spawnScrip,
  startScrip,
} from './e2e/scrip-process.fixture';

const campaign = (name: string) => ({
  name,
  campaign_type: 'DISCOUNT_COUPONS',
  type: 'AUTO_UPDATE',
  vouchers_count: 1,
  voucher: { type: 'DISCOUNT_VOUCHER', discount: { type: 'PERCENT', percent_off: 10 } },
});

const readyWithinMs = 5_000;

/** The bound, or twice an ordinary start where this machine is too busy for that. */
const boundFor = (ordinary: ScripProcess): number => Math.max(readyWithinMs, 2 * ordinary.readyAfterMs);

const modeOf = (path: string): string => (statSync(path).mode & 0o777).toString(8);

describe('npm start', () => {
  let dataDir: string;
  let server: ScripProcess;

  beforeAll(() => build());
  beforeEach(() => {
    dataDir = newDataDir();
  });
  afterEach(async () => {
    await end(server.child, 'SIGKILL');
    await removeDataDir(dataDir);
  });

  it('makes everything on the first start and shows the keys once', async () => {
    server = await startScrip(dataDir);
    expect(server.output()).toContain(server.credentials.app_token);
    expect(server.output()).toContain('/v1/campaigns');
    expect(['credentials.json', 'master-key'].map((name) => modeOf(join(dataDir, name)))).toEqual([
      '600',
      '600',
    ]);
    expect((await server.get('/v1/campaigns')).status).toBe(200);
    await end(server.child, 'SIGTERM');
    const { credentials } = server;
    server = await startScrip(dataDir, { SCRIP_PORT: new URL(credentials.base_url).port });
    expect(server.output()).not.toContain(credentials.app_token);
    expect(server.credentials).toEqual(credentials);
    expect((await server.get('/v1/campaigns')).status).toBe(200);
  });

  it('takes keys from the environment', async () => {
    server = await startScrip(dataDir, {
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
    expect((await server.get('/v1/campaigns')).status).toBe(200);
  });

  it('is ready within 5 s after kill -9, with everything it had answered', async () => {
    server = await startScrip(dataDir);
    const boundMs = boundFor(server);
    for (let round = 1; round <= 3; round += 1) {
      const created = await server.post('/v1/campaigns', campaign(`Round ${round}`));
      expect(created.status).toBe(200);
      await end(server.child, 'SIGKILL');
      server = await startScrip(dataDir);
      expect(server.readyAfterMs).toBeLessThan(boundMs);
      const read = await server.get(`/v1/campaigns/${String(created.body.id)}`);
      expect(read.body.name).toBe(`Round ${round}`);
    }
  });

  it('is ready within 5 s after kill -9 of the database too', async () => {
    server = await startScrip(dataDir);
    const boundMs = boundFor(server);
    const created = await server.post('/v1/campaigns', campaign('Kept'));
    const postmaster = postgresPid(dataDir) as number;
    server.child.kill('SIGKILL');
    process.kill(postmaster, 'SIGKILL');
    await once(server.child, 'exit');
    server = await startScrip(dataDir);
    expect(server.readyAfterMs).toBeLessThan(boundMs);
    expect((await server.get(`/v1/campaigns/${String(created.body.id)}`)).status).toBe(200);
  });

  it('refuses a second start on the same data directory, and the first one goes on', async () => {
    server = await startScrip(dataDir);
    const second = spawnScrip(dataDir, { SCRIP_PORT: '0' });
    const [status] = (await once(second.child, 'exit')) as [number];
    expect(status).toBe(1);
    expect(second.output()).toContain(`${dataDir} is in use by process ${server.child.pid}`);
    expect((await server.get('/v1/campaigns')).status).toBe(200);
  });

  it('lets one of two simultaneous first starts win', async () => {
    const starts = [0, 1].map(() => spawnScrip(dataDir, { SCRIP_PORT: '0' }));
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
    await end(winner.child, 'SIGTERM');
    expect(winner.child.exitCode).toBe(0);
    server = await startScrip(dataDir);
  });

  it('ends cleanly on SIGTERM, and its database with it', async () => {
    server = await startScrip(dataDir);
    await end(server.child, 'SIGTERM');
    expect(server.child.exitCode).toBe(0);
    expect(postgresPid(dataDir)).toBeNull();
  });

  it('names the variable that is wrong', async () => {
    const wrong = spawnScrip(dataDir, { SCRIP_PORT: 'http' });
    const [status] = (await once(wrong.child, 'exit')) as [number];
    expect(status).toBe(1);
    expect(wrong.output()).toBe(
      'Scrip does not start: SCRIP_PORT must be a whole number from 0 to 65535, not "http"\n',
    );
    server = { ...server, child: wrong.child };
  });

  it('says which port is taken, and leaves no database behind', async () => {
    server = await startScrip(dataDir);
    const other = newDataDir();
    const second = spawnScrip(other, { SCRIP_PORT: new URL(server.credentials.base_url).port });
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
    const server = await startScrip(dataDir, {}, user);
    try {
      expect((await server.get('/v1/campaigns')).status).toBe(200);
      expect(modeOf(dataDir)).toBe('700');
    } finally {
      await end(server.child, 'SIGTERM');
      await removeDataDir(dataDir);
    }
  });
});
