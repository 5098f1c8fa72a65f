import { masterKeyOf, openDataDirectory } from '@scrip/data-directory';
import { Secret } from '@scrip/kernel';
import { type Databases, databasesOf } from '@scrip/reconcile';
import {
  ProcessLog,
  type ProcessPlan,
  type Replicas,
  type RunningProcess,
  ServiceProcesses,
  labelOf,
  planOf,
  runningServices,
} from '@scrip/services';
import { type KafkaServer, freePort, startKafka, waitUntil } from '@scrip/testing';
import { randomBytes } from 'node:crypto';
import { createWriteStream, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Caller, callerOf, project } from './caller';
import { Postgres } from './postgres';
import { ServiceProxies } from './service-proxies';
import { TcpProxy } from './tcp-proxy';

const demo = {
  projectId: project.id,
  appId: project.appId,
  appToken: new Secret(project.appToken),
  clientAppId: project.clientAppId,
  clientToken: new Secret(project.clientToken),
  managementId: project.managementId,
  managementToken: new Secret(project.managementToken),
};

/** Every service as a process, with servers of their own, as `npm run start:services` runs them. */
export interface Distributed extends Caller {
  readonly folder: string;
  readonly postgres: Postgres;
  /** The way of the movable services to their database, which is the same server at first. */
  readonly movableDatabase: TcpProxy;
  readonly kafka: KafkaServer;
  readonly kafkaProxy: TcpProxy;
  /** In front of each service's ports. */
  readonly proxies: ServiceProxies;
  /** For looking at what is stored, past all proxies. */
  readonly databases: Databases;
  /** The processes as they run now, by label ("campaigns.2"). They are started again whenever they end. */
  processes(): Map<string, RunningProcess>;
  stop(): Promise<void>;
}

const host = '127.0.0.1';

const startKafkaBehind = async (folder: string): Promise<{ kafka: KafkaServer; kafkaProxy: TcpProxy }> => {
  const port = await freePort();
  const kafkaProxy = await new TcpProxy(port).listen();
  const settings = { 'advertised.listeners': `PLAINTEXT://${host}:${kafkaProxy.port}` };
  return { kafka: await startKafka({ dataDir: join(folder, 'kafka'), port, settings }), kafkaProxy };
};

/** What the processes of the last run said; stays. */
export const logFile = join(tmpdir(), 'scrip-chaos.log');

/** Services that have a way of their own to their database. */
export const movable = ['campaigns', 'qualification'] as const;

/** Starts the distributed shape in a new folder and resolves when it is ready. */
export const startDistributed = async (
  replicas: Replicas = { campaigns: 2, qualification: 2, webhooks: 2 },
): Promise<Distributed> => {
  const folder = mkdtempSync(join(tmpdir(), 'scrip-chaos-'));
  const dataDir = openDataDirectory(folder);
  const [postgres, { kafka, kafkaProxy }] = await Promise.all([
    Postgres.start(dataDir),
    startKafkaBehind(folder),
  ]);
  const movableDatabase = await new TcpProxy(postgres.port).listen();
  const movableUrl = new Secret(postgres.urlThrough(movableDatabase));
  const gatewayPort = await freePort();
  const plans = await planOf(replicas, gatewayPort, freePort);
  const proxies = await ServiceProxies.inFrontOf(plans);
  const log = new ProcessLog(createWriteStream(logFile), true, 16);
  const origin = `http://${host}:${gatewayPort}`;
  const services = new ServiceProcesses(
    {
      plans,
      reachedAt: (plan: ProcessPlan) => proxies.reachedAt(plan),
      host,
      reachableHost: host,
      baseUrl: origin,
      dataDir,
      databaseUrl: new Secret(postgres.urlThrough(postgres.proxy)),
      ownDatabaseUrls: Object.fromEntries(movable.map((name) => [name, movableUrl])),
      masterKey: masterKeyOf(dataDir),
      internalSecret: new Secret(randomBytes(32).toString('base64url')),
      brokers: `${host}:${kafkaProxy.port}`,
      demo,
    },
    log,
  );
  const stopServers = async (): Promise<void> => {
    const closing = [proxies, kafkaProxy, movableDatabase].map((one) => one.close());
    await Promise.all([kafka.stop(), postgres.stop(), ...closing]);
  };
  try {
    await services.start();
  } catch (error) {
    await services.stop(5_000);
    await stopServers();
    throw new Error(`the services do not start; see ${logFile}`, { cause: error });
  }
  return {
    ...callerOf(origin),
    folder,
    postgres,
    movableDatabase,
    kafka,
    kafkaProxy,
    proxies,
    get databases() {
      return databasesOf([], () => postgres.directUrl);
    },
    processes: () => {
      const { processes } = runningServices(dataDir);
      return new Map(processes.map((one) => [labelOf(one), one]));
    },
    stop: async () => {
      await services.stop(10_000);
      await stopServers();
      rmSync(folder, { recursive: true, force: true });
    },
  };
};

const isReady = async ({ httpPort }: ProcessPlan): Promise<boolean> => {
  try {
    return (await fetch(`http://${host}:${httpPort}/readyz`, { signal: AbortSignal.timeout(1_000) })).ok;
  } catch {
    return false; // Not listening yet, or busy.
  }
};

/** Ends a process as `kill -9` does. Returns the milliseconds until its successor was ready. */
export const killProcess = async (shape: Distributed, label: string): Promise<number> => {
  const before = shape.processes().get(label);
  if (!before) throw new Error(`no process ${label}`);
  const startedAt = performance.now();
  process.kill(before.pid, 'SIGKILL');
  await waitUntil(
    async () => {
      const now = shape.processes().get(label);
      return now !== undefined && now.pid !== before.pid && (await isReady(now));
    },
    { what: `${label} to be ready again`, timeoutMs: 60_000, intervalMs: 50 },
  );
  return performance.now() - startedAt;
};
