import { masterKeyOf } from '@scrip/data-directory';
import type { ContextName } from '@scrip/contracts/registry';
import type { DatabaseUrls } from '@scrip/embedded-postgres';
import type { ScripConfig, ScripSettings } from '@scrip/service';

/** Settings with what the embedded shape keeps or makes itself. Throws `Error` when there is no database, or the master
 *  key is damaged. */
export const completeConfig = (
  settings: ScripSettings,
  dataDir: string,
  embedded?: DatabaseUrls<ContextName> | null,
): ScripConfig => {
  const { databaseUrl, databaseUrls } = embedded ?? settings;
  if (!databaseUrl) throw new Error('no database: neither DATABASE_URL nor an embedded one');
  return {
    ...settings,
    dataDir,
    databaseUrl,
    databaseUrls,
    masterKey: settings.masterKey ?? masterKeyOf(dataDir),
  };
};
