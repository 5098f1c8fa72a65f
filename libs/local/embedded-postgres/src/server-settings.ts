import { createHash } from 'node:crypto';
import { platform } from 'node:os';

/** Settings of the embedded server. Durable: what was answered survives `kill -9` and a power cut. */
const settings: Record<string, string> = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: '200',
  shared_buffers: '128MB',
  effective_cache_size: '512MB',
  work_mem: '8MB',
  maintenance_work_mem: '64MB',
  // After a crash one call instead of one for each file; elsewhere than on Linux PostgreSQL knows only the latter.
  ...(platform() === 'linux' ? { recovery_init_sync_method: 'syncfs' } : {}),
  max_wal_size: '2GB',
  checkpoint_timeout: '15min',
  random_page_cost: '1.1',
  jit: 'off',
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_min_messages: 'warning',
  log_line_prefix: '%m [%p] %a ',
};

/** Names a way to run the server: a running one of another name has older settings or programs. */
export const clusterName = (version: string): string => {
  const hash = createHash('sha256')
    .update(JSON.stringify([version, settings]))
    .digest('hex');
  return `scrip-${hash.slice(0, 12)}`;
};

/** Arguments of `postgres`. */
export const serverArguments = (dataFolder: string, port: number, version: string): string[] => [
  '-D',
  dataFolder,
  '-p',
  String(port),
  ...Object.entries({ ...settings, cluster_name: clusterName(version) }).flatMap(([name, value]) => [
    '-c',
    `${name}=${value}`,
  ]),
];
