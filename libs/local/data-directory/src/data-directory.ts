import { chmodSync, mkdirSync, realpathSync } from 'node:fs';

/** Makes the data directory where it is missing, and gives its real path. Others may pass through it for root, whose
 *  PostgreSQL runs as another user, and not even that otherwise. Throws `Error` when it cannot be used. */
export const openDataDirectory = (path: string): string => {
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 });
    chmodSync(path, process.getuid?.() === 0 ? 0o711 : 0o700);
  } catch (error) {
    throw new Error(
      `the data directory ${path} cannot be used: ${(error as Error).message}. ` +
        'Make it yours, or choose another folder with SCRIP_DATA_DIR',
      { cause: error },
    );
  }
  return realpathSync(path);
};
