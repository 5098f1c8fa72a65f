import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Secret } from '@scrip/kernel';
import type { BootstrapKeys } from '@scrip/service';
import { type Credentials, chosenDemoKeysOf, demoKeysOf, storeCredentials } from './credentials';

const nothingFixed: BootstrapKeys = {
  projectId: null,
  appId: null,
  appToken: null,
  clientAppId: null,
  clientToken: null,
  managementId: null,
  managementToken: null,
};

const complete: Credentials = {
  base_url: 'http://127.0.0.1:3000',
  project_id: 'proj_1',
  app_id: 'eu1-app',
  app_token: 'token',
  client_app_id: 'eu1-client',
  client_token: 'client-token',
  management_id: 'eu1-management',
  management_token: 'management-token',
  webhook_token: 'whsec_1',
};

describe('credentials of the demo project', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'scrip-credentials-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const stored = (): Partial<Credentials> =>
    JSON.parse(readFileSync(join(folder, 'credentials.json'), 'utf8')) as Partial<Credentials>;

  it('have tokens that are stored before anybody uses them', () => {
    const { keys, isFirst } = demoKeysOf(folder, { bootstrap: nothingFixed });
    expect(isFirst).toBe(true);
    expect(stored().app_token).toBe(keys.appToken.reveal());
    expect(statSync(join(folder, 'credentials.json')).mode & 0o777).toBe(0o600);
  });

  it('are the same after a start that was killed midway', () => {
    const before = demoKeysOf(folder, { bootstrap: nothingFixed }).keys.appToken.reveal();
    const { keys, isFirst } = demoKeysOf(folder, { bootstrap: nothingFixed });
    expect(isFirst).toBe(true);
    expect(keys.appToken.reveal()).toBe(before);
  });

  it('are those of the file at a later start, which is not the first', () => {
    storeCredentials(folder, complete);
    const { keys, isFirst } = demoKeysOf(folder, { bootstrap: nothingFixed });
    expect(isFirst).toBe(false);
    expect([keys.projectId, keys.appId, keys.appToken.reveal()]).toEqual(['proj_1', 'eu1-app', 'token']);
    expect(stored()).toEqual(complete);
  });

  it('have ids that are stored before anybody uses them, where auth cannot be asked', () => {
    const settings = { bootstrap: { ...nothingFixed, appId: 'fixed' }, cluster: 'eu1' };
    const { keys, isFirst } = chosenDemoKeysOf(folder, settings);
    expect(isFirst).toBe(true);
    expect(keys.appId).toBe('fixed');
    expect(keys.clientAppId).toMatch(/^eu1-[0-9a-f]{32}$/);
    expect(stored()).toEqual({
      project_id: keys.projectId,
      app_id: 'fixed',
      app_token: keys.appToken.reveal(),
      client_app_id: keys.clientAppId,
      client_token: keys.clientToken.reveal(),
      management_id: keys.managementId,
      management_token: keys.managementToken.reveal(),
    });
    expect(chosenDemoKeysOf(folder, settings)).toEqual({ keys, isFirst: true });
  });

  it('follow the environment', () => {
    storeCredentials(folder, complete);
    const bootstrap = { ...nothingFixed, appId: 'fixed', appToken: new Secret('fixed-token') };
    const { keys } = demoKeysOf(folder, { bootstrap });
    expect([keys.appId, keys.appToken.reveal(), keys.clientToken.reveal()]).toEqual([
      'fixed',
      'fixed-token',
      'client-token',
    ]);
    expect(stored().app_token).toBe('fixed-token');
  });
});
