import { contextNames } from '@scrip/contracts/registry';
import { environmentTable, readSettings } from '@scrip/service';
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parse } from 'yaml';

interface ComposeService {
  image: string;
  build?: { context: string; dockerfile: string; target: string };
  environment: Record<string, string | number>;
  ports?: string[];
  depends_on?: Record<string, { condition: string }>;
  healthcheck?: { test: string[] };
  user?: string;
  read_only?: boolean;
  networks?: string[];
}

interface Compose {
  services: Record<string, ComposeService>;
  networks: Record<string, { internal?: boolean } | null>;
}

const root = resolve(__dirname, '..', '..', '..');
const textOf = (file: string): string => readFileSync(join(root, file), 'utf8');

const dockerfile = textOf('deploy/docker/Dockerfile').replace(/\\\n/g, ' ');
const instructions = dockerfile.split('\n').filter((line) => /^[A-Z]+ /.test(line.trim()));
const stageOf = (name: string): string[] => {
  const from = instructions.findIndex((line) => line.startsWith('FROM ') && line.endsWith(` AS ${name}`));
  const end = instructions.findIndex((line, index) => index > from && line.startsWith('FROM '));
  return from < 0 ? [] : instructions.slice(from, end < 0 ? undefined : end);
};

/** docker-compose.yml with `.env` replaced by `variables`. As Docker Compose does, values are filled in after parsing, and a
 *  required variable (`:?`) that is missing is an error. */
const composeWith = (variables: Record<string, string>): Compose => {
  const filled = (value: unknown): unknown =>
    typeof value === 'string'
      ? value.replace(/\$\{(\w+):([-?])([^}]*)\}/g, (_all, name: string, kind: '-' | '?', text: string) => {
          if (kind === '?' && !variables[name]) throw new Error(`${name}: ${text}`);
          return variables[name] ?? text;
        })
      : value;
  const parsed = parse(textOf('docker-compose.yml'), { merge: true }) as object;
  return JSON.parse(JSON.stringify(parsed, (_key, value) => filled(value))) as Compose;
};

const apps = readdirSync(join(root, 'apps')).filter(
  (name) => name !== 'scrip' && existsSync(join(root, 'apps', name, 'src', 'main.ts')),
);

/** What `deploy/docker/make-env.mjs` writes into `target`. */
const makeEnvironment = (target: string) =>
  spawnSync(process.execPath, [join(root, 'deploy/docker/make-env.mjs'), target], { encoding: 'utf8' });

const secretsFolder = mkdtempSync(join(tmpdir(), 'scrip-env-'));
const secretsFile = join(secretsFolder, '.env');
const made = makeEnvironment(secretsFile);
const secretsText = readFileSync(secretsFile, 'utf8');
const variablesOf = (text: string) =>
  Object.fromEntries([...text.matchAll(/^(\w+)=(.+)$/gm)].map(([, name, value]) => [name, value])) as Record<
    string,
    string
  >;
const secrets = variablesOf(secretsText);
const passwordOf = (context: string): string => `${context.toUpperCase()}_DATABASE_PASSWORD`;
afterAll(() => rmSync(secretsFolder, { recursive: true }));

const compose = composeWith(secrets);
const ours = Object.entries(compose.services).filter(([, { build }]) => build);

/** What the image sets: `ENV` of the stage that all targets share. */
const imageEnvironment = Object.fromEntries(
  stageOf('runtime')
    .filter((line) => line.startsWith('ENV '))
    .flatMap((line) => [...line.matchAll(/(\w+)=(\S+)/g)].map(([, name, value]) => [name, value])),
) as Record<string, string>;

const environmentOf = ({ environment }: ComposeService): Record<string, string> => ({
  ...imageEnvironment,
  ...Object.fromEntries(Object.entries(environment).map(([name, value]) => [name, String(value)])),
});

describe('the images', () => {
  it.each(apps)('have a target for %s, with its program and nothing of the others', (name) => {
    expect(stageOf(name)).toEqual([
      `FROM runtime AS ${name}`,
      `COPY --from=build /scrip/apps/${name} ./apps/${name}`,
      `CMD ["node", "apps/${name}/dist/main.js"]`,
    ]);
  });

  it('run as an ordinary user on Node 24, and tell whether they are ready', () => {
    expect(instructions).toContain('ARG NODE_IMAGE=node:24-slim');
    expect(stageOf('runtime')).toContain('USER node');
    expect(instructions.filter((line) => line.startsWith('USER '))).toHaveLength(1);
    expect(stageOf('runtime').find((line) => line.startsWith('HEALTHCHECK '))).toContain('/readyz');
    expect(imageEnvironment.NODE_ENV).toBe('production');
  });

  it('are not built from what a working copy collects', () => {
    const ignored = textOf('.dockerignore').split('\n');
    expect(ignored).toEqual(expect.arrayContaining(['**/node_modules', '**/dist', '.git', '.env', '.scrip']));
  });

  it('listen where they say', () => {
    const { SCRIP_PORT, SCRIP_RPC_PORT } = imageEnvironment;
    expect(stageOf('runtime')).toContain(`EXPOSE ${SCRIP_PORT} ${SCRIP_RPC_PORT}`);
  });
});

describe('docker-compose.yml', () => {
  it('runs every service and the gateway, each from its own target', () => {
    expect(ours.map(([name]) => name).sort()).toEqual([...apps].sort());
    for (const [name, { build }] of ours)
      expect(build).toEqual({ context: '.', dockerfile: 'deploy/docker/Dockerfile', target: name });
  });

  it.each(ours)('gives %s an environment that it starts with', (name, service) => {
    const environment = environmentOf(service);
    const known = new Set<string>([...environmentTable.map((variable) => variable.name), 'NODE_ENV']);
    expect(Object.keys(environment).filter((variable) => !known.has(variable))).toEqual([]);
    const settings = readSettings(environment);
    expect(settings.host).toBe('0.0.0.0');
    if (name === 'gateway') expect(settings).toMatchObject({ databaseUrl: null, masterKey: null });
    else expect([settings.databaseUrl, settings.masterKey].every(Boolean)).toBe(true);
  });

  it('tells everybody where each service listens', () => {
    const { port, distribution } = readSettings(environmentOf(compose.services.gateway as ComposeService));
    for (const [name, addresses] of Object.entries(distribution?.services ?? {}))
      expect([name, addresses]).toEqual([
        name,
        [{ host: name, httpPort: port, rpcPort: distribution?.rpc.port }],
      ]);
    expect(compose.services.gateway?.ports).toEqual([`127.0.0.1:3000:${port}`]);
    expect(distribution?.kafka.brokers).toEqual(['kafka:9092']);
    expect(compose.services.kafka?.environment.KAFKA_ADVERTISED_LISTENERS).toBe('PLAINTEXT://kafka:9092');
  });

  it('waits for what can tell that it is healthy', () => {
    const awaited = Object.values(compose.services).flatMap(({ depends_on = {} }) =>
      Object.entries(depends_on),
    );
    expect(new Set(awaited.map(([, { condition }]) => condition))).toEqual(
      new Set(['service_healthy', 'service_completed_successfully']),
    );
    for (const [name, { condition }] of awaited) {
      if (condition !== 'service_healthy') continue;
      const service = compose.services[name];
      expect([name, Boolean(service?.healthcheck ?? service?.build)]).toEqual([name, true]);
    }
    const gateway = Object.keys(compose.services.gateway?.depends_on ?? {});
    expect(gateway.sort()).toEqual(apps.filter((name) => name !== 'gateway').sort());
  });

  it('gives no process more than it needs', () => {
    for (const [name, { user, read_only, ports }] of ours) {
      expect([name, user, read_only]).toEqual([name, undefined, true]);
      if (name !== 'gateway') expect(ports).toBeUndefined();
    }
    expect(Object.keys(compose.services.auth?.environment ?? {})).toContain('SCRIP_BOOTSTRAP_APP_TOKEN');
    expect(Object.keys(compose.services.campaigns?.environment ?? {})).not.toContain(
      'SCRIP_BOOTSTRAP_APP_TOKEN',
    );
  });

  it('lets callers reach the gateway only, services alone the stores, and webhooks alone the outside', () => {
    const { networks, services } = compose;
    const membersOf = (network: string): string[] =>
      Object.keys(services)
        .filter((name) => services[name]?.networks?.includes(network))
        .sort();
    const isClosed = (network: string): boolean => networks[network]?.internal === true;
    const own = apps.filter((name) => name !== 'gateway');
    expect(Object.keys(networks).map((network) => [network, isClosed(network), membersOf(network)])).toEqual([
      ['callers', false, ['gateway']],
      ['services', true, [...apps].sort()],
      ['stores', true, [...own, 'kafka', 'postgres', 'roles'].sort()],
      ['outside', false, ['webhooks']],
    ]);
  });

  it('runs the Kafka that the tests run', () => {
    const version = /<artifactId>kafka_2\.13<\/artifactId>\s*<version>([^<]+)</.exec(
      textOf('libs/local/local-kafka/pom.xml'),
    )?.[1];
    expect(compose.services.kafka?.image).toBe(`apache/kafka:${version}`);
    expect(textOf('libs/local/testing/src/kafka/kafka-container.ts')).toContain(`'apache/kafka:${version}'`);
  });

  it('has the secrets that were made, and they are made once', () => {
    expect(made.status).toBe(0);
    expect(statSync(secretsFile).mode & 0o777).toBe(0o600);
    const again = makeEnvironment(secretsFile);
    expect(again).toMatchObject({
      status: 1,
      stderr: `${secretsFile} exists already: it is left as it is\n`,
    });
    expect(readFileSync(secretsFile, 'utf8')).toBe(secretsText);
  });

  it('gets the secrets that a later version needs, and keeps those it has', () => {
    const older = join(secretsFolder, 'older');
    const lacks = /^\w+_DATABASE_PASSWORD=.*\n/gm;
    writeFileSync(older, secretsText.replace(lacks, '').trimEnd());
    expect(makeEnvironment(older)).toMatchObject({
      status: 0,
      stdout: `added to ${older}: ${contextNames.map(passwordOf).join(', ')}\n`,
    });
    const text = readFileSync(older, 'utf8');
    expect(text.replace(lacks, '').trimEnd()).toBe(secretsText.replace(lacks, '').trimEnd());
    expect(() => composeWith(variablesOf(text))).not.toThrow();
  });

  it('lets each service connect by a role of its own, after it was made', () => {
    const { roles } = compose.services;
    for (const name of contextNames) {
      const service = compose.services[name] as ComposeService;
      const url = new URL(environmentOf(service).DATABASE_URL as string);
      expect([url.username, url.password]).toEqual([`scrip_${name}`, secrets[passwordOf(name)]]);
      expect(service.depends_on?.roles).toEqual({ condition: 'service_completed_successfully' });
      expect(roles?.environment[passwordOf(name)]).toBe(url.password);
    }
  });

  it('makes the role of each context', () => {
    // What the script hands to psql.
    writeFileSync(join(secretsFolder, 'psql'), '#!/bin/sh\ncat\n', { mode: 0o755 });
    const script = join(root, 'deploy/postgres/make-context-roles.sh');
    const run = (passwords: object) =>
      spawnSync(script, {
        encoding: 'utf8',
        env: { PATH: `${secretsFolder}:${process.env.PATH}`, ...passwords },
      });
    const made = run(secrets);
    expect(made.status).toBe(0);
    expect(made.stdout).toBe(
      'SET client_min_messages = warning;\n' +
        textOf('deploy/postgres/context-roles.sql') +
        contextNames
          .map(
            (name) =>
              `\\getenv password ${passwordOf(name)}\nSELECT pg_temp.make_context_role('${name}', 'scrip_${name}', $1) \\bind :password \\g\n`,
          )
          .join(''),
    );
    const { AUTH_DATABASE_PASSWORD: _missing, ...others } = secrets;
    const refused = run(others);
    expect([refused.status === 0, refused.stdout]).toEqual([false, '']);
    expect(refused.stderr).toContain('AUTH_DATABASE_PASSWORD: is missing');
  });

  it.each(Object.keys(secrets).filter((name) => /SECRET|KEY|PASSWORD|TOKEN/.test(name)))(
    'starts nothing without %s',
    (name) => {
      const { [name]: _missing, ...others } = secrets;
      expect(() => composeWith(others)).toThrow(`${name}: node deploy/docker/make-env.mjs makes it`);
    },
  );

  it('bounds the memory and the processes of every container of ours', () => {
    for (const [name, service] of ours)
      expect([name, service]).toEqual([name, expect.objectContaining({ mem_limit: '1g', pids_limit: 200 })]);
  });

  const hasCompose = spawnSync('docker', ['compose', 'version']).status === 0;
  if (!hasCompose) console.warn('skipped: there is no Docker Compose here to read docker-compose.yml');
  (hasCompose ? it : it.skip)('is what Docker Compose takes', () => {
    const files = ['--env-file', secretsFile, '-f', join(root, 'docker-compose.yml')];
    execFileSync('docker', ['compose', ...files, 'config', '--quiet'], { cwd: tmpdir() });
  });
});
