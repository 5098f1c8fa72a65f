import { type AuthPort, authPort } from '@scrip/contracts/auth';
import { embeddedEdge } from '@scrip/edge';
import { Secret } from '@scrip/kernel';
import { portToken } from '@scrip/rpc';
import { bootScrip, type MasterKeys, readSettings, type RunningApp, ScripLogger } from '@scrip/service';
import { createDatabase, patientAnswers, preparedDatabase } from '@scrip/testing';
import type { DataSource } from 'typeorm';
import { authContext } from './index';
import { Bootstrap, type BootstrapRequest } from './projects/bootstrap';

/** Auth as the embedded shape boots it, with one project and known keys. */
export interface AuthFixture {
  running: RunningApp;
  auth: AuthPort;
  bootstrap: Bootstrap;
  database: DataSource;
  databaseUrl: string;
  /** A form post with the server keys of the project, or with other headers. */
  form(
    path: string,
    fields: Record<string, string>,
    headers?: Record<string, string>,
  ): Promise<{ status: number; body: unknown }>;
}

export const serverKeys = { 'x-app-id': 'shop-server', 'x-app-token': 'server-secret' };

export const knownKeys: BootstrapRequest = {
  projectId: 'proj_demo',
  appId: 'shop-server',
  appToken: new Secret('server-secret'),
  clientAppId: 'shop-browser',
  clientToken: new Secret('client-secret'),
  managementId: 'boss',
  managementToken: new Secret('boss-secret'),
};

const ownKeys: MasterKeys = { masterKey: new Secret(Buffer.alloc(32, 7).toString('base64')) };

/** Of the own keys: a database remembers those that it was first used with. */
const authDatabase = (): Promise<string> =>
  preparedDatabase('auth', async (url) => (await bootAuth(url)).running.close());

/** Boots auth behind the edge; `databaseUrl` to boot again on one database, `keys` to boot with others, `env` to boot with other
 *  settings. */
export const bootAuth = async (
  databaseUrl?: string,
  keys: MasterKeys = ownKeys,
  env: NodeJS.ProcessEnv = {},
): Promise<AuthFixture> => {
  const url = databaseUrl ?? (await (keys === ownKeys ? authDatabase() : createDatabase('auth')));
  const running = await bootScrip({
    contexts: [authContext],
    config: {
      ...readSettings({ SCRIP_PORT: '0', ...patientAnswers, ...env }),
      // Tests hash many passwords.
      users: { adminPassword: null, passwordCost: 10, auditDays: 730 },
      ...keys,
      databaseUrl: new Secret(url),
    },
    edge: embeddedEdge,
    logger: new ScripLogger({ level: 'silent' }),
  });
  return {
    running,
    auth: running.app.get<AuthPort>(portToken(authPort), { strict: false }),
    bootstrap: running.app.get(Bootstrap, { strict: false }),
    database: running.app.get<DataSource>('authDataSource', { strict: false }),
    databaseUrl: url,
    form: async (path, fields, headers = serverKeys) => {
      const response = await fetch(`${running.url}${path}`, {
        method: 'POST',
        headers,
        body: new URLSearchParams(fields),
      });
      const text = await response.text();
      return { status: response.status, body: text === '' ? '' : (JSON.parse(text) as unknown) };
    },
  };
};
