import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Readable } from 'node:stream';

/** How Scrip runs: all of it in one process, or every service in a process of its own. Source: architecture §1. */
export type Shape = 'embedded' | 'distributed';

/** The shape that this test run is about, as `SCRIP_TEST_SHAPE` says; embedded unless it says anything. */
export const testedShape = (): Shape => {
  const shape = process.env.SCRIP_TEST_SHAPE ?? 'embedded';
  if (shape !== 'embedded' && shape !== 'distributed')
    throw new Error(`SCRIP_TEST_SHAPE must be embedded or distributed, not "${shape}"`);
  return shape;
};

/** How a Scrip is started. */
export interface ScripOptions {
  /** Absent = a PostgreSQL of its own. */
  databaseUrl?: string;
  /** Absent = a new folder. */
  dataDir?: string;
  /** On top of everything else. Variables of this process that Scrip would read are not passed on. */
  environment?: Readonly<Record<string, string>>;
  /** Absent = the one that this run is about. */
  shape?: Shape;
  /** For the distributed shape, for example `campaigns=2`. */
  replicas?: string;
  /** Another user of this machine that runs it. */
  user?: string;
  /** Folder of another checkout of this repository, built, whose program is started instead. */
  checkout?: string;
  /** Node's program that runs it; absent = the one that runs this process. */
  node?: string;
}

/** A Scrip that was started, and may not be ready. */
export interface ScripProgram {
  readonly child: ChildProcess;
  readonly dataDir: string;
  /** The end of what it wrote so far, line by line. Complete once the child is closed. */
  output(): string;
}

const root = resolve(__dirname, '../../../..');
const programs: Record<Shape, string> = {
  embedded: join('apps', 'scrip', 'dist', 'main.js'),
  distributed: join('tools', 'services', 'dist', 'main.js'),
};

const outputCharactersMax = 200_000;
const readByScrip = /^(?:SCRIP_|WEBHOOK_|OTEL_|DATABASE_URL$)/;

/** Starts the built program on a free port, without waiting for it. */
export const spawnScrip = ({
  databaseUrl,
  dataDir = mkdtempSync(join(tmpdir(), 'scrip-data-')),
  environment = {},
  shape = testedShape(),
  replicas,
  user,
  checkout = root,
  node = process.execPath,
}: ScripOptions): ScripProgram => {
  const inherited = Object.entries(process.env).filter(([name]) => !readByScrip.test(name));
  const command = [node, join(checkout, programs[shape]), ...(replicas ? ['--replicas', replicas] : [])];
  const [file = '', ...args] = user ? ['runuser', '-u', user, '--', ...command] : command;
  const child = spawn(file, args, {
    cwd: '/',
    env: {
      ...Object.fromEntries(inherited),
      NODE_ENV: 'production',
      SCRIP_PORT: '0',
      SCRIP_DATA_DIR: dataDir,
      ...(databaseUrl ? { DATABASE_URL: databaseUrl } : {}),
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let lines = '';
  const begun = new Map<Readable, string>();
  // Both streams arrive in parts, which may end amid a line: each line stays whole.
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (part: string) => {
      const text = (begun.get(stream) ?? '') + part;
      const end = text.lastIndexOf('\n') + 1;
      lines = (lines + text.slice(0, end)).slice(-outputCharactersMax);
      begun.set(stream, text.slice(end));
    });
  return { child, dataDir, output: () => lines + [...begun.values()].join('') };
};
