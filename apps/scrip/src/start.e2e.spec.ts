import { type Scrip, createDatabase, freePort, rounds } from '@scrip/testing';
import { once } from 'node:events';
import { join } from 'node:path';
import {
  begin,
  build,
  modeOf,
  newDataDir,
  postgresPid,
  removeDataDir,
  start,
} from './e2e/scrip-process.fixture';

const campaign = (name: string) => ({
  name,
  campaign_type: 'DISCOUNT_COUPONS',
  type: 'AUTO_UPDATE',
  vouchers_count: 1,
  voucher: { type: 'DISCOUNT_VOUCHER', discount: { type: 'PERCENT', percent_off: 10 } },
});

describe('npm start', () => {
  let dataDir: string;
  let server: Scrip;

  beforeAll(() => build());

  describe('with a PostgreSQL of its own', () => {
    beforeAll(() => {
      dataDir = newDataDir();
    });
    afterAll(async () => {
      await server?.kill();
      await removeDataDir(dataDir);
    });

    it('makes everything on the first start, and prints where the keys are but none of them into a log', async () => {
      // One that no outgoing connection takes while the server is down.
      const environment = { SCRIP_PORT: String(await freePort()) };
      server = await start(dataDir, { environment });
      expect(server.output()).toContain(`Its keys are in ${join(dataDir, 'credentials.json')}`);
      expect(server.output()).toContain('/v1/campaigns');
      expect(server.output()).not.toContain(server.credentials.app_token);
      expect(['credentials.json', 'master-key'].map((name) => modeOf(join(dataDir, name)))).toEqual([
        '600',
        '600',
      ]);
      expect((await server.call('GET', '/v1/campaigns')).status).toBe(200);
      await server.stop();
      const { credentials } = server;
      server = await start(dataDir, { environment });
      expect(server.output()).not.toContain('Its keys are in');
      expect(server.credentials).toEqual(credentials);
      expect((await server.call('GET', '/v1/campaigns')).status).toBe(200);
    });

    // How soon, the bench measures.
    it('is ready again after kill -9, of the database too, with everything it had answered', async () => {
      const killed = Array.from({ length: rounds(10) }, () => ['Scrip', 'Scrip and its database']).flat();
      for (const [round, what] of killed.entries()) {
        const created = await server.call('POST', '/v1/campaigns', campaign(`Round ${round}`));
        expect(created.status).toBe(200);
        const postmaster = postgresPid(dataDir) as number;
        const gone = server.kill();
        if (what !== 'Scrip') process.kill(postmaster, 'SIGKILL');
        await gone;
        server = await start(dataDir);
        const read = await server.call('GET', `/v1/campaigns/${String(created.body.id)}`);
        expect(read.body.name).toBe(`Round ${round}`);
      }
    });
  });

  describe('with a database that is there', () => {
    let databaseUrl: string;

    beforeAll(async () => {
      dataDir = newDataDir();
      databaseUrl = await createDatabase('start');
    });
    afterAll(async () => {
      await server?.kill();
      await removeDataDir(dataDir);
    });

    it('takes keys from the environment', async () => {
      server = await start(dataDir, {
        databaseUrl,
        environment: {
          SCRIP_BOOTSTRAP_PROJECT_ID: 'proj_fixed',
          SCRIP_BOOTSTRAP_APP_ID: 'app-fixed',
          SCRIP_BOOTSTRAP_APP_TOKEN: 'token-fixed-0123456789abc',
          SCRIP_BOOTSTRAP_CLIENT_APP_ID: 'client-fixed',
          SCRIP_BOOTSTRAP_CLIENT_TOKEN: 'client-token-fixed-012345',
          SCRIP_BOOTSTRAP_MANAGEMENT_ID: 'management-fixed',
          SCRIP_BOOTSTRAP_MANAGEMENT_TOKEN: 'management-token-fixed-01',
        },
      });
      expect(server.credentials).toMatchObject({
        project_id: 'proj_fixed',
        app_id: 'app-fixed',
        app_token: 'token-fixed-0123456789abc',
        client_app_id: 'client-fixed',
        client_token: 'client-token-fixed-012345',
        management_id: 'management-fixed',
        management_token: 'management-token-fixed-01',
      });
      expect((await server.call('GET', '/v1/campaigns')).status).toBe(200);
    });

    it('makes no order twice and loses none where kill -9 interrupts the calls and they are repeated', async () => {
      const calls = Array.from({ length: 40 }, (_, n) => {
        const named = n % 2 === 0 ? { source_id: `order-${n}` } : {};
        const body = { ...named, amount: n, status: 'PAID', customer: { source_id: `buyer-${n % 5}` } };
        return () =>
          server.call('POST', '/v1/orders', body, n % 2 === 0 ? {} : { 'idempotency-key': `order-${n}` });
      });
      const answers = calls.map((call) => call().catch(() => null));
      await Promise.any(answers.slice(10));
      await server.kill();
      const before = await Promise.all(answers);
      server = await start(dataDir, { databaseUrl });
      for (const [n, call] of calls.entries()) {
        // An interrupted key is free again when its lease has ended: that call is repeated by name only.
        const { status, body } = await call();
        if (status === 409) continue;
        expect([status, body.amount]).toEqual([200, n]);
        if (before[n]) expect(body.id).toBe(before[n].body.id);
      }
      const { orders, total } = (await server.call('GET', '/v1/orders?limit=100')).body;
      const amounts = orders.map(({ amount }: { amount: number }) => amount);
      expect(new Set(amounts).size).toBe(total);
      expect(amounts).toEqual(expect.arrayContaining(calls.map((_, n) => n).filter((n) => n % 2 === 0)));
      expect((await server.call('GET', '/v1/customers')).body.total).toBeLessThanOrEqual(5);
    });
  });

  it('names the variable that is wrong', async () => {
    const folder = newDataDir();
    const wrong = begin(folder, { SCRIP_PORT: 'http' });
    const [status] = (await once(wrong.child, 'close')) as [number];
    expect(status).toBe(1);
    expect(wrong.output()).toBe(
      'Scrip does not start: SCRIP_PORT must be a whole number from 0 to 65535, not "http"\n',
    );
    await removeDataDir(folder);
  });
});
