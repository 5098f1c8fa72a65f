import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** What Apache Kafka 4 asks for. */
const javaVersionMin = 17;

const run = promisify(execFile);

const outputOf = async (program: string, argument: string): Promise<string | null> => {
  try {
    const { stdout, stderr } = await run(program, [argument]);
    return stdout + stderr;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
};

/** The major version in the output of `java -version`: 17 for `17.0.15`, 8 for `1.8.0_402`. Null when there is none. */
export const javaVersionIn = (output: string): number | null => {
  const match = /version "(?:1\.)?(\d+)/.exec(output);
  return match ? Number(match[1]) : null;
};

/** Path of a Java that can run Kafka: that of `JAVA_HOME`, else the one on the path. Throws `Error` saying what to install
 *  when it is missing or too old. */
export const findJava = async (env: NodeJS.ProcessEnv = process.env): Promise<string> => {
  const java = env.JAVA_HOME ? join(env.JAVA_HOME, 'bin', 'java') : 'java';
  const wanted = `Kafka needs Java ${javaVersionMin} or newer: install it (for example openjdk-17-jre-headless), set JAVA_HOME, or name brokers that run already`;
  const output = await outputOf(java, '-version');
  if (output === null) throw new Error(`${java} is not there. ${wanted}`);
  const version = javaVersionIn(output);
  if (version === null || version < javaVersionMin)
    throw new Error(`${java} is Java ${version ?? 'of an unknown version'}. ${wanted}`);
  return java;
};

/** Throws `Error` saying what to install when there is no Maven on the path. */
export const requireMaven = async (): Promise<string> => {
  if ((await outputOf('mvn', '--version')) === null) {
    throw new Error(
      'mvn is not there. It fetches the jars of Kafka once: install Apache Maven, or name brokers that run already',
    );
  }
  return 'mvn';
};
