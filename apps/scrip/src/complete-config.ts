import { masterKeyOf } from '@scrip/data-directory';
import type { Secret } from '@scrip/kernel';
import type { ScripConfig, ScripSettings } from '@scrip/service';

/** Settings with what the embedded shape keeps or makes itself. Throws `Error` when there is no database, or the master
 *  key is damaged. */
export const completeConfig = (
  settings: ScripSettings,
  dataDir: string,
  embeddedUrl?: Secret,
): ScripConfig => {
  const databaseUrl = settings.databaseUrl ?? embeddedUrl;
  if (!databaseUrl) throw new Error('no database: neither DATABASE_URL nor an embedded one');
  return { ...settings, dataDir, databaseUrl, masterKey: settings.masterKey ?? masterKeyOf(dataDir) };
};
