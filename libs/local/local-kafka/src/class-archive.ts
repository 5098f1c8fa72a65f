import { copyFileSync, existsSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/** Where brokers that start quickly find the classes of Kafka as an earlier one had loaded them. */
const archiveOf = (jars: string): string => join(jars, 'broker-classes.jsa');

const dumpOf = (folder: string): string => join(folder, 'broker-classes.jsa');

/** What Java is told so that a broker starts with a third of the work: compiled by its quick compiler only, and with the
 *  classes of an earlier broker mapped instead of loaded. Where there are none yet, this broker leaves its own in its
 *  folder when it ends in good order. */
export const quickStartFlags = (jars: string, folder: string): string[] => [
  '-XX:TieredStopAtLevel=1',
  '-XX:+UseSerialGC',
  existsSync(archiveOf(jars))
    ? `-XX:SharedArchiveFile=${archiveOf(jars)}`
    : `-XX:ArchiveClassesAtExit=${dumpOf(folder)}`,
];

/** Keeps beside the jars what an ended broker left in its folder, if anything. */
export const keepClassArchive = (jars: string, folder: string): void => {
  const dump = dumpOf(folder);
  if (!existsSync(dump)) return;
  if (!existsSync(archiveOf(jars))) {
    // Brokers may start meanwhile: they see the whole file or none. The folder may be on another file system.
    const partial = `${archiveOf(jars)}-${process.pid}`;
    copyFileSync(dump, partial);
    renameSync(partial, archiveOf(jars));
  }
  rmSync(dump, { force: true });
};
