import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, readFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { Client } from 'pg';
import { type Cluster, openCluster } from './cluster';
import { makeContextRoles } from './context-roles';
import {
  databaseUrlsOf,
  type DatabaseUrls,
  roleOf,
  rolePassword,
  type ServerAccess,
  superuserUrl,
} from './database-urls';
import { ownerApplicationName, takeOwnership } from './ownership';
import { type Postmaster, runningPostmaster, stopPostmaster } from './postmaster';
import { type Programs, findPrograms } from './programs';
import { openServerLog } from './server-log';
import { clusterName, serverArguments } from './server-settings';
import { type ServerUser, asUser, serverUser } from './server-user';

/** The server of a data directory, owned by this process. */
export interface EmbeddedPostgres<Context extends string = string> extends DatabaseUrls<Context> {
  /** Whether the server ran already, left over by a killed process. */
  readonly reused: boolean;
  /** Resolves when a cluster made by this start is safe on disk. To be awaited before anything is promised to callers. */
  readonly synced: Promise<void>;
  /** Resolves when the server ends by itself. */
  readonly lost: Promise<void>;
  /** Ends the server; committed data is kept. May be called twice. */
  stop(): Promise<void>;
}

const startTimeoutMs = 60_000;
const stopTimeoutMs = 10_000;
const pauseMs = 25;
const logTailCharacters = 2_000;

const freePort = async (): Promise<number> => {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, 'close');
  return port;
};

const connect = async (cluster: Cluster, postmaster: { port: number }): Promise<Client | null> => {
  const client = new Client({
    connectionString: superuserUrl({ ...postmaster, password: cluster.password }, 'postgres'),
    application_name: ownerApplicationName,
    connectionTimeoutMillis: 5_000,
  });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return client;
  } catch (error) {
    await client.end().catch(() => undefined);
    if ((error as { code?: string }).code === '28P01') {
      throw new Error(`the password in ${cluster.home} is not the one of the running server`, {
        cause: error,
      });
    }
    return null; // Starting, recovering or stopping: the caller looks again.
  }
};

interface Launch {
  server: ChildProcess;
  /** Where this server's part of the log begins, bytes. */
  logStart: number;
}

// In a session of its own, so that Ctrl-C reaches Node only, which first lets requests and jobs end.
const launch = async (
  programs: Programs,
  cluster: Cluster,
  user: ServerUser | undefined,
): Promise<Launch> => {
  const { log, logStart } = openServerLog(cluster.logFile, user);
  const args = serverArguments(cluster.dataFolder, await freePort(), programs.version);
  const server = spawn(programs.postgres, args, {
    ...asUser(user),
    cwd: cluster.home,
    detached: true,
    stdio: ['ignore', log, log],
  });
  closeSync(log);
  await once(server, 'spawn');
  server.unref();
  return { server, logStart };
};

const hasEnded = ({ server }: Launch): boolean => server.exitCode !== null || server.signalCode !== null;

const logSince = ({ logFile }: Cluster, launched: Launch | undefined): string =>
  readFileSync(logFile).subarray(launched?.logStart).toString().slice(-logTailCharacters);

// What a server says whose predecessor was killed a moment ago and is not quite gone, or when another start is faster.
const passes = (log: string): boolean =>
  /pre-existing shared memory block|lock file "postmaster.pid" already exists|could not bind/i.test(log);

interface Found {
  client: Client;
  postmaster: Postmaster;
  reused: boolean;
}

const reach = async (programs: Programs, cluster: Cluster, user: ServerUser | undefined): Promise<Found> => {
  const deadline = Date.now() + startTimeoutMs;
  let launched: Launch | undefined;
  while (Date.now() < deadline) {
    const postmaster = runningPostmaster(cluster.dataFolder);
    const client = postmaster && (await connect(cluster, postmaster));
    if (postmaster && client) return { client, postmaster, reused: launched?.server.pid !== postmaster.pid };
    const isGone = launched !== undefined && hasEnded(launched);
    if (isGone && !passes(logSince(cluster, launched))) break;
    if (!postmaster && (!launched || isGone)) launched = await launch(programs, cluster, user);
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
  throw new Error(
    `the embedded PostgreSQL does not start; end of ${cluster.logFile}:\n${logSince(cluster, launched)}`,
  );
};

const hasCurrentSettings = async (client: Client, { version }: Programs): Promise<boolean> => {
  const { rows } = await client.query<{ cluster_name: string }>('SHOW cluster_name');
  return rows[0]?.cluster_name === clusterName(version);
};

const createDatabase = async (client: Client): Promise<void> => {
  const { rowCount } = await client.query(`SELECT 1 FROM pg_database WHERE datname = 'scrip'`);
  if (rowCount === 0) await client.query('CREATE DATABASE scrip TEMPLATE template0');
};

const makeRoles = async (access: ServerAccess, contexts: readonly string[]): Promise<void> => {
  const client = new Client({ connectionString: superuserUrl(access, 'scrip') });
  await client.connect();
  try {
    const { password } = access;
    await makeContextRoles(
      client,
      contexts.map((context) => ({
        context,
        role: roleOf(context),
        password: rolePassword(password, context),
      })),
    );
  } finally {
    await client.end();
  }
};

const own = async (found: Found, dataDir: string): Promise<void> => {
  try {
    await takeOwnership(found.client, dataDir);
  } catch (error) {
    await found.client.end();
    throw error;
  }
};

/** Starts the PostgreSQL server of a data directory, making its cluster first where there is none, or takes over the one
 *  that a killed process left running. Makes a role for each of `contexts`, which owns their schemas. Works for root (the server then runs as user `postgres` or `nobody`) and for
 *  ordinary users. Throws `DataDirectoryInUse` when another process owns it, and `Error` with the end of the server's
 *  log when it does not start. */
export const startEmbeddedPostgres = async <Context extends string>(
  dataDir: string,
  contexts: readonly Context[],
): Promise<EmbeddedPostgres<Context>> => {
  const user = serverUser();
  const programs = findPrograms(user);
  const cluster = openCluster(dataDir, programs, user);
  cluster.synced.catch(() => undefined); // The error reaches the caller that awaits it, which may be later.
  let found = await reach(programs, cluster, user);
  await own(found, dataDir);
  if (found.reused && !(await hasCurrentSettings(found.client, programs))) {
    await found.client.end();
    await stopPostmaster(found.postmaster, startTimeoutMs);
    found = await reach(programs, cluster, user);
    await own(found, dataDir);
  }
  const { client, postmaster, reused } = found;
  await createDatabase(client);
  const access = { port: postmaster.port, password: cluster.password };
  await makeRoles(access, contexts);
  let stopped: Promise<boolean> | undefined;
  const lost = new Promise<void>((resolve) => {
    client.once('end', () => {
      if (!stopped) resolve();
    });
  });
  return {
    ...databaseUrlsOf(access, contexts),
    reused,
    synced: cluster.synced,
    lost,
    stop: async () => {
      stopped ??= stopPostmaster(postmaster, stopTimeoutMs);
      await stopped;
      await client.end().catch(() => undefined);
    },
  };
};
