import { contextNames } from '@scrip/contracts/registry';
import { Secret } from '@scrip/kernel';
import { environmentTable, readSettings } from '@scrip/service';
import type { ProcessPlan } from './plan';
import { environmentOf, type SharedEnvironment } from './process-environment';

const plans = contextNames.map((name, index): ProcessPlan => ({
  name,
  replica: 1,
  httpPort: 20_000 + index,
  rpcPort: 21_000 + index,
  metricsPort: 22_000 + index,
}));
const gateway: ProcessPlan = {
  name: 'gateway',
  replica: 1,
  httpPort: 3000,
  rpcPort: null,
  metricsPort: 9000,
};

const shared: SharedEnvironment = {
  plans: [...plans, gateway],
  host: '127.0.0.1',
  reachableHost: '127.0.0.1',
  baseUrl: 'http://127.0.0.1:3000',
  dataDir: '/data',
  databaseUrl: new Secret('postgres://scrip@127.0.0.1:5432/scrip'),
  masterKey: new Secret(Buffer.alloc(32).toString('base64')),
  internalSecret: new Secret('0123456789abcdef0123456789abcdef'),
  brokers: '127.0.0.1:9092',
  demo: {
    projectId: 'proj_1',
    appId: 'app',
    appToken: new Secret('app-token-0123456789abcd'),
    clientAppId: 'client',
    clientToken: new Secret('client-token-0123456789a'),
    managementId: 'management',
    managementToken: new Secret('management-token-0123456'),
  },
};

const inherited = {
  PATH: '/bin',
  SCRIP_LOG_LEVEL: 'warn',
  SCRIP_PORT: '3000',
  DATABASE_URL: 'postgres://elsewhere/scrip',
  DATABASE_URLS: 'auth=postgres://auth:secret@elsewhere/scrip',
  SCRIP_BOOTSTRAP_APP_TOKEN: 'from-outside-0123456789ab',
  SCRIP_ADMIN_PASSWORD: 'a first password',
  SCRIP_MASTER_KEYS_ACCEPTED: Buffer.alloc(32, 1).toString('base64'),
  WEBHOOK_PROXY: 'http://scrip:secret@proxy.internal:3128',
};

const of = (plan: ProcessPlan) => environmentOf(plan, shared, inherited);

describe('the environment of a process', () => {
  it('is one that services and the gateway can be started with', () => {
    const known = new Set<string>(environmentTable.map(({ name }) => name));
    for (const plan of shared.plans) {
      const environment = of(plan);
      const ours = Object.keys(environment).filter((name) => /^(?:SCRIP|DATABASE|WEBHOOK)_/.test(name));
      expect(ours.filter((name) => !known.has(name))).toEqual([]);
      expect(readSettings(environment)).toMatchObject({
        port: plan.httpPort,
        logLevel: 'warn',
        baseUrl: shared.baseUrl,
      });
    }
  });

  it('tells every process where all services are', () => {
    const addresses = readSettings(of(gateway)).distribution?.services;
    expect(addresses?.campaigns).toEqual([{ host: '127.0.0.1', httpPort: 20_001, rpcPort: 21_001 }]);
    expect(readSettings(of(plans[2] as ProcessPlan)).distribution).toMatchObject({
      rpc: { host: '127.0.0.1', port: 21_002 },
      kafka: { brokers: ['127.0.0.1:9092'] },
    });
  });

  it('has the database and the master key for services only', () => {
    const service = readSettings(of(plans[1] as ProcessPlan));
    expect(service.databaseUrl?.reveal()).toBe(shared.databaseUrl.reveal());
    expect(service.databaseUrls).toEqual({});
    expect(service.masterKey?.reveal()).toBe(shared.masterKey.reveal());
    expect(service.acceptedMasterKeys.map((key) => key.reveal())).toEqual([
      inherited.SCRIP_MASTER_KEYS_ACCEPTED,
    ]);
    expect(readSettings(of(gateway))).toMatchObject({
      databaseUrl: null,
      masterKey: null,
      acceptedMasterKeys: [],
    });
  });

  it('has the role of its own context where there is one', () => {
    const [service, other] = shared.plans.filter(({ rpcPort }) => rpcPort !== null) as [
      ProcessPlan,
      ProcessPlan,
    ];
    const own = new Secret('postgres://scrip_own@127.0.0.1:5432/scrip');
    const given = { ...shared, ownDatabaseUrls: { [service.name]: own } };
    expect(environmentOf(service, given, inherited).DATABASE_URL).toBe(own.reveal());
    expect(environmentOf(other, given, inherited).DATABASE_URL).toBe(shared.databaseUrl.reveal());
  });

  it('has the password of the first user for auth only', () => {
    const told = shared.plans.filter((plan) => readSettings(of(plan)).users.adminPassword !== null);
    expect(told.map(({ name }) => name)).toEqual(['auth']);
  });

  it('has the proxy of webhooks, with its password, for webhooks only', () => {
    const told = shared.plans.filter((plan) => readSettings(of(plan)).webhookEgress.proxy !== null);
    expect(told.map(({ name }) => name)).toEqual(['webhooks']);
  });

  it('has the keys of the demo project for auth only', () => {
    const tokens = shared.plans.map((plan) => readSettings(of(plan)).bootstrap.appToken?.reveal() ?? null);
    expect(tokens).toEqual(
      shared.plans.map(({ name }) => (name === 'auth' ? 'app-token-0123456789abcd' : null)),
    );
  });
});
