import { existsSync, mkdirSync, realpathSync } from 'node:fs';
import { join } from 'node:path';

/** Where the broker of `npm run kafka:up` and of `npm run start:services` keeps everything: `kafka` in the data
 *  directory. */
export const kafkaFolder = (dataDir = process.env.SCRIP_DATA_DIR ?? '.scrip'): string => {
  const folder = join(dataDir, 'kafka');
  if (!existsSync(folder)) mkdirSync(folder, { recursive: true, mode: 0o700 });
  return realpathSync(folder);
};
