import { type AuthFixture, bootAuth, knownKeys } from '../auth.fixture';
import { KeyUse } from './key-use';

const manager = { 'X-Management-Id': 'boss', 'X-Management-Token': 'boss-secret' };
const one = 'proj_demo';

interface Answer {
  status: number;
  body: any;
}

describe('keys of a project', () => {
  let fixture: AuthFixture;

  beforeAll(async () => {
    fixture = await bootAuth();
    await fixture.bootstrap.run({ ...knownKeys, projectId: 'proj_2', appId: 'app-2', clientAppId: 'web-2' });
    await fixture.bootstrap.run(knownKeys);
  });
  afterAll(() => fixture?.running.close());
  beforeEach(() => fixture.database.query(`DELETE FROM application_keys WHERE id LIKE 'eu1-%'`));

  const call = async (method: string, path: string, body?: unknown, headers = manager): Promise<Answer> => {
    const answer = await fetch(`${fixture.running.url}${path}`, {
      method,
      headers: { ...headers, ...(body === undefined ? {} : { 'Content-Type': 'application/json' }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    return { status: answer.status, body: text === '' ? null : (JSON.parse(text) as unknown) };
  };
  const keys = (method: string, path = '', body?: unknown, project = one) =>
    call(method, `/management/v1/projects/${project}/keys${path}`, body);
  const issue = async (more: object = {}) =>
    (await keys('POST', '', { name: 'Till', kind: 'server', ...more })).body;
  const tokens = async ({ id, secret }: { id: string; secret: string }) =>
    fixture.form(
      '/v1/oauth/token',
      { grant_type: 'client_credentials', scope: 'api' },
      { 'x-app-id': id, 'x-app-token': secret },
    );
  const admits = async (key: { id: string; secret: string }) => (await tokens(key)).status === 200;
  const trailOf = async (id: string): Promise<{ action: string; changes: object; actor_id: string }[]> =>
    fixture.database.query(
      'SELECT action, changes, actor_id FROM audit_entries WHERE resource_id = $1 ORDER BY at, id',
      [id],
    );

  it('are issued with a secret that no other answer has, and count at once', async () => {
    const issued = await keys('POST', '', {
      name: 'Till',
      kind: 'server',
      role: 'USER',
      allowed_ips: ['::/0', '0.0.0.0/0'],
    });
    const { secret, ...shown } = issued.body;
    expect(issued.status).toBe(200);
    expect(shown).toEqual({
      ...{ id: expect.stringMatching(/^eu1-[0-9a-f]{32}$/), object: 'api_key', kind: 'server', name: 'Till' },
      ...{ role: 'USER', integration: false, active: true, allowed_ips: ['::/0', '0.0.0.0/0'] },
      ...{ created_at: expect.any(String), last_used_at: null },
    });
    expect((await keys('GET', `/${shown.id}`)).body).toEqual(shown);
    const { body: list } = await keys('GET');
    expect(list).toMatchObject({ object: 'list', data_ref: 'data', total: 3 });
    expect(list.data[2]).toEqual(shown);
    expect(JSON.stringify(list)).not.toContain(secret);
    expect(await admits(issued.body)).toBe(true);
  });

  it('are those of integrations where they are issued so, for good', async () => {
    const key = await issue({ integration: true });
    expect(key.integration).toBe(true);
    const changed = await keys('PUT', `/${key.id}`, { name: 'Desk', integration: false });
    expect(changed.body).toMatchObject({ name: 'Desk', integration: true });
    const [issued] = await trailOf(key.id);
    expect(issued?.changes).toMatchObject({ integration: true });
  });

  it('show when they were used last', async () => {
    const key = await issue();
    await tokens(key);
    await fixture.running.app.get(KeyUse, { strict: false }).store();
    expect((await keys('GET', `/${key.id}`)).body.last_used_at).toEqual(expect.any(String));
  });

  it('get another secret and keep their id', async () => {
    const key = await issue();
    const { status, body } = await keys('POST', `/${key.id}/rotate`);
    expect([status, body]).toEqual([200, { ...key, secret: expect.any(String) }]);
    expect([await admits(key), await admits(body)]).toEqual([false, true]);
  });

  it('are blocked with their tokens, and admitted again', async () => {
    const key = await issue();
    const { access_token } = (await tokens(key)).body as { access_token: string };
    const introspect = async () => (await fixture.form('/v1/oauth/introspect', { access_token })).body;
    expect((await keys('PUT', `/${key.id}`, { active: false })).body).toMatchObject({ active: false });
    expect(await admits(key)).toBe(false);
    expect(await introspect()).toEqual({ active: false });
    expect((await keys('PUT', `/${key.id}`, { active: true })).body).toMatchObject({ active: true });
    expect(await admits(key)).toBe(true);
  });

  it('change their role, name and addresses with effect on the next call', async () => {
    const key = await issue();
    const change = { name: 'Desk', role: 'USER_RESTRICTED' };
    expect((await keys('PUT', `/${key.id}`, change)).body).toMatchObject({ ...change, allowed_ips: [] });
    expect((await tokens(key)).status).toBe(403);
    await keys('PUT', `/${key.id}`, { role: 'VIEWER', allowed_ips: ['192.0.2.1'] });
    expect((await tokens(key)).status).toBe(401);
    expect((await keys('PUT', `/${key.id}`, { allowed_ips: [] })).body).toMatchObject({
      ...{ role: 'VIEWER', name: 'Desk', allowed_ips: [] },
    });
    expect((await tokens(key)).status).toBe(200);
  });

  it('are deleted for good', async () => {
    const key = await issue();
    expect((await keys('DELETE', `/${key.id}`)).status).toBe(204);
    expect(await admits(key)).toBe(false);
    expect((await keys('GET', `/${key.id}`)).status).toBe(404);
    expect((await keys('DELETE', `/${key.id}`)).status).toBe(404);
  });

  it('stand in the audit trail, without secrets', async () => {
    const key = await issue({ role: 'USER' });
    const { body: rotated } = await keys('POST', `/${key.id}/rotate`);
    await keys('PUT', `/${key.id}`, { role: 'VIEWER', allowed_ips: ['192.0.2.1'], active: false });
    await keys('PUT', `/${key.id}`, { role: 'VIEWER' });
    await keys('DELETE', `/${key.id}`);
    const found = await trailOf(key.id);
    expect(found.map(({ action, changes }) => [action, changes])).toEqual([
      ['api_key.issued', { kind: 'server', name: 'Till', role: 'USER', allowed_ips: [] }],
      ['key.rotated', {}],
      ['api_key.updated', { name: 'Till', role: 'VIEWER' }],
      ['key.restricted', { allowed_ips: ['192.0.2.1'] }],
      ['key.blocked', {}],
      ['key.deleted', {}],
    ]);
    expect(new Set(found.map(({ actor_id }) => actor_id))).toEqual(new Set(['boss']));
    for (const secret of [key.secret, rotated.secret]) expect(JSON.stringify(found)).not.toContain(secret);
  });

  test.each<[string, string, string, object | undefined, number, string, string]>([
    [
      'no name',
      'POST',
      '',
      { kind: 'server' },
      400,
      'invalid_payload',
      "Payload must have required property 'name'",
    ],
    [
      ...(['another kind', 'POST', '', { name: 'x', kind: 'management' }] as const),
      ...([
        400,
        'invalid_payload',
        'Property .kind should be equal to one of the allowed values [ server, client ]',
      ] as const),
    ],
    [
      ...([
        'an integration in browsers',
        'POST',
        '',
        { name: 'x', kind: 'client', integration: true },
      ] as const),
      ...([400, 'invalid_payload', 'Property .integration can be true for server keys only'] as const),
    ],
    [
      ...(['another role', 'POST', '', { name: 'x', kind: 'server', role: 'OWNER' }] as const),
      ...([
        400,
        'used_incorrect_role',
        "The role 'OWNER' is incorrect. It should be one of ADMIN, USER, VIEWER, MERCHANT, USER_RESTRICTED",
      ] as const),
    ],
    [
      ...(['what is no address', 'PUT', '/shop-server', { allowed_ips: ['::1', '192.0.2.300'] }] as const),
      ...([
        400,
        'invalid_payload',
        'Property .allowed_ips[1] must be an address or a range of addresses',
      ] as const),
    ],
    [
      ...([
        'a key of a start, for good',
        'DELETE',
        '/shop-server',
        undefined,
        400,
        'resource_protected',
      ] as const),
      'Cannot delete key with id shop-server: a start of the server makes it. Block it instead',
    ],
    ['an unknown key', 'PUT', '/eu1-none', {}, 404, 'not_found', 'Cannot find key with id eu1-none'],
    [
      "another project's key",
      'POST',
      '/app-2/rotate',
      undefined,
      404,
      'not_found',
      'Cannot find key with id app-2',
    ],
    [
      "another project's key",
      'DELETE',
      '/web-2',
      undefined,
      404,
      'not_found',
      'Cannot find key with id web-2',
    ],
  ])('are refused for %s', async (_, method, path, body, status, key, details) => {
    expect(await keys(method, path, body)).toMatchObject({ status, body: { code: status, key, details } });
  });

  it('are a hundred at most, blocked ones included, also when many are asked for at once', async () => {
    await fixture.database.query(
      `INSERT INTO application_keys (id, project_id, kind, name, role, secret_hash, blocked)
       SELECT 'eu1-' || n, $1, 'server', 'Many', 'USER', '', true FROM generate_series(1, 90) n`,
      [one],
    );
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => keys('POST', '', { name: 'Till', kind: 'server' })),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(8);
    expect(answers.find(({ status }) => status !== 200)).toMatchObject({
      ...{ status: 400, body: { key: 'invalid_payload', details: 'A project can have at most 100 keys' } },
    });
    expect((await keys('GET')).body.total).toBe(100);
  });

  it('end up as one of fifty changes at once says, and their project knows them so', async () => {
    const { id } = await issue({ role: 'USER' });
    const wanted = Array.from({ length: 50 }, (_, index) => ({
      ...{ name: `Till ${index}`, role: index % 2 === 0 ? 'USER' : 'VIEWER' },
    }));
    const answers = await Promise.all(wanted.map((change) => keys('PUT', `/${id}`, change)));
    expect(answers.map(({ status }) => status)).toEqual(wanted.map(() => 200));
    const { body: key } = await keys('GET', `/${id}`);
    const [project] = await fixture.database.query<{ known: object }[]>(
      `SELECT state->'keys'->$2 AS known FROM projects WHERE id = $1`,
      [one, id],
    );
    expect(project?.known).toEqual({ kind: 'server', name: key.name, role: key.role });
  });
});
