import { isRefused, noDeadline, Secret } from '@scrip/kernel';
import { type AuthFixture, bootAuth, knownKeys } from '../auth.fixture';
import { KeyLifecycle } from '../keys/key-lifecycle';
import { sessionExamples } from '../sessions/session.examples';
import { FirstUser } from '../users/first-user';
import { PasswordHashes } from '../users/password-hashes';
import { UserHandlers } from '../users/user.handlers';
import { pruneAudit } from './audit.table';
import { operator } from './audit-operator';

const { password } = sessionExamples.signIn;
const page = { 'X-Scrip-Dashboard': '1', 'Sec-Fetch-Site': 'same-origin' };

const brandingOfTest = {
  brand: { name: 'Shop' },
  address: { street: 'High Street 1', city: 'Leeds', country: 'UK' },
  contact: { email: 'shop@example.com' },
};

const locationOfTest = {
  name: 'City centre',
  shape: {
    ...{ type: 'circle', format: 'distance' },
    distance: { center: 'geo:52.2297,21.0122', radius: '1.54 km' },
  },
};

interface Entry {
  id: string;
  action: string;
  actor: { type: string; id: string | null };
  [name: string]: unknown;
}

describe('the audit trail', () => {
  let fixture: AuthFixture;
  let cookie = '';
  let userId = '';
  let sessionId = '';

  const send = async (method: string, path: string, body?: object, headers: Record<string, string> = {}) => {
    const answer = await fetch(`${fixture.running.url}${path}`, {
      method,
      headers: {
        ...(body ? { 'Content-Type': 'application/json' } : {}),
        ...headers,
      },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    const text = await answer.text();
    const [set = ''] = answer.headers.getSetCookie();
    const read: any = text === '' ? null : JSON.parse(text);
    return { status: answer.status, body: read, cookie: set.split(';')[0] ?? '' };
  };
  const inSession = (as = cookie): Record<string, string> => ({
    ...page,
    Cookie: as,
    'X-Scrip-Project': 'proj_demo',
  });
  const manage = (method: string, path: string, body?: object) =>
    send(method, `/management/v1/projects${path}`, body, {
      'X-Management-Id': 'boss',
      'X-Management-Token': 'boss-secret',
    });
  const signIn = (login = 'admin', tried = password) =>
    send('POST', '/dashboard/api/session', { login, password: tried }, page);
  const trail = (query = '', as = cookie) =>
    send('GET', `/dashboard/api/audit${query}`, undefined, inSession(as));
  const entries = async (query = '?scope=installation'): Promise<Entry[]> => (await trail(query)).body.data;
  const actions = async (query?: string): Promise<string[]> =>
    (await entries(query)).map(({ action }) => action);

  beforeAll(async () => {
    fixture = await bootAuth();
    await fixture.bootstrap.run(knownKeys);
  });
  afterAll(() => fixture?.running.close());
  beforeEach(async () => {
    await fixture.database.query(
      'TRUNCATE users, sign_in_failures, sign_in_buckets, audit_entries, audit_refusals CASCADE',
    );
    await fixture.running.app.get(FirstUser, { strict: false }).make(new Secret(password));
    await fixture.database.query('UPDATE users SET must_change_password = false');
    const signedIn = await signIn();
    cookie = signedIn.cookie;
    userId = signedIn.body.user.id;
    sessionId = signedIn.body.id;
  });

  it('says who signed in from where, and who did not', async () => {
    await signIn('admin', 'a wrong password');
    await signIn('nobody', 'a wrong password');
    await send('DELETE', '/dashboard/api/session', undefined, inSession((await signIn()).cookie));
    const found = await entries();
    expect(found.map(({ action }) => action)).toEqual([
      'session.ended',
      'session.begun',
      'session.refused',
      'session.refused',
      'session.begun',
      'user.added',
    ]);
    expect(found[2]).toMatchObject({ actor: { type: 'unknown', id: null }, resource_id: null });
    expect(found[3]).toMatchObject({ actor: { type: 'unknown', id: null }, resource_id: userId });
    expect(found[4]).toEqual({
      object: 'audit_entry',
      id: expect.stringMatching(/^aud_[0-9a-f]{32}$/),
      at: expect.any(String),
      project_id: null,
      actor: { type: 'user', id: userId },
      session_id: null,
      address: '127.0.0.1',
      request_id: expect.stringMatching(/^w-/),
      action: 'session.begun',
      resource_type: 'session',
      resource_id: sessionId,
      changes: {},
    });
    expect(found[5]).toMatchObject({ actor: { type: 'operator', id: null }, address: null });
  });

  it('says what keys and users change of projects', async () => {
    await manage('PUT', '/proj_demo', { description: 'Shoes' });
    await manage('PUT', '/proj_demo', { description: 'Shoes' });
    await send('PUT', '/management/v1/projects/proj_demo', { description: 'Hats' }, inSession());
    const { body: rules } = await manage('POST', '/proj_demo/stacking-rules', {});
    await manage('DELETE', `/proj_demo/stacking-rules/${rules.id}`);
    const { body: schema } = await manage('POST', '/proj_demo/metadata-schemas', {
      ...{ related_object: 'campaign', properties: {} },
    });
    await manage('DELETE', `/proj_demo/metadata-schemas/${schema.id}`);
    const { body: branding } = await manage('POST', '/proj_demo/branding', brandingOfTest);
    await manage('PUT', `/proj_demo/branding/${branding.id}`, {});
    await manage('DELETE', `/proj_demo/branding/${branding.id}`);
    const { body: location } = await manage('POST', '/proj_demo/locations', locationOfTest);
    await manage('PUT', `/proj_demo/locations/${location.id}`, { name: 'Old town' });
    await manage('PUT', `/proj_demo/locations/${location.id}`, { name: 'Old town' });
    await manage('DELETE', `/proj_demo/locations/${location.id}`);
    const found = await entries('?limit=50');
    expect(found.splice(0, 3)).toMatchObject(
      ['location.deleted', 'location.updated', 'location.created'].map((action) => ({
        ...{ action, actor: { type: 'api_key', id: 'boss' } },
        ...{ project_id: 'proj_demo', resource_type: 'location', resource_id: location.id },
      })),
    );
    expect(found.map(({ action }) => action)).toEqual([
      ...['branding.deleted', 'branding.updated', 'branding.created'],
      ...['metadata_schema.deleted', 'metadata_schema.created'],
      ...['stacking_rules.deleted', 'stacking_rules.created'],
      ...['project.updated', 'project.updated'],
    ]);
    expect(found[7]).toMatchObject({
      actor: { type: 'user', id: userId },
      ...{ project_id: 'proj_demo', session_id: sessionId, address: '127.0.0.1' },
      ...{ resource_type: 'project', resource_id: 'proj_demo', changes: { description: 'Hats' } },
    });
    expect(found[8]).toMatchObject({
      actor: { type: 'api_key', id: 'boss' },
      changes: { description: 'Shoes' },
    });
  });

  it('says what becomes of users and keys, and no secret', async () => {
    const users = fixture.running.app.get(UserHandlers, { strict: false });
    const keys = fixture.running.app.get(KeyLifecycle, { strict: false });
    const hash = await new PasswordHashes(10).hash(password, 'here');
    await users.change(operator(), userId, { type: 'SetActive', is_active: false });
    await users.change(operator(), userId, { type: 'SetActive', is_active: true });
    await users.change(operator(), userId, {
      ...{ type: 'SetPassword', password_hash: hash, must_change_password: false },
    });
    const key = await keys.issue({ projectId: 'proj_demo', kind: 'server', name: 'Till', role: 'USER' });
    const manager = await keys.issueManagement({ name: 'Second' });
    if (isRefused(key) || isRefused(manager)) throw new Error('unreachable');
    await keys.rotate(key.id);
    await keys.setBlocked(key.id, true);
    await keys.restrict(key.id, ['192.0.2.0/24']);
    await keys.restrict(manager.id, []);
    ({ cookie } = await signIn());
    const found = await entries('?scope=installation&limit=50');
    expect(found.map(({ action }) => action).slice(0, 10)).toEqual([
      ...[
        'session.begun',
        'key.restricted',
        'key.restricted',
        'key.blocked',
        'key.rotated',
        'management_key.issued',
      ],
      ...['api_key.issued', 'user.password_set', 'user.admitted', 'user.blocked'],
    ]);
    expect(found.slice(1, 3)).toMatchObject([
      { project_id: null, resource_id: manager.id, changes: { allowed_ips: [] } },
      { project_id: 'proj_demo', resource_id: key.id, changes: { allowed_ips: ['192.0.2.0/24'] } },
    ]);
    const text = JSON.stringify(found);
    for (const secret of [hash, key.secret.reveal(), manager.secret.reveal(), password])
      expect(text).not.toContain(secret);
  });

  it('says of other contexts what their events tell, once', async () => {
    const told = {
      ...{ event_id: '01900000-0000-7000-8000-000000000001', recorded_at: '2026-03-31T10:00:00.000Z' },
      ...{ project_id: 'proj_demo', request_id: 'v-1', user_id: null, key_id: 'eu1-a' },
      ...{ action: 'customer.erased', resource_type: 'customer', resource_id: 'cust_1' },
    };
    const call = { requestId: 'v-2', deadlineAt: noDeadline, traceparent: null };
    await fixture.auth.enterAudit(call, { told: [told] });
    await fixture.auth.enterAudit(call, { told: [told] });
    expect(await entries('?resource_id=cust_1')).toMatchObject([
      {
        ...{ action: 'customer.erased', at: told.recorded_at, request_id: 'v-1' },
        actor: { type: 'api_key', id: 'eu1-a' },
        address: null,
      },
    ]);
  });

  it('is listed by pages and filters, newest first', async () => {
    for (const description of ['a', 'b', 'c', 'd']) await manage('PUT', '/proj_demo', { description });
    const { body: first } = await trail('?limit=3');
    expect(first).toMatchObject({ object: 'list', data_ref: 'data', has_more: true });
    const { body: last } = await trail(`?limit=3&starting_after_id=${first.more_starting_after}`);
    expect(last.has_more).toBe(false);
    expect([...first.data, ...last.data].map(({ changes }) => changes.description)).toEqual([
      ...['d', 'c', 'b', 'a'],
    ]);
    expect(await actions(`?scope=installation&actor_id=${userId}`)).toEqual(['session.begun']);
    expect(await actions('?scope=installation&action=user.added')).toEqual(['user.added']);
    expect(await actions('?end_date=2020-01-01')).toEqual([]);
    expect(await actions('?start_date=2020-01-01&limit=1')).toEqual(['project.updated']);
    expect(await trail('?starting_after_id=aud_none')).toMatchObject({
      status: 400,
      body: { details: 'Property .starting_after_id names no entry of the list: aud_none' },
    });
  });

  it('is for users with settings, and of the whole installation for owners', async () => {
    const users = fixture.running.app.get(UserHandlers, { strict: false });
    const password_hash = await new PasswordHashes(10).hash(password, 'here');
    for (const [login, role] of [
      ['ada', 'ADMIN'],
      ['tom', 'USER'],
    ] as const)
      await users.add(operator(), {
        ...{
          login,
          email: null,
          first_name: '',
          last_name: '',
          projects: { proj_demo: role },
          password_hash,
        },
      });
    await fixture.database.query('UPDATE users SET must_change_password = false');
    const [ada, tom] = [await signIn('ada'), await signIn('tom')];
    expect((await trail('', ada.cookie)).status).toBe(200);
    expect(await trail('?scope=installation', ada.cookie)).toMatchObject({
      status: 403,
      body: { key: 'forbidden', details: 'Owners see the trail of the whole installation' },
    });
    expect(await trail('', tom.cookie)).toMatchObject({
      status: 403,
      body: { key: 'missing_required_permission' },
    });
  });

  it('stays as it is, and goes only when it is old', async () => {
    const refused = 'entries of the audit trail stay as they are';
    await expect(fixture.database.query(`UPDATE audit_entries SET action = 'x'`)).rejects.toThrow(refused);
    await expect(fixture.database.query('DELETE FROM audit_entries')).rejects.toThrow(refused);
    await fixture.database.query(
      `INSERT INTO audit_entries (id, at, actor_type, request_id, action, resource_type, changes)
       SELECT 'aud_' || days, now() - days * interval '1 day', 'operator', 'v-1', 'old', 'user', '{}'
       FROM unnest(ARRAY[89, 91]) days`,
    );
    await pruneAudit(fixture.database, 90);
    expect((await entries('?scope=installation&action=old')).map(({ id }) => id)).toEqual(['aud_89']);
  });
});
