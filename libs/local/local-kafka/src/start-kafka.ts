import type { ChildProcess } from 'node:child_process';
import { mkdirSync, realpathSync } from 'node:fs';
import {
  type Programs,
  type ScramUsers,
  findPrograms,
  hasEnded,
  launchBroker,
  logFileOf,
  logTail,
  untilAnswering,
} from './broker-process';
import { keepClassArchive } from './class-archive';
import { endProcess, endWithThisProcess } from './end-process';
import { freePort } from './free-port';
import { isAlive } from './process-identity';
import { register, runningBroker, unregister } from './registration';
import { makeTemporaryFolder, removeFolder, removeLeftovers } from './temporary-folder';

/** How a broker is started. */
export interface KafkaOptions {
  /** The broker's own folder, kept when it stops; absent = a temporary one, removed then. */
  readonly dataDir?: string;
  /** Absent = a free port, which is kept for later starts of the same server. */
  readonly port?: number;
  /** Properties of the broker on top of ours, for example `message.max.bytes`. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Users that a new broker knows by SCRAM-SHA-512: passwords by name. */
  readonly scramUsers?: ScramUsers;
  /** A third of the work until it answers, for a lower rate at its best: for tests. */
  readonly quickStart?: boolean;
  /** Whether it runs on after this process. */
  readonly outlives?: boolean;
}

/** One Apache Kafka node on loopback, controller and broker in one. */
export interface KafkaServer {
  /** `127.0.0.1:<port>` */
  readonly brokers: string;
  readonly port: number;
  /** Of the present process, or of the last one. */
  readonly pid: number;
  readonly logFile: string;
  /** Resolves when the present process ends other than by `stop` or `kill`. */
  readonly lost: Promise<void>;
  /** Ends it in good order. May be called twice. */
  stop(): Promise<void>;
  /** Ends it at once, as `kill -9` does, and waits until it is gone. */
  kill(): Promise<void>;
  /** Starts it again, on the same data and port, after `stop`, `kill` or a loss. */
  start(): Promise<void>;
}

const startsMax = 3;
const isPortTaken = (log: string): boolean => /address already in use/i.test(log);

const refuseOrClear = async (folder: string): Promise<void> => {
  const running = runningBroker(folder);
  if (!running) return;
  if (running.ownerPid === null || isAlive(running.ownerPid))
    throw new Error(`a Kafka broker runs on ${folder} already: process ${running.pid}, port ${running.port}`);
  await endProcess(running.pid); // Left over by a killed process.
};

class LocalKafka implements KafkaServer {
  lost: Promise<void> = Promise.resolve();
  pid = 0;
  port = 0;
  private broker: ChildProcess | undefined;
  private programs: Programs | undefined;
  private isEnding = false;
  private readonly givenUp = new AbortController();

  constructor(
    private readonly folder: string,
    private readonly options: KafkaOptions,
  ) {}

  get brokers(): string {
    return `127.0.0.1:${this.port}`;
  }

  get logFile(): string {
    return logFileOf(this.folder);
  }

  async start(): Promise<void> {
    if (this.broker && !hasEnded(this.broker)) return;
    await refuseOrClear(this.folder);
    process.off('exit', this.onExit);
    if (!this.options.outlives) process.once('exit', this.onExit);
    const programs = (this.programs ??= await findPrograms());
    // Between finding a free port and using it, another process may take it.
    for (let start = 1; ; start += 1) {
      // Clients know the port of an earlier start.
      const port = this.port || (this.options.port ?? (await freePort()));
      const place = { folder: this.folder, port, controllerPort: await freePort() };
      const broker = await launchBroker(programs, place, this.options, this.givenUp.signal);
      this.take(broker, port);
      if (await untilAnswering(broker, place)) {
        this.port = port;
        return;
      }
      await this.end('SIGKILL');
      const log = logTail(this.folder);
      if (this.options.port || start === startsMax || !isPortTaken(log))
        throw new Error(`Kafka does not start on port ${port}; the end of ${this.logFile}:\n${log}`);
    }
  }

  async stop(): Promise<void> {
    await this.end('SIGTERM');
    process.off('exit', this.onExit);
    if (this.programs) keepClassArchive(this.programs.jars, this.folder);
    if (!this.options.dataDir) removeFolder(this.folder);
  }

  async kill(): Promise<void> {
    await this.end('SIGKILL');
  }

  private take(broker: ChildProcess, port: number): void {
    this.broker = broker;
    this.pid = broker.pid as number;
    this.isEnding = false;
    register(this.folder, {
      pid: this.pid,
      port,
      ownerPid: this.options.outlives ? null : process.pid,
    });
    if (!this.options.outlives) endWithThisProcess(this.pid);
    this.lost = new Promise((resolve) => {
      broker.once('exit', () => {
        if (!this.isEnding) resolve();
      });
    });
  }

  private async end(signal: NodeJS.Signals): Promise<void> {
    const { broker } = this;
    if (!broker || hasEnded(broker)) return;
    this.isEnding = true;
    await endProcess(this.pid, signal);
    unregister(this.folder, this.pid);
  }

  private readonly onExit = (): void => {
    this.givenUp.abort();
    if (this.broker && !hasEnded(this.broker)) this.broker.kill('SIGKILL');
    if (!this.options.dataDir) removeFolder(this.folder);
  };
}

/** Starts Apache Kafka on this machine and resolves when it takes clients; it ends with this process, `kill -9` included,
 *  unless it shall outlive it. The first use on a machine fetches its jars through Maven. Throws `Error` saying what is
 *  missing (Java 17, Maven), that a broker runs on the folder already, or with the end of the broker's log. */
export const startKafka = async (options: KafkaOptions = {}): Promise<KafkaServer> => {
  removeLeftovers();
  if (options.dataDir) mkdirSync(options.dataDir, { recursive: true, mode: 0o700 });
  const folder = options.dataDir ? realpathSync(options.dataDir) : makeTemporaryFolder();
  const server = new LocalKafka(folder, options);
  try {
    await server.start();
  } catch (error) {
    await server.stop();
    throw error;
  }
  return server;
};
