import type { FileStoreSettings } from '@scrip/files';
import { Secret } from '@scrip/kernel';
import { join, resolve } from 'node:path';
import { ConfigurationError, type readEnvironment } from './environment';

type Read = ReturnType<typeof readEnvironment>;

/** Both halves of a key, or none. */
const accessKeyOf = (read: Read): { id: string; secret: Secret } | null => {
  const id = read.SCRIP_S3_ACCESS_KEY_ID as string | null;
  const secret = read.SCRIP_S3_SECRET_ACCESS_KEY as string | null;
  if (id === null && secret === null) return null;
  if (id === null) throw new ConfigurationError('SCRIP_S3_ACCESS_KEY_ID is missing');
  if (secret === null) throw new ConfigurationError('SCRIP_S3_SECRET_ACCESS_KEY is missing');
  return { id, secret: new Secret(secret) };
};

/** Returns where files are kept. Throws `ConfigurationError` for half a key. */
export const filesOf = (read: Read, dataDir: string): FileStoreSettings => {
  const folder = read.SCRIP_FILES_DIR as string | null;
  const bucket = read.SCRIP_S3_BUCKET as string | null;
  const endpoint = read.SCRIP_S3_ENDPOINT as string | null;
  return {
    folder: folder === null ? join(dataDir, 'files') : resolve(folder),
    s3:
      bucket === null
        ? null
        : {
            bucket,
            prefix: (read.SCRIP_S3_PREFIX as string | null) ?? '',
            region: read.SCRIP_S3_REGION as string,
            endpoint,
            pathStyle: endpoint !== null && (read.SCRIP_S3_PATH_STYLE as boolean),
            accessKey: accessKeyOf(read),
          },
  };
};
