import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { type ServerUser, postgresPrograms, serverFolderPrefix, serverUser } from './postgres-binaries';
import { removeLeftovers } from './postgres-leftovers';

/** A PostgreSQL server that belongs to this process. */
export interface PostgresServer {
  /** Connects as superuser to the database `postgres`. */
  readonly url: string;
  /** Stops the server and removes its data. May be called twice. */
  stop(): Promise<void>;
}

const startsMax = 3;
const startTimeoutMs = 30_000;

type Settings = Readonly<Record<string, string>>;

const alwaysSet: Settings = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: '600',
  shared_buffers: '128MB',
  max_wal_size: '2GB',
  full_page_writes: 'off',
  timezone: 'UTC',
  log_min_messages: 'warning',
};

/** Autovacuum would go through the hundreds of databases of a run every minute, each time with a process for each. */
const settingsOfSpecs = { fsync: 'off', autovacuum_naptime: '1h' };

const freePort = async (): Promise<number> => {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, 'close');
  return port;
};

const accepts = async (url: string): Promise<boolean> => {
  const client = new Client({ connectionString: url });
  try {
    await client.connect();
    return true;
  } catch {
    return false; // Still starting, or gone: the caller looks at the process.
  } finally {
    await client.end().catch(() => undefined);
  }
};

const launch = async (
  program: string,
  folder: string,
  port: number,
  settings: Settings,
  user?: ServerUser,
): Promise<ChildProcess> => {
  const flags = Object.entries({ ...alwaysSet, ...settings }).flatMap(([name, value]) => [
    '-c',
    `${name}=${value}`,
  ]);
  const log = openSync(join(folder, 'server.log'), 'w');
  const server = spawn(program, ['-D', join(folder, 'data'), '-p', String(port), ...flags], {
    ...user,
    cwd: folder,
    stdio: ['ignore', log, log],
  });
  closeSync(log);
  await once(server, 'spawn');
  return server;
};

const hasEnded = (server: ChildProcess): boolean => server.exitCode !== null || server.signalCode !== null;

const untilReady = async (server: ChildProcess, url: string): Promise<boolean> => {
  const deadline = Date.now() + startTimeoutMs;
  while (!hasEnded(server) && Date.now() < deadline) {
    if (await accepts(url)) return !hasEnded(server);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return false;
};

const end = async (server: ChildProcess, signal: NodeJS.Signals): Promise<void> => {
  if (hasEnded(server)) return;
  server.kill(signal);
  await once(server, 'exit');
};

const makeCluster = (initdb: string, folder: string, user?: ServerUser): void => {
  const data = join(folder, 'data');
  const locale = ['--encoding=UTF8', '--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--locale=C'];
  execFileSync(initdb, ['-D', data, '--username=scrip', '--auth=trust', '--no-sync', ...locale], {
    ...user,
    cwd: folder,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
};

const startOnFreePort = async (
  program: string,
  folder: string,
  settings: Settings,
  user?: ServerUser,
): Promise<{ server: ChildProcess; url: string }> => {
  // Between finding a free port and using it, another process may take it.
  for (let start = 1; ; start += 1) {
    const port = await freePort();
    const url = `postgres://scrip@127.0.0.1:${port}/postgres`;
    const server = await launch(program, folder, port, settings, user);
    if (await untilReady(server, url)) return { server, url };
    await end(server, 'SIGQUIT');
    if (start === startsMax) throw new Error(readFileSync(join(folder, 'server.log'), 'utf8'));
  }
};

/** Removes a folder in a detached process, since hundreds of thousands of files take long, and returns when that process has renamed
 *  it. The new name carries the id of that process, so that `removeLeftovers` of another run leaves it alone. */
const removeInBackground = async (folder: string): Promise<void> => {
  const given = `${serverFolderPrefix('$$')}given`;
  const script = `mv "$0" ${given}; exec >&-; exec rm -rf ${given}`;
  const remover = spawn('sh', ['-c', script, folder], {
    cwd: tmpdir(),
    detached: true,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  remover.stdout.resume();
  await once(remover.stdout, 'end');
  remover.unref();
};

/** Starts a PostgreSQL of its own on a free loopback port, with data in a temporary folder and durability as in
 *  production; `survivesPowerCuts: false`, for specs: no `fsync` and no autovacuum; a killed server still loses nothing.
 *  `settings`: of PostgreSQL, over the others. Usable by root and by ordinary users; runs beside each other do not meet. Also removes what killed
 *  runs left behind. Throws with the server's log when it does not start. */
export const startPostgres = async ({
  survivesPowerCuts = true,
  settings = {},
}: { survivesPowerCuts?: boolean; settings?: Settings } = {}): Promise<PostgresServer> => {
  removeLeftovers();
  const user = serverUser();
  const { initdb, postgres } = postgresPrograms(user);
  const folder = mkdtempSync(join(tmpdir(), serverFolderPrefix(process.pid)));
  const removeFolder = () => rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
  try {
    if (user) chownSync(folder, user.uid, user.gid);
    makeCluster(initdb, folder, user);
    const { server, url } = await startOnFreePort(
      postgres,
      folder,
      { ...(survivesPowerCuts ? {} : settingsOfSpecs), ...settings },
      user,
    );
    const onExit = () => {
      server.kill('SIGQUIT');
      removeFolder();
    };
    process.once('exit', onExit);
    let isStopped = false;
    return {
      url,
      stop: async () => {
        // A slower end would write what is removed then.
        await end(server, 'SIGQUIT');
        process.off('exit', onExit);
        if (!isStopped) await removeInBackground(folder);
        isStopped = true;
      },
    };
  } catch (error) {
    removeFolder();
    throw error;
  }
};
