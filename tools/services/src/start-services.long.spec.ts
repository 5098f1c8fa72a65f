import { contextNames } from '@scrip/contracts/registry';
import { runningBroker } from '@scrip/local-kafka';
import { type Scrip, startScrip, waitUntil } from '@scrip/testing';
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { labelOf } from './plan';
import { type RunningProcess, runningServices } from './service-processes';

const root = resolve(__dirname, '..', '..', '..');

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

const campaign = {
  name: 'Kept',
  campaign_type: 'DISCOUNT_COUPONS',
  type: 'AUTO_UPDATE',
  vouchers_count: 1,
  voucher: { type: 'DISCOUNT_VOUCHER', discount: { type: 'PERCENT', percent_off: 10 } },
};

describe('npm run start:services', () => {
  let dataDir: string;
  let scrip: Scrip;
  let campaignId: string;

  const start = (): Promise<Scrip> =>
    startScrip({ dataDir, shape: 'distributed', replicas: 'campaigns=2', choosesKeys: true });
  const processes = (): readonly RunningProcess[] => runningServices(dataDir).processes;
  const labelled = (label: string) => processes().find((one) => labelOf(one) === label) as RunningProcess;
  const isReady = async ({ httpPort }: RunningProcess): Promise<boolean> =>
    (await fetch(`http://127.0.0.1:${httpPort}/readyz`)).ok;
  const kafkaPid = (): number => runningBroker(join(dataDir, 'kafka'))?.pid ?? 0;
  const hasPostgres = (): boolean => existsSync(join(dataDir, 'postgres', 'data', 'postmaster.pid'));

  beforeAll(async () => {
    execFileSync(process.execPath, [join(root, 'tools', 'build', 'build.mjs')], { stdio: 'ignore' });
    dataDir = realpathSync(mkdtempSync(join(tmpdir(), 'scrip-services-')));
    scrip = await start();
  }, 240_000);
  afterAll(async () => {
    await scrip?.stop();
    rmSync(dataDir, { recursive: true, force: true });
  });

  it('runs a process for each replica of each service and one for the gateway, all ready', async () => {
    expect(processes().map(labelOf)).toEqual(
      expect.arrayContaining(['auth.1', 'campaigns.1', 'campaigns.2', 'qualification.1', 'gateway']),
    );
    // Campaigns have two, and the gateway is no context.
    expect(processes()).toHaveLength(contextNames.length + 2);
    expect(runningServices(dataDir).supervisor).toEqual({ pid: scrip.child.pid });
    expect(await Promise.all(processes().map(isReady))).not.toContain(false);
    expect(scrip.origin).toBe(`http://127.0.0.1:${labelled('gateway').httpPort}`);
  });

  it.each([
    ['--help', 0],
    ['--replica', 2],
  ])('shows its usage for %s, and starts nothing', (option, status) => {
    const program = join(root, 'tools', 'services', 'dist', 'main.js');
    const ended = spawnSync(process.execPath, [program, option], { encoding: 'utf8' });
    expect([ended.status, ended.stdout + ended.stderr]).toEqual([
      status,
      expect.stringContaining('npm run start:services [-- --replicas'),
    ]);
  });

  it('starts without a warning of its services', () => {
    const lines = scrip.output().split('\n');
    expect(lines.filter((line) => /"level":"(?:warn|error|fatal)"|Warning:/.test(line))).toEqual([]);
    expect(lines.filter((line) => line.includes('"level":"info"'))).not.toEqual([]);
  });

  it('makes the demo project, and prints where its keys are but none of them into a log', async () => {
    expect(scrip.output()).toContain(`Its keys are in ${join(dataDir, 'credentials.json')}`);
    expect(scrip.output()).not.toContain(scrip.credentials.app_token);
    expect(scrip.credentials.webhook_token).toMatch(/^whsec_/);
    const created = await scrip.call('POST', '/v1/campaigns', campaign);
    expect(created.status).toBe(200);
    campaignId = (created.body as { id: string }).id;
  });

  it('starts a process again that was killed', async () => {
    const before = labelled('customers.1');
    process.kill(before.pid, 'SIGKILL');
    await waitUntil(() => labelled('customers.1').pid !== before.pid && isReady(labelled('customers.1')), {
      what: 'customers, ready again',
    });
    await waitUntil(
      () => scrip.output().includes('customers.1 ended (SIGKILL): it is started again in 200 ms'),
      {
        what: 'the line about it',
      },
    );
  });

  it('leaves no service and no broker behind when it is killed, and goes on with the same data and keys', async () => {
    const pids = [...processes().map(({ pid }) => pid), kafkaPid()];
    expect(pids.filter(isAlive)).toEqual(pids);
    await scrip.kill();
    await waitUntil(() => !pids.some(isAlive), { what: 'the end of all processes' });
    // The database stays for the next start, which takes it over, as in the embedded shape.
    expect(hasPostgres()).toBe(true);
    const { credentials } = scrip;
    scrip = await start();
    expect(scrip.output()).not.toContain('Its keys are in');
    expect({ ...scrip.credentials, base_url: '' }).toEqual({ ...credentials, base_url: '' });
    expect((await scrip.call('GET', `/v1/campaigns/${campaignId}`)).body).toMatchObject({ name: 'Kept' });
  }, 240_000);

  it('ends everything on SIGTERM', async () => {
    const pids = [...processes().map(({ pid }) => pid), kafkaPid()];
    await scrip.stop();
    expect(scrip.child.exitCode).toBe(0);
    expect(pids.filter(isAlive)).toEqual([]);
    expect(hasPostgres()).toBe(false);
  });
});
