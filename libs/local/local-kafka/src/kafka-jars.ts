import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { requireMaven } from './java';

const pom = resolve(__dirname, '..', 'pom.xml');
const cache = resolve(__dirname, '..', '..', '..', '..', 'node_modules', '.cache', 'scrip');

// Another pom.xml is another set of jars.
const folderOf = (): string =>
  join(cache, `kafka-${createHash('sha256').update(readFileSync(pom)).digest('hex').slice(0, 12)}`);

const copyWithMaven = async (mvn: string, target: string): Promise<void> => {
  try {
    await promisify(execFile)(
      mvn,
      [
        '-q',
        '-B',
        '-f',
        pom,
        'dependency:copy-dependencies',
        `-DoutputDirectory=${target}`,
        '-DincludeScope=runtime',
      ],
      { cwd: dirname(target) },
    );
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
    throw new Error(`Maven does not get the jars of Kafka:\n${(stdout + stderr).slice(0, 2_000)}`, {
      cause: error,
    });
  }
};

/** The folder with the jars of Apache Kafka, filled by Maven on first use: 43 MB, seconds once Maven has them. Throws
 *  `Error` where there is no Maven, or with what Maven says. */
export const kafkaJars = async (): Promise<string> => {
  const folder = folderOf();
  if (existsSync(folder)) return folder;
  const mvn = await requireMaven();
  await mkdir(cache, { recursive: true });
  const partial = await mkdtemp(`${folder}-`);
  try {
    await copyWithMaven(mvn, partial);
    await rename(partial, folder);
  } catch (error) {
    await rm(partial, { recursive: true, force: true });
    if (!existsSync(folder)) throw error; // Otherwise another start was faster, and its jars serve as well.
  }
  return folder;
};
