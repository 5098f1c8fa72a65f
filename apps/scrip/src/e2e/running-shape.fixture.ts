import { type ContextName, contextNames } from '@scrip/contracts/registry';
import { serviceEdge } from '@scrip/edge';
import { gatewayEdge } from '@scrip/edge/gateway';
import { newId, Secret } from '@scrip/kernel';
import {
  type ContextDefinition,
  type HttpProcess,
  type RunningApp,
  ScripLogger,
  bootGateway,
  bootScrip,
  readSettings,
} from '@scrip/service';
import {
  contextDatabaseUrls,
  createDatabase,
  kafkaBrokers,
  messagesOf,
  patientAnswers,
  testedShape,
} from '@scrip/testing';
import { randomInt } from 'node:crypto';
import { type Socket, createSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { bootAll } from '../boot-all';
import { allContexts } from '@scrip/contexts';

/** Scrip inside this process in either shape, on a database. */
export interface RunningShape {
  /** Of the public API. */
  readonly url: string;
  /** As a superuser. */
  readonly databaseUrl: string;
  /** All that was written to the process log, in JSON. */
  logged(): string;
  /** All messages of its topics in Kafka; none in the embedded shape. */
  published(): Promise<string[]>;
  /** The application in which a context lives. */
  of(context: ContextName): RunningApp['app'];
  close(): Promise<void>;
}

/** Keeps what processes log. */
const keptLog = () => {
  const lines: string[] = [];
  const destination = { write: (line: string) => void lines.push(line) };
  return { logger: new ScripLogger({ level: 'debug', destination }), logged: () => lines.join('') };
};

const bootEmbedded = async (settings: NodeJS.ProcessEnv, databaseUrl: string): Promise<RunningShape> => {
  const { logger, logged } = keptLog();
  const running = await bootAll(configOf({ SCRIP_PORT: '0', ...patientAnswers, ...settings }, databaseUrl), {
    logger,
  });
  return {
    ...{ url: running.url, databaseUrl, logged, published: async () => [] },
    of: () => running.app,
    close: () => running.close(),
  };
};

const configOf = (settings: NodeJS.ProcessEnv, databaseUrl: string) => ({
  ...readSettings(settings),
  masterKey: new Secret(Buffer.alloc(32, 7).toString('base64')),
  databaseUrl: new Secret(databaseUrl),
});

/** Each context connects by its own role, as in an installation. */
const rolesIn = async (databaseUrl: string): Promise<NodeJS.ProcessEnv> => ({
  DATABASE_URLS: Object.entries(await contextDatabaseUrls(databaseUrl, contextNames))
    .map(([name, url]) => `${name}=${url}`)
    .join(','),
});

/** Below the ports that `freePort` gives others, who listen seconds later. */
const [portMin, portMax] = [10_000, 15_000];

const isFree = async (port: number): Promise<boolean> => {
  const probe = createServer().listen(port, '127.0.0.1');
  try {
    await once(probe, 'listening');
  } catch {
    return false;
  }
  probe.close();
  await once(probe, 'close');
  return true;
};

/** A port that no other shape is given, in whatever process, until its UDP twin is closed: services listen seconds after they were
 *  told of each other. */
const keepPort = async (): Promise<{ port: number; twin: Socket }> => {
  for (;;) {
    const twin = createSocket('udp4').unref();
    const port = randomInt(portMin, portMax);
    try {
      twin.bind({ port, address: '127.0.0.1', exclusive: true });
      await once(twin, 'listening');
      if (await isFree(port)) return { port, twin };
    } catch {
      // Another shape has it.
    }
    twin.close();
  }
};

/** Each context as a service of its own and a gateway before them: calls go over sockets, events over Kafka. */
const bootServices = async (settings: NodeJS.ProcessEnv, databaseUrl: string): Promise<RunningShape> => {
  const { logger, logged } = keptLog();
  const namespace = newId('suite-').slice(0, 32).replaceAll('_', '-');
  const brokers = await kafkaBrokers();
  const kept = await Promise.all(Array.from({ length: 2 * contextNames.length + 1 }, keepPort));
  const ports = kept.map(({ port }) => port);
  const gatewayPort = String(ports.pop());
  const places = new Map(contextNames.map((name, index) => [name, ports.slice(2 * index, 2 * index + 2)]));
  const shared: NodeJS.ProcessEnv = {
    SCRIP_SERVICES: [...places].map(([name, [http, rpc]]) => `${name}=127.0.0.1:${http}:${rpc}`).join(','),
    SCRIP_INTERNAL_SECRET: 'internal-secret-of-the-test-suites',
    SCRIP_KAFKA_BROKERS: brokers,
    // Suites share the brokers.
    SCRIP_KAFKA_NAMESPACE: namespace,
    SCRIP_KAFKA_PARTITIONS: '3',
    SCRIP_BASE_URL: `http://127.0.0.1:${gatewayPort}`,
    // All of them start in this process, where each stands still in a migration while the others load.
    SCRIP_IDLE_IN_TRANSACTION_TIMEOUT_MS: '30000',
    SCRIP_TRANSACTION_TIMEOUT_MS: '60000',
    ...patientAnswers,
    ...settings,
  };
  const bootOne = async (context: ContextDefinition): Promise<[ContextName, RunningApp]> => {
    const [http, rpc] = places.get(context.name) ?? [];
    const own = { SCRIP_PORT: String(http), SCRIP_RPC_PORT: String(rpc) };
    const config = configOf({ ...shared, ...own }, databaseUrl);
    return [context.name, await bootScrip({ contexts: [context], config, edge: serviceEdge, logger })];
  };
  const services = new Map(await Promise.all(allContexts.map(bootOne)));
  const config = readSettings({ ...shared, SCRIP_PORT: gatewayPort });
  if (!config.distribution) throw new Error('unreachable: SCRIP_SERVICES is set');
  const gateway: HttpProcess = await bootGateway({
    config: { ...config, distribution: config.distribution },
    edge: gatewayEdge,
    logger,
  });
  return {
    ...{ url: gateway.url, databaseUrl, logged },
    published: () => messagesOf(brokers, namespace),
    of: (context) => (services.get(context) as RunningApp).app,
    close: async () => {
      await gateway.close();
      await Promise.all([...services.values()].map((service) => service.close()));
      for (const { twin } of kept) twin.close();
    },
  };
};

/** Boots the shape that `SCRIP_TEST_SHAPE` names (`embedded` unless it says `distributed`); `settings` are environment
 *  variables, `databaseUrl` absent = a new database. */
export const bootShape = async (
  settings: NodeJS.ProcessEnv = {},
  databaseUrl?: string,
): Promise<RunningShape> => {
  const url = databaseUrl ?? (await createDatabase('shape'));
  const variables = { ...(await rolesIn(url)), ...settings };
  return testedShape() === 'distributed' ? bootServices(variables, url) : bootEmbedded(variables, url);
};
