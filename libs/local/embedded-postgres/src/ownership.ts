import type { Client } from 'pg';

/** Another process uses the data directory. */
export class DataDirectoryInUse extends Error {
  override readonly name = 'DataDirectoryInUse';
}

// 'SCRP' as a number.
const lockKey = 0x53435250;
const attemptsMax = 20;
const pauseMs = 50;

const applicationPrefix = 'scrip-owner-';

/** Name under which the owner of a data directory connects. */
export const ownerApplicationName = `${applicationPrefix}${process.pid}`;

const holder = async (client: Client): Promise<string> => {
  const { rows } = await client.query<{ name: string }>(
    `SELECT application_name AS name FROM pg_stat_activity WHERE pid IN
       (SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND objid = $1::oid AND granted)`,
    [lockKey],
  );
  const name = rows[0]?.name ?? '';
  return name.startsWith(applicationPrefix)
    ? `process ${name.slice(applicationPrefix.length)}`
    : 'another process';
};

/** Makes the process behind `client` the only one on its data directory, for as long as that connection lives: an
 *  advisory lock, which a killed process loses at once. Throws `DataDirectoryInUse` naming the other process. */
export const takeOwnership = async (client: Client, dataDir: string): Promise<void> => {
  for (let attempt = 1; attempt <= attemptsMax; attempt += 1) {
    const { rows } = await client.query<{ taken: boolean }>('SELECT pg_try_advisory_lock($1) AS taken', [
      lockKey,
    ]);
    if (rows[0]?.taken) return;
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
  throw new DataDirectoryInUse(
    `${dataDir} is in use by ${await holder(client)}: stop it, or choose another folder with SCRIP_DATA_DIR`,
  );
};
