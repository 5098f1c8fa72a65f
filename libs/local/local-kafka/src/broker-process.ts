import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { type BrokerPlace, brokerProperties } from './broker-settings';
import { quickStartFlags } from './class-archive';
import { findJava } from './java';
import { kafkaJars } from './kafka-jars';
import { kafkaAnswers } from './kafka-answers';
import { propertiesFileOf } from './registration';

/** What runs brokers here. */
export interface Programs {
  readonly java: string;
  readonly jars: string;
}

const startTimeoutMs = 60_000;
const pauseMs = 50;
const logTailCharacters = 2_000;
const logging = resolve(__dirname, '..', 'log4j2.properties');

/** Throws `Error` saying what is missing on this machine. */
export const findPrograms = async (): Promise<Programs> => {
  const [java, jars] = await Promise.all([findJava(), kafkaJars()]);
  return { java, jars };
};

/** Where the broker of a folder writes its log; what an earlier one wrote is beside it. */
export const logFileOf = (folder: string): string => join(folder, 'server.log');

/** The end of that log. */
export const logTail = (folder: string): string =>
  readFileSync(logFileOf(folder), 'utf8').slice(-logTailCharacters);

/** Passwords by user, of those who prove themselves by SCRAM-SHA-512. */
export type ScramUsers = Readonly<Record<string, string>>;

const format = async (
  { java, jars }: Programs,
  folder: string,
  scramUsers: ScramUsers,
  givenUp: AbortSignal,
): Promise<void> => {
  const clusterId = randomBytes(16).toString('base64url').replace(/^-/, 'A');
  const quickStart = ['-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC'];
  const tool = ['-cp', `${jars}/*`, 'kafka.tools.StorageTool', 'format', '--ignore-formatted'];
  const users = Object.entries(scramUsers).flatMap(([name, password]) => [
    '--add-scram',
    `SCRAM-SHA-512=[name=${name},password=${password}]`,
  ]);
  await promisify(execFile)(
    java,
    [...quickStart, ...tool, '-t', clusterId, '-c', propertiesFileOf(folder), ...users],
    { cwd: folder, signal: givenUp, killSignal: 'SIGKILL' },
  );
};

const openLog = (folder: string): number => {
  const file = logFileOf(folder);
  if (existsSync(file)) renameSync(file, join(folder, 'server.previous.log'));
  return openSync(file, 'w', 0o600);
};

/** Starts the broker of a folder, whose storage is made first where there is none. In a session of its own, so that
 *  Ctrl-C reaches Node only, which ends it in its turn. `givenUp` ends what still prepares it. `scramUsers` are made
 *  with the storage. */
export const launchBroker = async (
  programs: Programs,
  place: BrokerPlace,
  {
    settings = {},
    quickStart = false,
    scramUsers = {},
  }: { settings?: Readonly<Record<string, string>>; quickStart?: boolean; scramUsers?: ScramUsers },
  givenUp: AbortSignal,
): Promise<ChildProcess> => {
  const { folder } = place;
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  writeFileSync(propertiesFileOf(folder), brokerProperties(place, settings), { mode: 0o600 });
  if (!existsSync(join(folder, 'data', 'meta.properties')))
    await format(programs, folder, scramUsers, givenUp);
  const log = openLog(folder);
  const machine = ['-Xms128m', '-Xmx512m', '-XX:+ExitOnOutOfMemoryError'];
  const broker = spawn(
    programs.java,
    [
      ...machine,
      ...(quickStart ? quickStartFlags(programs.jars, folder) : []),
      `-Dlog4j2.configurationFile=${logging}`,
      '-cp',
      `${programs.jars}/*`,
      'kafka.Kafka',
      propertiesFileOf(folder),
    ],
    { cwd: folder, detached: true, stdio: ['ignore', log, log] },
  );
  closeSync(log);
  await once(broker, 'spawn');
  broker.unref();
  return broker;
};

/** Whether a started process is gone. */
export const hasEnded = (broker: ChildProcess): boolean =>
  broker.exitCode !== null || broker.signalCode !== null;

/** Resolves with true as soon as the broker takes clients; false when it ended instead, or time is up. */
export const untilAnswering = async (
  broker: ChildProcess,
  { folder, port }: BrokerPlace,
): Promise<boolean> => {
  const deadline = Date.now() + startTimeoutMs;
  // Where another broker has the port, that one would answer.
  const isStarted = (): boolean => logTail(folder).includes('Kafka Server started');
  while (!hasEnded(broker) && Date.now() < deadline) {
    if (isStarted() && (await kafkaAnswers(`127.0.0.1:${port}`))) return !hasEnded(broker);
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
  return false;
};
