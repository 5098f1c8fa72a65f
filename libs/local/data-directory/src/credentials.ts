import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { newId, Secret } from '@scrip/kernel';
import type { BootstrapKeys, ScripSettings } from '@scrip/service';
import { replacePrivateFile } from './private-file';

/** Content of `credentials.json` in the data directory: everything a caller of the demo project needs. */
export interface Credentials {
  base_url: string;
  project_id: string;
  app_id: string;
  app_token: string;
  client_app_id: string;
  client_token: string;
  management_id: string;
  management_token: string;
  /** Signs webhooks: `whsec_` and base64. */
  webhook_token: string;
}

const pathOf = (dataDir: string): string => join(dataDir, 'credentials.json');

const stored = (dataDir: string): Partial<Credentials> => {
  const path = pathOf(dataDir);
  return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as Partial<Credentials>) : {};
};

const newToken = (): string => randomBytes(24).toString('base64url');

/** What the demo project is opened with: ids null where auth chooses, tokens always given. */
export type DemoKeys = { [Key in keyof BootstrapKeys]: Key extends `${string}Id` ? string | null : Secret };

/** Keys as the environment fixes them, else those of an earlier start; tokens else new ones, stored before they are used,
 *  so that a start that is killed midway goes on with the same. `isFirst`: there were no complete credentials. */
export const demoKeysOf = (
  dataDir: string,
  { bootstrap }: { bootstrap: BootstrapKeys },
): { keys: DemoKeys; isFirst: boolean } => {
  const known = stored(dataDir);
  const tokenOf = (given: Secret | null, before: string | undefined): Secret =>
    given ?? new Secret(before ?? newToken());
  const keys: DemoKeys = {
    projectId: bootstrap.projectId ?? known.project_id ?? null,
    appId: bootstrap.appId ?? known.app_id ?? null,
    appToken: tokenOf(bootstrap.appToken, known.app_token),
    clientAppId: bootstrap.clientAppId ?? known.client_app_id ?? null,
    clientToken: tokenOf(bootstrap.clientToken, known.client_token),
    managementId: bootstrap.managementId ?? known.management_id ?? null,
    managementToken: tokenOf(bootstrap.managementToken, known.management_token),
  };
  store(dataDir, {
    ...known,
    app_token: keys.appToken.reveal(),
    client_token: keys.clientToken.reveal(),
    management_token: keys.managementToken.reveal(),
  });
  return { keys, isFirst: known.webhook_token === undefined };
};

/** The same with every id given. */
export type ChosenDemoKeys = { [Key in keyof DemoKeys]: NonNullable<DemoKeys[Key]> };

/** As `demoKeysOf`, but ids that no setting fixes are chosen here, and stored before they are used: for a process that
 *  starts auth in another process and cannot ask what it chose. */
export const chosenDemoKeysOf = (
  dataDir: string,
  settings: Pick<ScripSettings, 'bootstrap' | 'cluster'>,
): { keys: ChosenDemoKeys; isFirst: boolean } => {
  const { keys: known, isFirst } = demoKeysOf(dataDir, settings);
  const newKeyId = () => newId(`${settings.cluster}-`);
  const keys: ChosenDemoKeys = {
    ...known,
    projectId: known.projectId ?? newId('proj_'),
    appId: known.appId ?? newKeyId(),
    clientAppId: known.clientAppId ?? newKeyId(),
    managementId: known.managementId ?? newKeyId(),
  };
  store(dataDir, {
    ...stored(dataDir),
    project_id: keys.projectId,
    app_id: keys.appId,
    client_app_id: keys.clientAppId,
    management_id: keys.managementId,
  });
  return { keys, isFirst };
};

const store = (dataDir: string, credentials: Partial<Credentials>): void => {
  const path = pathOf(dataDir);
  const text = `${JSON.stringify(credentials, null, 2)}\n`;
  if (!existsSync(path) || readFileSync(path, 'utf8') !== text) replacePrivateFile(path, text);
};

/** Completes `credentials.json` (0600) and gives its path. */
export const storeCredentials = (dataDir: string, credentials: Credentials): string => {
  store(dataDir, credentials);
  return pathOf(dataDir);
};
