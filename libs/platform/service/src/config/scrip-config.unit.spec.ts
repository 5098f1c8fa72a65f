import { contextNames } from '@scrip/contracts/registry';
import { isAbsolute } from 'node:path';
import { inspect } from 'node:util';
import { databaseUrlOf } from './context-databases';
import { ConfigurationError } from './environment';
import { environmentTable } from './environment.table';
import { readSettings, urlOf } from './scrip-config';

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

  it('keep files in the data directory, a folder, or a bucket', () => {
    expect(readSettings({ SCRIP_DATA_DIR: '/data' }).files).toEqual({ folder: '/data/files', s3: null });
    expect(readSettings({ SCRIP_FILES_DIR: '/shared/files' }).files.folder).toBe('/shared/files');
    const aws = { bucket: 'exports', prefix: '', region: 'us-east-1', endpoint: null, pathStyle: false };
    expect(readSettings({ SCRIP_S3_BUCKET: 'exports' }).files.s3).toEqual({ ...aws, accessKey: null });
    const { s3 } = readSettings({
      SCRIP_S3_BUCKET: 'exports',
      SCRIP_S3_PREFIX: 'scrip/',
      SCRIP_S3_ENDPOINT: 'http://minio:9000',
      SCRIP_S3_ACCESS_KEY_ID: 'scrip',
      SCRIP_S3_SECRET_ACCESS_KEY: 'very-secret',
    }).files;
    expect(s3).toMatchObject({ prefix: 'scrip/', endpoint: 'http://minio:9000', pathStyle: true });
    expect(inspect(s3, { depth: 5 })).not.toContain('very');
  });

  it.each([
    [{ SCRIP_S3_ACCESS_KEY_ID: 'scrip' }, 'SCRIP_S3_SECRET_ACCESS_KEY is missing'],
    [{ SCRIP_S3_SECRET_ACCESS_KEY: 'secret' }, 'SCRIP_S3_ACCESS_KEY_ID is missing'],
    [
      { SCRIP_S3_ENDPOINT: 'http://minio:9000/path' },
      'SCRIP_S3_ENDPOINT must be an http or https URL without',
    ],
    [{ SCRIP_S3_PREFIX: 'no-slash' }, 'SCRIP_S3_PREFIX must be a text that ends with a slash'],
  ])('refuse a store of files that is half said: %p', (env, complaint) => {
    expect(complaintAbout({ SCRIP_S3_BUCKET: 'exports', ...env })).toContain(complaint);
  });

  it.each([
    [{}, 9_000, true],
    [{ SCRIP_PORT: '0' }, 0, true],
    [{ SCRIP_PORT: '59535' }, 65_535, true],
    [{ SCRIP_PORT: '59536' }, 0, true],
    [{ SCRIP_METRICS_PORT: '9464' }, 9_464, false],
  ])('serve measurements on loopback: %p', (env, port, fallback) => {
    expect(readSettings(env).metrics).toEqual({ host: '127.0.0.1', port, fallback });
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

  const services = {
    SCRIP_SERVICES: contextNames.map((name) => `${name}=127.0.0.1:3000:4000`).join(),
    SCRIP_INTERNAL_SECRET: 'x'.repeat(32),
    SCRIP_KAFKA_BROKERS: '127.0.0.1:9092',
  };

  // A proxy or a gateway on the same machine lets others call a server that listens on loopback.
  it.each<[string, NodeJS.ProcessEnv, boolean]>([
    ['behind a trusted proxy', { SCRIP_TRUST_PROXY: '127.0.0.1' }, false],
    ['known under a public URL', { SCRIP_BASE_URL: 'https://scrip.example.com' }, false],
    ['known under a loopback URL', { SCRIP_BASE_URL: 'http://localhost:8080' }, true],
    ['known under a loopback URL of IPv6', { SCRIP_HOST: '::1', SCRIP_BASE_URL: 'http://[::1]:8080' }, true],
    ['behind a gateway of an unknown URL', services, false],
    ['behind a gateway on loopback', { ...services, SCRIP_BASE_URL: 'http://127.0.0.1:3000' }, true],
    ['allowed by its switch', { SCRIP_HOST: '0.0.0.0', WEBHOOK_ALLOW_LOOPBACK: 'true' }, true],
  ])('%s: webhooks to loopback are decided', (_name, env, allowed) => {
    expect(readSettings(env).webhookEgress.allowLoopback).toBe(allowed);
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
      const urls: Record<string, string> = {
        DATABASE_URL: 'postgres://u:topsecret@h/d',
        DATABASE_URLS: contextNames.map((context) => `${context}=postgres://u:topsecret@h/d`).join(','),
        WEBHOOK_PROXY: 'http://u:topsecret@h:3128',
      };
      const value = urls[name] ?? 'abcdefghijklmnopqrstuvwxyzabcdefghijklmnopq=';
      const env = { [name]: value };
      expect(inspect(readSettings(env), { depth: 9 }) + JSON.stringify(readSettings(env))).not.toContain(
        value,
      );
    },
  );
});

describe('the databases of contexts', () => {
  const url = 'postgres://one@db/scrip';
  const own = 'postgres://scrip_auth@db/scrip?sslmode=verify-full';
  const databases = (env: NodeJS.ProcessEnv): string[] => {
    const { databaseUrl, databaseUrls } = readSettings(env);
    if (!databaseUrl) return [];
    return contextNames.map((name) => databaseUrlOf({ databaseUrl, databaseUrls }, name).reveal());
  };

  it('are one for all, unless one is named', () => {
    expect(databases({ DATABASE_URL: url })).toEqual(contextNames.map(() => url));
    expect(databases({ DATABASE_URL: url, DATABASE_URLS: `auth=${own}` })).toEqual(
      contextNames.map((name) => (name === 'auth' ? own : url)),
    );
  });

  it('need no other where each is named', () => {
    const named = contextNames.map((name) => `${name}=postgres://scrip_${name}@db/scrip`);
    expect(databases({ DATABASE_URLS: named.join(', ') })).toEqual(
      contextNames.map((name) => `postgres://scrip_${name}@db/scrip`),
    );
  });

  it('are all there, or none is', () => {
    expect(complaintAbout({ DATABASE_URLS: `auth=${own}` })).toBe(
      'DATABASE_URLS names no database of campaigns, customers, qualification, webhooks, operations, promotions, catalog: add them, or set DATABASE_URL for the rest',
    );
    expect(complaintAbout({ DATABASE_URL: url, DATABASE_URLS: `shop=${own}` })).toBe(
      'DATABASE_URLS must be a comma-separated list of context=postgres://user:password@host:port/database, not (not shown)',
    );
  });
});

describe('keys that are accepted beside the current ones', () => {
  const [one, other] = [1, 2].map((byte) => Buffer.alloc(32, byte).toString('base64')) as [string, string];

  it('are none unless they are listed', () => {
    expect(readSettings({}).acceptedMasterKeys).toEqual([]);
  });

  it('are read as the master key is', () => {
    const listed = `${one}, ${Buffer.from(other, 'base64').toString('hex')}`;
    const { acceptedMasterKeys } = readSettings({ SCRIP_MASTER_KEYS_ACCEPTED: listed });
    expect(acceptedMasterKeys.map((key) => key.reveal())).toEqual([one, other]);
  });

  it('are refused without being shown', () => {
    const complaint = complaintAbout({ SCRIP_MASTER_KEYS_ACCEPTED: `${one},short` });
    expect(complaint).toContain('SCRIP_MASTER_KEYS_ACCEPTED must be a comma-separated list of 32 bytes each');
    expect(complaint).not.toContain(one);
    expect(complaint).not.toContain('short');
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
    'auth=auth:3000:4000,campaigns=10.0.0.1:3001:4001,campaigns=10.0.0.2:3001:4001,customers=c:1:2,qualification=q:1:2,webhooks=w:1:2,operations=o:1:2,promotions=p:1:2,catalog=k:1:2',
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
      tls: null,
      sasl: null,
    });
  });

  it('say how brokers are reached that ask who comes, and never show the password', () => {
    const settings = readSettings({
      ...distributed,
      SCRIP_KAFKA_TLS: 'true',
      SCRIP_KAFKA_SASL: 'scram-sha-512',
      SCRIP_KAFKA_USERNAME: 'scrip',
      SCRIP_KAFKA_PASSWORD: 'kafka-password',
    });
    const { tls, sasl } = settings.distribution!.kafka;
    expect([tls, sasl?.mechanism, sasl?.username, sasl?.password.reveal()]).toEqual([
      { ca: null },
      'scram-sha-512',
      'scrip',
      'kafka-password',
    ]);
    expect(inspect(settings, { depth: 6 })).not.toContain('kafka-password');
  });

  it.each<[string, Record<string, string>, string]>([
    [
      'a password that can be read on its way',
      { SCRIP_KAFKA_SASL: 'plain', SCRIP_KAFKA_USERNAME: 'a', SCRIP_KAFKA_PASSWORD: 'b' },
      'SCRIP_KAFKA_SASL=plain needs SCRIP_KAFKA_TLS=true: it sends the password as it is',
    ],
    [
      'a proof without a name and a password',
      { SCRIP_KAFKA_SASL: 'scram-sha-256' },
      'SCRIP_KAFKA_USERNAME is missing, which SCRIP_KAFKA_SASL needs\nSCRIP_KAFKA_PASSWORD is missing, which SCRIP_KAFKA_SASL needs',
    ],
    [
      'a password that would never be used',
      { SCRIP_KAFKA_PASSWORD: 'b' },
      'SCRIP_KAFKA_SASL is missing, which SCRIP_KAFKA_USERNAME and SCRIP_KAFKA_PASSWORD need',
    ],
    [
      'an authority that is not there',
      { SCRIP_KAFKA_TLS: 'true', SCRIP_KAFKA_CA_FILE: '/no/such.pem' },
      'SCRIP_KAFKA_CA_FILE: /no/such.pem cannot be read',
    ],
    [
      'an authority that would never be asked',
      { SCRIP_KAFKA_CA_FILE: '/no/such.pem' },
      'SCRIP_KAFKA_CA_FILE says nothing without SCRIP_KAFKA_TLS=true',
    ],
  ])('refuse %s', (_what, variables, complaint) => {
    expect(complaintAbout({ ...distributed, ...variables })).toBe(complaint);
  });

  it('name everything that is missing at once', () => {
    expect(complaintAbout({ SCRIP_SERVICES: 'auth=auth:3000:4000' })).toBe(
      [
        'SCRIP_SERVICES must name campaigns, customers, qualification, webhooks, operations, promotions, catalog too',
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
