import { Secret } from '@scrip/kernel';
import { environmentTable, readSettings } from '@scrip/service';
import type { ProcessPlan } from './plan';
import { environmentOf, type SharedEnvironment } from './process-environment';

const plans = (['auth', 'campaigns', 'customers', 'qualification', 'webhooks', 'operations'] as const).map(
  (name, index): ProcessPlan => ({ name, replica: 1, httpPort: 20_000 + index, rpcPort: 21_000 + index }),
);
const gateway: ProcessPlan = { name: 'gateway', replica: 1, httpPort: 3000, rpcPort: null };

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
    appToken: new Secret('app-token'),
    clientAppId: 'client',
    clientToken: new Secret('client-token'),
    managementId: 'management',
    managementToken: new Secret('management-token'),
  },
};

const inherited = {
  PATH: '/bin',
  SCRIP_LOG_LEVEL: 'warn',
  SCRIP_PORT: '3000',
  DATABASE_URL: 'postgres://elsewhere/scrip',
  SCRIP_BOOTSTRAP_APP_TOKEN: 'from-outside',
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
    expect(service.masterKey?.reveal()).toBe(shared.masterKey.reveal());
    expect(readSettings(of(gateway))).toMatchObject({ databaseUrl: null, masterKey: null });
  });

  it('has the keys of the demo project for auth only', () => {
    const tokens = shared.plans.map((plan) => readSettings(of(plan)).bootstrap.appToken?.reveal() ?? null);
    expect(tokens).toEqual(['app-token', null, null, null, null, null, null]);
  });
});
