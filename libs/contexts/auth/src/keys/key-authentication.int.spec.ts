import type { Credentials } from '@scrip/contracts/auth';
import { newRequestId, noDeadline } from '@scrip/kernel';
import { waitUntil } from '@scrip/testing';
import { type AuthFixture, bootAuth, knownKeys } from '../auth.fixture';

describe('keys', () => {
  let fixture: AuthFixture;

  beforeAll(async () => {
    fixture = await bootAuth();
    await fixture.bootstrap.run({
      ...knownKeys,
      clientTrustedDomains: ['shop.example.com'],
      clientSwitches: { client_redeem_enabled: true },
    });
  });
  afterAll(() => fixture.running.close());

  const authenticate = (credentials: Credentials) => {
    const context = { requestId: newRequestId(), deadlineAt: noDeadline, traceparent: null };
    return fixture.auth.authenticate(context, { credentials });
  };
  const server = (fields: Partial<Extract<Credentials, { kind: 'server' }>> = {}) =>
    authenticate({
      kind: 'server',
      app_id: 'shop-server',
      app_token: 'server-secret',
      ip: '10.0.0.1',
      ...fields,
    });

  it('tell project, role and what browsers may do', async () => {
    const key = { kind: 'client', app_id: 'shop-browser', app_token: 'client-secret', ip: '::1' } as const;
    expect(await authenticate(key)).toMatchObject({
      kind: 'client',
      key: { id: 'shop-browser', name: 'Client-side key' },
      role: 'ADMIN',
      scopes: null,
      project: { id: 'proj_demo', cluster: 'eu1', apiVersion: 'v2018-08-01' },
      trusted_domains: ['shop.example.com'],
      client_switches: { client_redeem_enabled: true, client_publish_enabled: false },
    });
  });

  test.each<[string, Partial<Extract<Credentials, { kind: 'server' }>>, string]>([
    ['a wrong secret', { app_token: 'guess' }, 'unauthorized'],
    ['an unknown id', { app_id: 'nobody' }, 'unauthorized'],
    ["a client key's id", { app_id: 'shop-browser', app_token: 'client-secret' }, 'unauthorized'],
    ["another cluster's id", { app_id: 'us1-0190000000007000800000000000abcd' }, 'forbidden'],
    ["a dedicated cluster's id", { app_id: 'acme-0190000000007000800000000000abcd' }, 'forbidden'],
    ['an unknown id with a dash', { app_id: 'my-app' }, 'unauthorized'],
    [
      "an unknown id of one's own cluster",
      { app_id: 'eu1-0190000000007000800000000000abcd' },
      'unauthorized',
    ],
  ])('refuse %s', async (_name, fields, key) => {
    expect(await server(fields)).toMatchObject({ refused: key });
  });

  it('bind to their list of addresses', async () => {
    const set = (ips: string[]) =>
      fixture.database.query(`UPDATE application_keys SET allowed_ips = $1 WHERE id = 'shop-server'`, [ips]);
    await set(['10.0.0.0/24', '2001:db8::1']);
    await waitUntil(async () => 'refused' in (await server({ ip: '10.0.1.1' })), {
      what: 'the list to count',
    });
    expect(await server({ ip: '10.0.0.77' })).toMatchObject({ role: 'ADMIN' });
    expect(await server({ ip: '::ffff:10.0.0.77' })).toMatchObject({ role: 'ADMIN' });
    expect(await server({ ip: '2001:db8:0::1' })).toMatchObject({ role: 'ADMIN' });
    expect(await server({ ip: 'nonsense' })).toMatchObject({ refused: 'unauthorized' });
    await set([]);
    await waitUntil(async () => 'role' in (await server({ ip: '10.0.1.1' })), {
      what: 'the list to be gone',
    });
  });

  it('stop working within seconds when blocked, tokens of theirs too', async () => {
    const { body } = await fixture.form(
      '/v1/oauth/token',
      { grant_type: 'client_credentials', scope: 'api' },
      { 'x-app-id': 'shop-server', 'x-app-token': 'server-secret' },
    );
    const { access_token } = body as { access_token: string };
    const token = () => authenticate({ kind: 'token', access_token, ip: '10.0.0.1' });
    expect(await token()).toMatchObject({ kind: 'token', scopes: ['api'], key: { id: 'shop-server' } });
    await fixture.database.query(`UPDATE application_keys SET blocked = true WHERE id = 'shop-server'`);
    await waitUntil(async () => 'refused' in (await server()) && 'refused' in (await token()), {
      what: 'the block to count',
    });
    await fixture.database.query(`UPDATE application_keys SET blocked = false WHERE id = 'shop-server'`);
    await waitUntil(async () => 'role' in (await server()), { what: 'the key to work again' });
  });

  it('of management reach no project by themselves', async () => {
    const credentials = {
      kind: 'management',
      management_id: 'boss',
      management_token: 'boss-secret',
      ip: '::1',
    } as const;
    expect(await authenticate(credentials)).toMatchObject({ kind: 'management', project: null });
    expect(await authenticate({ ...credentials, management_token: 'guess' })).toMatchObject({
      refused: 'unauthorized',
    });
    expect(await server({ app_id: 'boss', app_token: 'boss-secret' })).toMatchObject({
      refused: 'unauthorized',
    });
  });
});
