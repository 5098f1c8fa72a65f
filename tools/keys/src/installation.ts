import { masterKeyOf, openDataDirectory } from '@scrip/data-directory';
import { contextDatabases } from '@scrip/reconcile';
import { readSettings, type ScripConfig } from '@scrip/service';

/** The configuration of the installation that commands work on: DATABASE_URL, or the PostgreSQL that runs on the data
 *  directory. Throws `ConfigurationError`, or `Error` where no database runs. */
export const configOfInstallation = (): ScripConfig => {
  const settings = readSettings(process.env);
  const dataDir = openDataDirectory(settings.dataDir);
  return {
    ...settings,
    dataDir,
    ...contextDatabases(settings, dataDir),
    masterKey: settings.masterKey ?? masterKeyOf(dataDir),
  };
};
