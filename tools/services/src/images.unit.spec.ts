import { environmentTable, readSettings } from '@scrip/service';
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync } from 'node:fs';
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

/** docker-compose.yml with `.env` replaced by `variables`. As Docker Compose does, values are filled in after parsing. */
const composeWith = (variables: Record<string, string>): { services: Record<string, ComposeService> } => {
  const filled = (value: unknown): unknown =>
    typeof value === 'string'
      ? value.replace(
          /\$\{(\w+):-([^}]*)\}/g,
          (_all, name: string, fallback: string) => variables[name] ?? fallback,
        )
      : value;
  const parsed = parse(textOf('docker-compose.yml'), { merge: true }) as object;
  return JSON.parse(JSON.stringify(parsed, (_key, value) => filled(value))) as {
    services: Record<string, ComposeService>;
  };
};

const apps = readdirSync(join(root, 'apps')).filter(
  (name) => name !== 'scrip' && existsSync(join(root, 'apps', name, 'src', 'main.ts')),
);
const compose = composeWith({});
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
    expect(awaited.every(([, { condition }]) => condition === 'service_healthy')).toBe(true);
    for (const [name] of awaited) {
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

  it('runs the Kafka that the tests run', () => {
    const version = /<artifactId>kafka_2\.13<\/artifactId>\s*<version>([^<]+)</.exec(
      textOf('tools/local-kafka/pom.xml'),
    )?.[1];
    expect(compose.services.kafka?.image).toBe(`apache/kafka:${version}`);
    expect(textOf('libs/testing/src/kafka/kafka-container.ts')).toContain(`'apache/kafka:${version}'`);
  });

  it('has secrets of its own once they are made, and they are made once', () => {
    const folder = mkdtempSync(join(tmpdir(), 'scrip-env-'));
    const target = join(folder, '.env');
    const make = () =>
      spawnSync(process.execPath, [join(root, 'deploy/docker/make-env.mjs'), target], { encoding: 'utf8' });
    try {
      expect(make().status).toBe(0);
      const text = readFileSync(target, 'utf8');
      expect(statSync(target).mode & 0o777).toBe(0o600);
      const variables = Object.fromEntries(
        [...text.matchAll(/^(\w+)=(.+)$/gm)].map(([, name, value]) => [name, value]),
      );
      const { services } = composeWith(variables as Record<string, string>);
      expect(JSON.stringify(compose)).toContain('known-to-everybody');
      expect(JSON.stringify(services)).not.toMatch(/known-to-everybody|:scrip@|a25vd24g/);
      for (const [name] of ours) readSettings(environmentOf(services[name] as ComposeService));
      expect(make()).toMatchObject({ status: 1, stderr: `${target} exists already: it is left as it is\n` });
      expect(readFileSync(target, 'utf8')).toBe(text);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  const hasCompose = spawnSync('docker', ['compose', 'version']).status === 0;
  if (!hasCompose) console.warn('skipped: there is no Docker Compose here to read docker-compose.yml');
  (hasCompose ? it : it.skip)('is what Docker Compose takes', () => {
    execFileSync('docker', ['compose', '-f', join(root, 'docker-compose.yml'), 'config', '--quiet'], {
      cwd: tmpdir(),
    });
  });
});
