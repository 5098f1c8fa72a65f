import { Secret } from '@scrip/kernel';
import { isAbsolute } from 'node:path';
import { inspect } from 'node:util';
import { ConfigurationError } from './environment';
import { environmentTable } from './environment.table';
import { purposeKey, readSettings, urlOf } from './scrip-config';

const complaintAbout = (env: NodeJS.ProcessEnv): string => {
  try {
    readSettings(env);
  } catch (error) {
    if (error instanceof ConfigurationError) return error.message;
    throw error;
  }
  return 'none';
};

describe('settings', () => {
  it('need no variable at all', () => {
    expect(readSettings({})).toMatchObject({
      host: '127.0.0.1',
      port: 3000,
      trustedProxies: [],
      baseUrl: 'http://127.0.0.1:3000',
      cluster: 'eu1',
      masterKey: null,
      databaseUrl: null,
      oauthHeaders: ['x-service-oauth', 'authorization'],
      webhookEgress: { allowHttp: false, allowHosts: [], allowCidrs: [], allowLoopback: true },
    });
  });

  it('take an empty variable for an absent one', () => {
    expect(readSettings({ SCRIP_PORT: '', DATABASE_URL: '' })).toEqual(readSettings({}));
  });

  it('make the data directory absolute', () => {
    expect(isAbsolute(readSettings({ SCRIP_DATA_DIR: 'somewhere' }).dataDir)).toBe(true);
  });

  it('read lists without their blanks', () => {
    const { webhookEgress } = readSettings({ WEBHOOK_EGRESS_ALLOW_HOSTS: ' Shop.internal, ,b.internal' });
    expect(webhookEgress.allowHosts).toEqual(['shop.internal', 'b.internal']);
  });

  it('take addresses and ranges of proxies', () => {
    const { trustedProxies } = readSettings({ SCRIP_TRUST_PROXY: '10.0.0.0/8, 192.0.2.1,2001:db8::/32' });
    expect(trustedProxies).toEqual(['10.0.0.0/8', '192.0.2.1', '2001:db8::/32']);
  });

  it.each(['2', 'true', '0.0.0.0/0', '::/0', '10.0.0.0/33', 'proxy.internal', 'fe80::1%eth0'])(
    'refuse the proxy %s',
    (proxy) => {
      expect(complaintAbout({ SCRIP_TRUST_PROXY: `10.0.0.1,${proxy}` })).toBe(
        `SCRIP_TRUST_PROXY must be a comma-separated list of addresses and address ranges, not "10.0.0.1,${proxy}"`,
      );
    },
  );

  it.each([
    ['0'.repeat(63) + '1', 'as hex'],
    [Buffer.concat([Buffer.alloc(31), Buffer.from([1])]).toString('base64'), 'as base64'],
  ])('take the master key %s (%s)', (text) => {
    const { masterKey } = readSettings({ SCRIP_MASTER_KEY: text });
    expect(Buffer.from(masterKey?.reveal() ?? '', 'base64').toString('hex')).toBe(`${'0'.repeat(63)}1`);
  });

  it.each([
    ['127.0.0.1', true],
    ['127.8.0.1', true],
    ['::1', true],
    ['localhost', true],
    ['0.0.0.0', false],
    ['10.0.0.1', false],
    ['127.evil.example', false],
  ])('on host %s: webhooks to loopback are %s', (host, allowed) => {
    expect(readSettings({ SCRIP_HOST: host }).webhookEgress.allowLoopback).toBe(allowed);
  });

  it.each<[NodeJS.ProcessEnv, string]>([
    [{ SCRIP_PORT: '65536' }, 'SCRIP_PORT must be a whole number from 0 to 65535, not "65536"'],
    [{ SCRIP_PORT: '3e3' }, 'SCRIP_PORT must be a whole number from 0 to 65535, not "3e3"'],
    [{ SCRIP_CLUSTER: 'EU' }, 'SCRIP_CLUSTER must be 2 to 16 lower-case letters and digits, not "EU"'],
    [{ WEBHOOK_ALLOW_HTTP: 'maybe' }, 'WEBHOOK_ALLOW_HTTP must be true or false, not "maybe"'],
    [
      { WEBHOOK_EGRESS_ALLOW_CIDRS: '10.1.0.0/16, 10.2.0.1' },
      'WEBHOOK_EGRESS_ALLOW_CIDRS must be a comma-separated list of address ranges, not "10.1.0.0/16, 10.2.0.1"',
    ],
    [
      { SCRIP_MASTER_KEY: 'secret' },
      'SCRIP_MASTER_KEY must be 32 bytes, as 64 hex digits or as base64, not (not shown)',
    ],
    [
      { SCRIP_PORT: 'x', SCRIP_BASE_URL: 'ftp://a' },
      'SCRIP_PORT must be a whole number from 0 to 65535, not "x"\n' +
        'SCRIP_BASE_URL must be an http or https URL without a slash at its end, not "ftp://a"',
    ],
  ])('refuse %j by name', (env, message) => {
    expect(complaintAbout(env)).toBe(message);
  });

  it.each(environmentTable.filter((variable) => 'secret' in variable).map(({ name }) => name))(
    'never show %s',
    (name) => {
      const value =
        name === 'DATABASE_URL'
          ? 'postgres://u:topsecret@h/d'
          : 'abcdefghijklmnopqrstuvwxyzabcdefghijklmnopq=';
      const env = { [name]: value };
      expect(inspect(readSettings(env), { depth: 9 }) + JSON.stringify(readSettings(env))).not.toContain(
        value,
      );
    },
  );
});

describe('a purpose key', () => {
  const config = { masterKey: new Secret(Buffer.alloc(32, 1).toString('base64')) };

  it('is the same each time, and another one for each purpose', () => {
    expect(purposeKey(config, 'a')).toEqual(purposeKey(config, 'a'));
    expect(purposeKey(config, 'a')).not.toEqual(purposeKey(config, 'b'));
  });
});

it.each([
  ['127.0.0.1', 'http://127.0.0.1:80'],
  ['0.0.0.0', 'http://127.0.0.1:80'],
  ['::1', 'http://[::1]:80'],
  ['::', 'http://127.0.0.1:80'],
  ['shop.example', 'http://shop.example:80'],
])('the URL of host %s is %s', (host, url) => {
  expect(urlOf(host, 80)).toBe(url);
});

const distributed = {
  SCRIP_SERVICES:
    'auth=auth:3000:4000,campaigns=10.0.0.1:3001:4001,campaigns=10.0.0.2:3001:4001,customers=c:1:2,qualification=q:1:2,webhooks=w:1:2,operations=o:1:2',
  SCRIP_KAFKA_BROKERS: 'kafka-1:9092, kafka-2:9092',
  SCRIP_INTERNAL_SECRET: 'x'.repeat(32),
};

describe('settings of the distributed shape', () => {
  it('are absent where everything runs in one process', () => {
    expect(readSettings({}).distribution).toBeNull();
  });

  it('name the replicas of each service and what they share', () => {
    const { distribution } = readSettings({ ...distributed, SCRIP_KAFKA_RETENTION_HOURS: '2' });
    expect(distribution?.services.campaigns).toEqual([
      { host: '10.0.0.1', httpPort: 3001, rpcPort: 4001 },
      { host: '10.0.0.2', httpPort: 3001, rpcPort: 4001 },
    ]);
    expect(distribution?.services.auth).toEqual([{ host: 'auth', httpPort: 3000, rpcPort: 4000 }]);
    expect(distribution?.rpc).toEqual({ host: '127.0.0.1', port: 4000 });
    expect(distribution?.kafka).toEqual({
      brokers: ['kafka-1:9092', 'kafka-2:9092'],
      namespace: null,
      partitions: 6,
      replicationFactor: 1,
      retentionMs: 7_200_000,
      messageBytesMax: 1_048_576,
    });
  });

  it('name everything that is missing at once', () => {
    expect(complaintAbout({ SCRIP_SERVICES: 'auth=auth:3000:4000' })).toBe(
      [
        'SCRIP_SERVICES must name campaigns, customers, qualification, webhooks, operations too',
        'SCRIP_KAFKA_BROKERS is missing, which SCRIP_SERVICES needs',
        'SCRIP_INTERNAL_SECRET is missing, which SCRIP_SERVICES needs',
      ].join('\n'),
    );
  });

  it.each(['auth', 'auth=host', 'auth=host:1', 'mail=host:1:2', 'auth=ho st:1:2'])(
    'refuse the service %s',
    (member) => {
      expect(complaintAbout({ SCRIP_SERVICES: member })).toContain(
        'SCRIP_SERVICES must be a comma-separated list of name=host:http port:rpc port',
      );
    },
  );

  it('never show the secret', () => {
    const complaint = complaintAbout({ ...distributed, SCRIP_INTERNAL_SECRET: 'too short' });
    expect(complaint).toContain('SCRIP_INTERNAL_SECRET must be 32 to 255 visible ASCII characters');
    expect(complaint).not.toContain('too short');
    expect(inspect(readSettings(distributed), { depth: 5 })).not.toContain('x'.repeat(32));
  });
});
