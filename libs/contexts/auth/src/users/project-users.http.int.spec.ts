import { isRefused } from '@scrip/kernel';
import { type AuthFixture, bootAuth, knownKeys } from '../auth.fixture';
import { operator } from '../audit/audit-operator';
import { UserHandlers, usersMax } from './user.handlers';

const manager = { 'X-Management-Id': 'boss', 'X-Management-Token': 'boss-secret' };
const page = { 'X-Scrip-Dashboard': '1', 'Sec-Fetch-Site': 'same-origin' };
const one = 'proj_demo';

interface Answer {
  status: number;
  body: any;
  headers: Headers;
}

describe('users of projects', () => {
  let fixture: AuthFixture;
  let users: UserHandlers;

  beforeAll(async () => {
    fixture = await bootAuth();
    await fixture.bootstrap.run(knownKeys);
    await fixture.bootstrap.run({ projectId: 'proj_2' });
    users = fixture.running.app.get(UserHandlers, { strict: false });
  });
  afterAll(() => fixture?.running.close());
  beforeEach(() => fixture.database.query('TRUNCATE users, sign_in_failures CASCADE'));

  const call = async (
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = manager,
  ): Promise<Answer> => {
    const answer = await fetch(`${fixture.running.url}${path}`, {
      method,
      headers: { ...headers, ...(body === undefined ? {} : { 'Content-Type': 'application/json' }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    return {
      status: answer.status,
      headers: answer.headers,
      body: text === '' ? null : (JSON.parse(text) as unknown),
    };
  };
  const manage = (method: string, path: string, body?: unknown) =>
    call(method, `/management/v1/projects${path}`, body);
  const added = async (login: string, projects: Record<string, string>, is_owner = false) => {
    const email = `${login}@shop.example`;
    const user = await users.add(operator(), {
      ...{ login, email, first_name: login, last_name: 'Jones', projects, is_owner },
    });
    if (isRefused(user)) throw new Error(user.details);
    return user;
  };
  const shown = (login: string, id: string, projects: Record<string, string>, is_owner = false) => ({
    ...{ id, login, email: `${login}@shop.example`, first_name: login, last_name: 'Jones' },
    ...{ projects, role: projects[one], is_owner },
  });

  it('are listed by login, with the owners', async () => {
    const tom = await added('tom', { [one]: 'VIEWER', proj_2: 'ADMIN' });
    await added('eve', { proj_2: 'USER' });
    const boss = await added('boss', {}, true);
    expect(await manage('GET', `/${one}/users`)).toMatchObject({
      status: 200,
      body: {
        ...{ object: 'list', data_ref: 'data', total: 2 },
        data: [
          shown('boss', boss.id, { [one]: 'ADMIN' }, true),
          shown('tom', tom.id, { [one]: 'VIEWER', proj_2: 'ADMIN' }),
        ],
      },
    });
    expect((await manage('GET', `/${one}/users/${tom.id}`)).body).toEqual(
      shown('tom', tom.id, { [one]: 'VIEWER', proj_2: 'ADMIN' }),
    );
  });

  it.each(['id', 'login'] as const)('get a role by their %s', async (name) => {
    const tom = await added('tom', { proj_2: 'USER' });
    const named = name === 'id' ? { id: tom.id } : { login: 'TOM' };
    const { status, body } = await manage('POST', `/${one}/users`, { ...named, role: 'VIEWER' });
    expect([status, body]).toEqual([200, shown('tom', tom.id, { [one]: 'VIEWER', proj_2: 'USER' })]);
    expect((await manage('PUT', `/${one}/users/${tom.id}`, { role: 'ADMIN' })).body).toMatchObject({
      projects: { [one]: 'ADMIN', proj_2: 'USER' },
    });
    expect((await manage('DELETE', `/${one}/users/${tom.id}`)).status).toBe(204);
    expect((await manage('GET', `/${one}/users/${tom.id}`)).status).toBe(404);
    expect((await manage('GET', `/proj_2/users/${tom.id}`)).status).toBe(200);
  });

  const exactlyOne = 'Payload must have exactly one of the properties id and login';

  test.each<[string, string, string, object | undefined, number, string, string]>([
    ['neither id nor login', 'POST', '', { role: 'USER' }, 400, 'invalid_payload', exactlyOne],
    [
      ...(['both', 'POST', '', { id: 'x', login: 'x', role: 'USER' }] as const),
      ...([400, 'invalid_payload', exactlyOne] as const),
    ],
    [
      ...(['no role', 'POST', '', { login: 'eve' }] as const),
      ...([400, 'invalid_payload', "Payload must have required property 'role'"] as const),
    ],
    [
      ...(['another role', 'POST', '', { login: 'eve', role: 'OWNER' }] as const),
      ...([
        400,
        'used_incorrect_role',
        "The role 'OWNER' is incorrect. It should be one of ADMIN, USER, VIEWER, MERCHANT, USER_RESTRICTED",
      ] as const),
    ],
    [
      ...(['an unknown id', 'POST', '', { id: 'user_0', role: 'USER' }] as const),
      ...([404, 'not_found', 'Cannot find user with id user_0'] as const),
    ],
    [
      ...(['an unknown login', 'POST', '', { login: 'nobody', role: 'USER' }] as const),
      ...([404, 'not_found', 'Cannot find user with login nobody'] as const),
    ],
    [
      ...(['a user who is there', 'POST', '', { login: 'tom', role: 'USER' }] as const),
      ...([409, 'member_already_exists', `User {tom} has a role in project ${one} already`] as const),
    ],
    [
      ...(['another role of nobody', 'PUT', '/user_0', { role: 'USER' }] as const),
      ...([404, 'not_found', 'Cannot find user with id user_0'] as const),
    ],
    [
      ...(['another role of a user of another project', 'PUT', '/{eve}', { role: 'USER' }] as const),
      ...([404, 'not_found', 'Cannot find user with id {eve}'] as const),
    ],
    [
      ...(['a role that is none', 'PUT', '/{tom}', { role: 'admin' }] as const),
      ...([
        400,
        'used_incorrect_role',
        "The role 'admin' is incorrect. It should be one of ADMIN, USER, VIEWER, MERCHANT, USER_RESTRICTED",
      ] as const),
    ],
    [
      ...(['to show nobody', 'GET', '/user_0', undefined] as const),
      ...([404, 'not_found', 'Cannot find user with id user_0'] as const),
    ],
    [
      ...(['to show a user of another project', 'GET', '/{eve}', undefined] as const),
      ...([404, 'not_found', 'Cannot find user with id {eve}'] as const),
    ],
    [
      ...(['to remove nobody', 'DELETE', '/user_0', undefined] as const),
      ...([400, 'user_not_assigned', `User user_0 is not assigned to project ${one}`] as const),
    ],
    [
      ...(['to remove a user of another project', 'DELETE', '/{eve}', undefined] as const),
      ...([400, 'user_not_assigned', `User {eve} is not assigned to project ${one}`] as const),
    ],
    [
      ...(['to remove a user from the last project', 'DELETE', '/{tom}', undefined] as const),
      ...([400, 'last_project_of_user', `Project ${one} is the last one of user {tom}`] as const),
    ],
    [
      ...(['to remove an owner', 'DELETE', '/{boss}', undefined] as const),
      ...([400, 'resource_protected'] as const),
      'Cannot remove user with id {boss} from a project: an owner is ADMIN in every project',
    ],
  ])('refuses %s', async (_, method, path, body, status, key, details) => {
    const ids: Record<string, string> = {
      tom: (await added('tom', { [one]: 'USER' })).id,
      eve: (await added('eve', { proj_2: 'USER' })).id,
      boss: (await added('boss', {}, true)).id,
    };
    const filled = (text: string) => text.replace(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? '');
    expect(await manage(method, `/${one}/users${filled(path)}`, body)).toMatchObject({
      status,
      body: { key, details: filled(details) },
    });
  });

  it('get one role where fifty calls give it at once', async () => {
    await added('tom', { proj_2: 'USER' });
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => manage('POST', `/${one}/users`, { login: 'tom', role: 'USER' })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array<number>(49).fill(409)]);
  });

  describe('who are invited', () => {
    const mary = {
      email: 'mary@shop.example',
      first_name: 'Mary',
      last_name: 'Jones',
      projects: { [one]: 'VIEWER', proj_2: 'ADMIN' },
    };
    const invite = (change: object = {}) => manage('POST', '/users/invite', { ...mary, ...change });
    const signIn = (login: string, password: string) =>
      call('POST', '/dashboard/api/session', { login, password }, page);

    it('sign in once with the password of the answer, and must change it', async () => {
      const { status, body, headers } = await invite();
      expect([status, body]).toEqual([204, null]);
      const password = headers.get('x-scrip-one-time-password') ?? '';
      expect(password).toMatch(/^[a-km-np-z2-9]{20}$/);
      expect(await signIn('mary@shop.example', password)).toMatchObject({
        status: 200,
        body: { user: { email: 'mary@shop.example', first_name: 'Mary', must_change_password: true } },
      });
      expect((await manage('GET', `/${one}/users`)).body.data).toMatchObject([
        { login: 'mary@shop.example', projects: mary.projects, is_owner: false },
      ]);
      expect((await invite()).headers.get('x-scrip-one-time-password')).toBeNull();
    });

    it('are invited anew under an Idempotency-Key, which would keep the password', async () => {
      const keyed = { ...manager, 'Idempotency-Key': 'again' };
      const first = await call('POST', '/management/v1/projects/users/invite', mary, keyed);
      expect(first.status).toBe(204);
      const second = await call('POST', '/management/v1/projects/users/invite', mary, keyed);
      expect([second.status, second.headers.get('idempotent-replayed')]).toEqual([409, null]);
    });

    test.each<[string, object, number, string, string]>([
      [
        'no e-mail address',
        { email: undefined },
        400,
        'invalid_payload',
        "Payload must have required property 'email'",
      ],
      ['what is none', { email: 'mary' }, 400, 'invalid_payload', 'Property .email must be a valid email'],
      [
        'no first name',
        { first_name: undefined },
        400,
        'invalid_payload',
        "Payload must have required property 'first_name'",
      ],
      [
        'no projects',
        { projects: undefined },
        400,
        'invalid_payload',
        "Payload must have required property 'projects'",
      ],
      [
        'projects that are none',
        { projects: [one] },
        400,
        'invalid_payload',
        'Property .projects must be object',
      ],
      [
        'no project',
        { projects: {} },
        400,
        'invalid_payload',
        'Property .projects should NOT have fewer than 1 properties',
      ],
      [
        'a role that is no text',
        { projects: { [one]: 1 } },
        400,
        'invalid_payload',
        `Property .projects.${one} must be string`,
      ],
      [
        'an unknown role',
        { projects: { [one]: 'X' } },
        400,
        'used_incorrect_role',
        "The role 'X' is incorrect. It should be one of ADMIN, USER, VIEWER, MERCHANT, USER_RESTRICTED",
      ],
      [
        'an unknown project',
        { projects: { proj_3: 'USER' } },
        404,
        'not_found',
        'Cannot find project with id proj_3',
      ],
    ])('are not invited with %s', async (_, change, status, key, details) => {
      expect(await invite(change)).toMatchObject({ status, body: { key, details } });
      expect(await users.all()).toEqual([]);
    });

    it('are not invited to more than 100 projects', async () => {
      const projects = Object.fromEntries(Array.from({ length: 101 }, (_, n) => [`proj_${n}`, 'USER']));
      expect((await invite({ projects })).body.details).toBe(
        'Property .projects should NOT have more than 100 properties',
      );
    });

    it.each([
      ['login', 'MARY@shop.example', 'Duplicated user exists with login MARY@shop.example'],
      ['e-mail address', 'Tom@shop.example', 'Duplicated user exists with email Tom@shop.example'],
    ])('are not invited with the %s of another user', async (_, email, details) => {
      await added('tom', { [one]: 'USER' });
      await invite();
      expect(await invite({ email })).toMatchObject({
        status: 409,
        body: { key: 'duplicate_found', details, resource_type: 'user', resource_id: email },
      });
    });

    it('are 1,000 together at most', async () => {
      await fixture.database.query(
        `INSERT INTO users (id, login, first_name, last_name, is_owner, is_active, must_change_password)
         SELECT 'user_' || n, 'login_' || n, '', '', false, true, true FROM generate_series(1, $1) n`,
        [usersMax],
      );
      expect(await invite()).toMatchObject({
        status: 400,
        body: { key: 'invalid_payload', details: 'There are 1000 users already' },
      });
    });
  });

  describe('asked by a user in a session', () => {
    const asked = async (login: string, method: string, path: string, body?: unknown) => {
      const token = `token-of-${login}`;
      await fixture.database.query(
        `INSERT INTO sessions (id, token_hash, user_id, address, agent, expires_at)
         SELECT 'ses_' || $1, sha256(convert_to($2, 'UTF8')), id, '127.0.0.1', '', now() + interval '1 h'
         FROM users WHERE login = $1 ON CONFLICT (id) DO NOTHING`,
        [login, token],
      );
      await fixture.database.query('UPDATE users SET must_change_password = false');
      return call(method, `/management/v1/projects${path}`, body, { ...page, Cookie: `scrip=${token}` });
    };
    const stale = () => fixture.database.query(`UPDATE sessions SET password_at = now() - interval '11 min'`);

    it('show no role in other projects', async () => {
      const tom = await added('tom', { [one]: 'ADMIN', proj_2: 'USER' });
      expect((await asked('tom', 'GET', `/${one}/users`)).body.data).toEqual([
        shown('tom', tom.id, { [one]: 'ADMIN' }),
      ]);
    });

    it('may only be seen and changed by those who may change settings', async () => {
      await added('tom', { [one]: 'USER' });
      expect((await asked('tom', 'GET', `/${one}/users`)).status).toBe(403);
      await added('ann', { [one]: 'ADMIN' });
      expect((await asked('ann', 'GET', `/${one}/users`)).status).toBe(200);
      expect((await asked('ann', 'GET', '/proj_2/users')).status).toBe(403);
    });

    it('are invited by owners alone, who entered the password lately', async () => {
      await added('ann', { [one]: 'ADMIN' });
      await added('boss', {}, true);
      const mary = {
        email: 'mary@shop.example',
        first_name: 'M',
        last_name: 'J',
        projects: { [one]: 'USER' },
      };
      const invite = (login: string) => asked(login, 'POST', '/users/invite', mary);
      expect(await invite('ann')).toMatchObject({
        status: 403,
        body: { key: 'missing_required_permission' },
      });
      expect((await asked('boss', 'GET', `/${one}/users`)).status).toBe(200);
      await stale();
      expect(await invite('boss')).toMatchObject({ status: 403, body: { key: 'password_required' } });
      await fixture.database.query('UPDATE sessions SET password_at = now()');
      expect((await invite('boss')).status).toBe(204);
    });

    it('get their roles from those who entered the password lately', async () => {
      await added('ann', { [one]: 'ADMIN' });
      const tom = await added('tom', { [one]: 'USER', proj_2: 'USER' });
      await added('eve', { proj_2: 'USER' });
      const add = () => asked('ann', 'POST', `/${one}/users`, { login: 'eve', role: 'VIEWER' });
      const promote = () => asked('ann', 'PUT', `/${one}/users/${tom.id}`, { role: 'ADMIN' });
      await asked('ann', 'GET', `/${one}/users`);
      await stale();
      for (const refused of [await add(), await promote()])
        expect(refused).toMatchObject({ status: 403, body: { key: 'password_required' } });
      expect((await manage('GET', `/${one}/users/${tom.id}`)).body.role).toBe('USER');
      await fixture.database.query('UPDATE sessions SET password_at = now()');
      expect([(await add()).status, (await promote()).status]).toEqual([200, 200]);
    });

    it('need the password again to see the secret of webhooks', async () => {
      await added('boss', {}, true);
      const paths = ['', `/${one}`] as const;
      const tokens = async () => {
        const [{ body: list }, { body: project }] = [
          await asked('boss', 'GET', paths[0]),
          await asked('boss', 'GET', paths[1]),
        ];
        const { body: updated } = await asked('boss', 'PUT', `/${one}`, {});
        return [list.data[0].webhook_token, project.webhook_token, updated.webhook_token] as unknown[];
      };
      await asked('boss', 'GET', `/${one}/users`);
      await stale();
      expect(await tokens()).toEqual([null, null, null]);
    });
  });
});
