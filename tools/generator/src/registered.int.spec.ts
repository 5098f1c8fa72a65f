import { allContexts } from '@scrip/contexts';
import { contextNames, contexts, type RegisteredContext, topics } from '@scrip/contracts/registry';
import { readSettings } from '@scrip/service';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parse } from 'yaml';

const root = resolve(__dirname, '../../..');
const textOf = (file: string): string =>
  existsSync(join(root, file)) ? readFileSync(join(root, file), 'utf8') : '';

interface ComposeService {
  build?: { target: string };
  environment?: Record<string, string>;
  depends_on?: Record<string, unknown>;
}

const { services } = parse(textOf('docker-compose.yml'), { merge: true }) as {
  services: Record<string, ComposeService>;
};

/** The value of SCRIP_SERVICES that Docker Compose gives to all processes, read as they read it. */
const composed = readSettings({
  SCRIP_INTERNAL_SECRET: 'internal-secret-of-the-test-suites',
  SCRIP_KAFKA_BROKERS: 'kafka:9092',
  SCRIP_SERVICES: services.gateway?.environment?.SCRIP_SERVICES,
}).distribution?.services;

const inCapitals = (name: string): string => name.toUpperCase().replaceAll('-', '_');
const passwordOf = (name: string): string => `${inCapitals(name)}_DATABASE_PASSWORD`;

/** What a context needs beside its library, by the file in which it is missing. */
const missing = (name: (typeof contextNames)[number]): string[] => {
  const found: Readonly<Record<string, boolean>> = {
    [`apps/${name}/package.json`]: textOf(`apps/${name}/package.json`).includes(`"@scrip/${name}"`),
    [`apps/${name}/src/main.ts`]: textOf(`apps/${name}/src/main.ts`).includes(`from '@scrip/${name}'`),
    [`libs/contexts/${name}/package.json`]: textOf(`libs/contexts/${name}/package.json`) !== '',
    'libs/composition/contexts/package.json': textOf('libs/composition/contexts/package.json').includes(
      `"@scrip/${name}"`,
    ),
    'deploy/docker/Dockerfile: a target': textOf('deploy/docker/Dockerfile').includes(` AS ${name}\n`),
    'docker-compose.yml: a service': services[name]?.build?.target === name,
    'docker-compose.yml: SCRIP_SERVICES': composed?.[name]?.[0]?.host === name,
    'docker-compose.yml: what the gateway waits for': name in (services.gateway?.depends_on ?? {}),
    'docker-compose.yml: its role':
      services[name]?.environment?.DATABASE_URL?.includes(`//scrip_${name}:`) === true,
    'docker-compose.yml: the password of its role': passwordOf(name) in (services.roles?.environment ?? {}),
    'deploy/docker/make-env.mjs': textOf('deploy/docker/make-env.mjs').includes(`'${inCapitals(name)}'`),
    'deploy/postgres/make-context-roles.sh': new RegExp(`^contexts='(?:.* )?${name}[ ']`, 'm').test(
      textOf('deploy/postgres/make-context-roles.sh'),
    ),
    'package-lock.json': textOf('package-lock.json').includes(`"node_modules/@scrip/${name}"`),
  };
  return Object.keys(found).filter((place) => !found[place]);
};

describe('the registry of contexts', () => {
  it.each(contextNames)('finds %s wherever a context has to be', (name) => {
    expect(missing(name)).toEqual([]);
  });

  it('knows every library of a context and every service', () => {
    const folders = (folder: string): string[] =>
      readdirSync(join(root, folder), { withFileTypes: true })
        .filter((entry) => entry.isDirectory())
        .map((entry) => entry.name);
    const processes = ['gateway', 'scrip'];
    expect(folders('libs/contexts').sort()).toEqual([...contextNames].sort());
    expect(
      folders('apps')
        .filter((name) => !processes.includes(name))
        .sort(),
    ).toEqual([...contextNames].sort());
  });

  it('boots them in its order, each under its own name', () => {
    expect(allContexts.map(({ name }) => name)).toEqual(contextNames);
  });

  it('has the topics of its contexts, each in the name of the service that fills it', () => {
    const registered: readonly RegisteredContext[] = contexts;
    expect(topics).toEqual(Object.assign({}, ...registered.map((context) => context.topics)));
    for (const { name, topics: own } of registered)
      for (const topic of Object.values(own))
        expect(topic).toMatch(new RegExp(`^scrip\\.${name}\\.[a-z-]+\\.v1$`));
  });
});
