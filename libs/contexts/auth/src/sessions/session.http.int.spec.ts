import { Fault, isRefused, Secret } from '@scrip/kernel';
import { type AuthFixture, bootAuth, knownKeys } from '../auth.fixture';
import { operator } from '../audit/audit-operator';
import { FirstUser } from '../users/first-user';
import { PasswordHashes } from '../users/password-hashes';
import { UserHandlers } from '../users/user.handlers';
import { freeFailures } from './sign-in-attempts';
import { sessionExamples } from './session.examples';
import { SessionStore } from './session.table';
import { loginBucket, networkBucket } from './sign-in-buckets';

const { password } = sessionExamples.signIn;
const { password: other } = sessionExamples.passwordAgain;
const page = { 'X-Scrip-Dashboard': '1', 'Sec-Fetch-Site': 'same-origin' };

interface Answer {
  status: number;
  headers: Headers;
  body: any;
  /** The cookie that the answer sets. */
  cookie: string;
}

describe('sessions', () => {
  let fixture: AuthFixture;
  let users: UserHandlers;

  beforeAll(async () => {
    fixture = await bootAuth();
    await fixture.bootstrap.run(knownKeys);
    users = fixture.running.app.get(UserHandlers, { strict: false });
  });
  afterAll(() => fixture?.running.close());
  beforeEach(async () => {
    await fixture.database.query('TRUNCATE users, sign_in_failures, sign_in_buckets CASCADE');
    await fixture.running.app.get(FirstUser, { strict: false }).make(new Secret(password));
    await fixture.database.query('UPDATE users SET must_change_password = false');
  });

  const call = async (
    method: string,
    path: string,
    { cookie, body, headers = {} }: { cookie?: string; body?: object; headers?: Record<string, string> } = {},
  ): Promise<Answer> => {
    const answer = await fetch(`${fixture.running.url}/dashboard/api${path}`, {
      method,
      headers: {
        ...page,
        ...(cookie ? { Cookie: cookie } : {}),
        ...(body ? { 'Content-Type': 'application/json' } : {}),
        ...headers,
      },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    const text = await answer.text();
    const [set = ''] = answer.headers.getSetCookie();
    return {
      status: answer.status,
      headers: answer.headers,
      body: text === '' ? null : JSON.parse(text),
      cookie: set.split(';')[0] ?? '',
    };
  };
  const signIn = (login = 'admin', tried = password) =>
    call('POST', '/session', { body: { login, password: tried } });
  const added = async (login: string, projects: Record<string, string>): Promise<string> => {
    const user = await users.add(operator(), {
      ...{ login, email: null, first_name: 'Tom', last_name: '' },
      projects,
      password_hash: await new PasswordHashes(10).hash(password, 'here'),
    });
    if (isRefused(user)) throw new Error(user.details);
    return user.id;
  };
  const me = (cookie: string) => call('GET', '/session', { cookie });
  const aged = (what: string) => fixture.database.query(`UPDATE sessions SET ${what}`);

  it('begin with login and password, and tell who is signed in', async () => {
    const answer = await signIn('ADMIN');
    expect(answer).toMatchObject({
      status: 200,
      body: {
        object: 'session',
        user: { login: 'admin', is_owner: true, must_change_password: false },
        projects: [
          {
            id: 'proj_demo',
            name: 'Demo project',
            role: 'ADMIN',
            permissions: ['read', 'export', 'write', 'validate', 'redeem', 'settings', 'token'],
          },
        ],
      },
    });
    expect(answer.headers.getSetCookie()).toEqual([
      expect.stringMatching(/^scrip=[\w-]{43}; Max-Age=604800; Path=\/; HttpOnly; SameSite=Strict$/),
    ]);
    expect(answer.headers.get('x-request-id')).toMatch(/^w-[0-9a-f]{18}$/);
    expect((await me(answer.cookie)).body).toEqual(answer.body);
    expect(JSON.stringify(answer.body)).not.toContain('scrypt');
  });

  it('begin, change the password and take it again with what the API description sends', async () => {
    const { cookie } = await call('POST', '/session', { body: sessionExamples.signIn });
    const changed = await call('PUT', '/session/password', { cookie, body: sessionExamples.changePassword });
    const again = { cookie: changed.cookie, body: sessionExamples.passwordAgain };
    expect((await call('POST', '/session/password-again', again)).status).toBe(200);
  });

  it('tell each user the own projects', async () => {
    await added('tom', { proj_demo: 'VIEWER', proj_gone: 'ADMIN' });
    expect((await signIn('tom')).body).toMatchObject({
      user: { is_owner: false, must_change_password: true },
      projects: [{ id: 'proj_demo', role: 'VIEWER', permissions: ['read', 'export', 'token'] }],
    });
  });

  it('keep only the hash of what the cookie holds', async () => {
    const { cookie } = await signIn();
    const [row] = await fixture.database.query<{ text: string }[]>('SELECT s::text AS text FROM sessions s');
    expect(row?.text).not.toContain(cookie.split('=')[1]);
  });

  it.each([
    ['a wrong password', 'admin', other],
    ['an unknown login', 'nobody', password],
    ['an empty password', 'admin', ''],
  ])('do not begin with %s', async (_name, login, tried) => {
    expect(await signIn(login, tried)).toMatchObject({
      status: 401,
      body: { key: 'unauthorized', details: 'The login or the password is wrong' },
      cookie: '',
    });
  });

  it('do not begin for a user who is blocked, and end with the block', async () => {
    const { cookie } = await signIn();
    const admin = await users.findByLogin('admin');
    await users.change(operator(), admin?.id ?? '', { type: 'SetActive', is_active: false });
    expect((await me(cookie)).status).toBe(401);
    expect((await signIn()).status).toBe(401);
  });

  it('go on with another role, which the next call has, and without a project that was left', async () => {
    const tom = await added('tom', { proj_demo: 'VIEWER' });
    const { cookie } = await signIn('tom');
    const change = (command: Parameters<typeof users.change>[2]) => users.change(operator(), tom, command);
    await change({ type: 'AddToProject', project_id: 'proj_2', role: 'ADMIN' });
    await change({ type: 'ChangeRole', project_id: 'proj_demo', role: 'USER' });
    expect(await me(cookie)).toMatchObject({
      status: 200,
      body: { projects: [{ id: 'proj_demo', role: 'USER' }] },
    });
    await change({ type: 'RemoveFromProject', project_id: 'proj_demo' });
    expect(await me(cookie)).toMatchObject({ status: 200, body: { projects: [] } });
  });

  it.each([
    ['8 hours without a call', `seen_at = now() - interval '8 h'`],
    ['7 days', 'expires_at = now()'],
  ])('end after %s, and are deleted then', async (_name, change) => {
    const { cookie } = await signIn();
    await aged(change);
    expect((await me(cookie)).status).toBe(401);
    expect(await fixture.running.app.get(SessionStore, { strict: false }).prune()).toBe(1);
  });

  it('live on where a call comes in time', async () => {
    const { cookie } = await signIn();
    await aged(`seen_at = now() - interval '7 h 59 min'`);
    expect((await me(cookie)).status).toBe(200);
    await aged(`seen_at = seen_at - interval '7 h 59 min'`);
    expect((await me(cookie)).status).toBe(200);
  });

  it('end by signing out, which makes the browser forget', async () => {
    const { cookie } = await signIn();
    const ended = await call('DELETE', '/session', { cookie });
    expect(ended.status).toBe(204);
    expect(ended.headers.getSetCookie()).toEqual(['scrip=; Max-Age=0; Path=/; HttpOnly; SameSite=Strict']);
    expect((await me(cookie)).status).toBe(401);
  });

  it('are listed, and end one by one', async () => {
    const [first, second] = [await signIn(), await signIn()];
    const listed = await call('GET', '/sessions', { cookie: second.cookie });
    expect(listed.body).toMatchObject({ object: 'list', data_ref: 'data', total: 2 });
    expect(listed.body.data.map(({ is_current }: { is_current: boolean }) => is_current).sort()).toEqual([
      false,
      true,
    ]);
    const { id } = first.body;
    expect((await call('DELETE', `/sessions/${id}`, { cookie: second.cookie })).status).toBe(204);
    expect([(await me(first.cookie)).status, (await me(second.cookie)).status]).toEqual([401, 200]);
    expect(await call('DELETE', `/sessions/${id}`, { cookie: second.cookie })).toMatchObject({
      status: 404,
      body: { key: 'not_found', details: `Cannot find session with id ${id}` },
    });
  });

  it('are 20 of a user at most: the one used least lately ends', async () => {
    const { cookie, body } = await signIn();
    await fixture.database.query(
      `INSERT INTO sessions (id, token_hash, user_id, address, agent, expires_at)
       SELECT 'ses_' || n, decode(md5(n::text), 'hex'), $1, '', '', now() + interval '1 d' FROM generate_series(1, 19) n`,
      [body.user.id],
    );
    await aged(`seen_at = now() - interval '1 h' WHERE id = '${body.id}'`);
    await signIn();
    expect((await me(cookie)).status).toBe(401);
    expect(await fixture.database.query('SELECT 1 FROM sessions')).toHaveLength(20);
  });

  describe('and passwords', () => {
    const change = (cookie: string, current_password: string, wanted: string) =>
      call('PUT', '/session/password', { cookie, body: { current_password, password: wanted } });

    it('are changed together: every session ends, and another one begins', async () => {
      const [first, second] = [await signIn(), await signIn()];
      const changed = await change(first.cookie, password, other);
      expect(changed).toMatchObject({ status: 200, body: { user: { must_change_password: false } } });
      const after = [first, second, changed].map(async ({ cookie }) => (await me(cookie)).status);
      expect(await Promise.all(after)).toEqual([401, 401, 200]);
      expect([(await signIn()).status, (await signIn('admin', other)).status]).toEqual([401, 200]);
    });

    it.each([
      ['a wrong present one', other, 'another horse battery', 401, 'The login or the password is wrong'],
      ['a short one', password, 'short', 400, 'Property .password cannot be shorter than 12 characters'],
      [
        'a common one',
        password,
        'Password1234!',
        400,
        'Property .password is too common: many people use one like it',
      ],
      ['the same', password, password, 400, 'Property .password must be another one than before'],
    ])('are not changed with %s', async (_name, present, wanted, status, details) => {
      const { cookie } = await signIn();
      expect(await change(cookie, present, wanted)).toMatchObject({ status, body: { details } });
      expect((await me(cookie)).status).toBe(200);
    });

    it('are changed once where two calls change them at once', async () => {
      const { cookie } = await signIn();
      const answers = await Promise.all([change(cookie, password, other), change(cookie, password, other)]);
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    });

    it('are entered again for 10 minutes', async () => {
      const { cookie } = await signIn();
      await aged(`password_at = now() - interval '1 h'`);
      const again = (tried: string) =>
        call('POST', '/session/password-again', { cookie, body: { password: tried } });
      expect((await again(other)).status).toBe(401);
      expect(Date.parse((await me(cookie)).body.password_until)).toBeLessThan(Date.now());
      const before = Date.now();
      expect((await again(password)).status).toBe(200);
      const after = Date.now();
      const until = Date.parse((await me(cookie)).body.password_until);
      expect(until).toBeGreaterThanOrEqual(before + 600_000);
      expect(until).toBeLessThanOrEqual(after + 600_000);
    });

    it('are hashed again where the cost has risen, and the session goes on', async () => {
      const hash = await new PasswordHashes(8).hash(password, 'here');
      await fixture.database.query('UPDATE users SET password_hash = $1', [hash]);
      const { cookie } = await signIn();
      expect((await users.findByLogin('admin'))?.password_hash).toMatch(/^\$scrypt\$ln=10,/);
      expect([(await me(cookie)).status, (await signIn()).status]).toEqual([200, 200]);
    });
  });

  describe('after wrong passwords', () => {
    const waiting = () =>
      fixture.database.query<{ wait: number }[]>(
        `SELECT round(extract(epoch FROM wait_until - failed_at))::int AS wait FROM sign_in_failures`,
      );
    const waitOver = () => fixture.database.query('UPDATE sign_in_failures SET wait_until = now()');
    /** Those that wait wait for as long as the test may take. */
    const waitOn = () =>
      fixture.database.query(
        `UPDATE sign_in_failures SET wait_until = wait_until + interval '1 h' WHERE wait_until > failed_at`,
      );

    it.each(['admin', 'nobody'])('wait, longer each time, for the login %s', async (login) => {
      for (let tried = 1; tried < freeFailures; tried += 1)
        expect((await signIn(login, other)).status).toBe(401);
      const waits: number[] = [];
      for (let tried = 0; tried < 8; tried += 1) {
        await waitOver();
        expect((await signIn(login, other)).status).toBe(401);
        waits.push((await waiting())[0]?.wait ?? 0);
      }
      expect(waits).toEqual([15, 30, 60, 120, 240, 480, 900, 900]);
      const before = Date.now();
      const refused = await signIn(login);
      const after = Date.now();
      expect(refused).toMatchObject({ status: 429, body: { code: 429 } });
      const [row] = await fixture.database.query<{ untilMs: number }[]>(
        `SELECT (extract(epoch FROM wait_until) * 1000)::float8 AS "untilMs" FROM sign_in_failures`,
      );
      const retryAfterMs = Number(refused.headers.get('retry-after')) * 1_000;
      expect(retryAfterMs).toBeGreaterThanOrEqual(row!.untilMs - after - 1);
      expect(retryAfterMs).toBeLessThanOrEqual(row!.untilMs - before + 1_000);
    });

    // The database folds U+0130 to i, JavaScript to i with a dot above.
    it.each([
      ['admin', 'admİn'],
      ['nobodi', 'nobodİ'],
    ])('wait however the login %s is spelled, as the database folds it', async (login, spelled) => {
      for (let tried = 0; tried < freeFailures; tried += 1)
        expect((await signIn(tried % 2 === 0 ? spelled : login.toUpperCase(), other)).status).toBe(401);
      await waitOn();
      const answers = [await signIn(login, other), await signIn(spelled, other)];
      expect(answers.map(({ status }) => status)).toEqual([429, 429]);
    });

    it('get no more guesses by guessing at once', async () => {
      const answers = await Promise.all(Array.from({ length: 15 }, () => signIn('admin', other)));
      const statuses = answers.map(({ status }) => status);
      expect(statuses.filter((status) => status === 401)).toHaveLength(freeFailures);
      expect(statuses.filter((status) => status === 429)).toHaveLength(15 - freeFailures);
    });

    it('are not counted where the password was not looked at', async () => {
      const hashes = fixture.running.app.get(PasswordHashes, { strict: false });
      const busy = jest
        .spyOn(hashes, 'verify')
        .mockRejectedValue(new Fault('overloaded', 'too many passwords wait'));
      for (let tried = 0; tried <= freeFailures; tried += 1) expect((await signIn()).status).toBe(503);
      busy.mockRestore();
      expect((await signIn()).status).toBe(200);
    });

    it('get 20 guesses at once for all logins of a network, and then one each 3 s', async () => {
      const { size, everyS } = networkBucket;
      let logins = 0;
      /** Guesses until one is refused; says too how many more may be allowed since `sinceMs`. */
      const guess = async (sinceMs: number): Promise<{ guesses: number; more: number; refused: Answer }> => {
        for (let guesses = 0; ; guesses += 1) {
          const refused = await signIn(`nobody${(logins += 1)}`, other);
          const more = (Date.now() + 1 - sinceMs) / 1_000 / everyS;
          if (refused.status !== 401 || guesses > size + more) return { guesses, more, refused };
        }
      };
      const first = await guess(Date.now());
      expect(first.refused.status).toBe(429);
      expect(first.guesses).toBeGreaterThanOrEqual(size);
      expect(first.guesses).toBeLessThanOrEqual(size + first.more);
      expect(Number(first.refused.headers.get('retry-after'))).toBeLessThanOrEqual(everyS);

      const fullMs = Date.now();
      await fixture.database.query(
        `UPDATE sign_in_buckets SET level = $1, counted_at = now() - $2 * interval '1 s'
         WHERE level = (SELECT max(level) FROM sign_in_buckets)`,
        [size, everyS],
      );
      const next = await guess(fullMs);
      expect(next.refused.status).toBe(429);
      expect(next.guesses).toBeGreaterThanOrEqual(1);
      expect(next.guesses).toBeLessThanOrEqual(1 + next.more);

      // For as long as the test may take.
      await fixture.database.query('UPDATE sign_in_buckets SET level = level + 1000');
      expect((await signIn()).status).toBe(429);
    });

    it('keep no right one waiting: sign-ins of a whole office use nothing up', async () => {
      for (let tried = 0; tried <= networkBucket.size; tried += 1) {
        await fixture.database.query('DELETE FROM known_networks');
        expect((await signIn()).status).toBe(200);
      }
    });

    it.each([
      ['a network', 'nobody'],
      ['a login', 'admin'],
    ])(
      'that use up what %s has, users sign in where they did before; 90 days later they wait',
      async (of) => {
        const { body } = await signIn();
        await fixture.database.query(
          `INSERT INTO sign_in_buckets SELECT sha256(convert_to($1, 'UTF8')), $2, now()
           ON CONFLICT (bucket) DO UPDATE SET level = $2, counted_at = now()`,
          // More than that, so that it lasts for as long as the test may take.
          of === 'a login'
            ? [JSON.stringify(['login', 'user', body.user.id]), loginBucket.size + 1_000]
            : [JSON.stringify(['network', '127.0.0.1']), networkBucket.size + 1_000],
        );
        expect((await signIn()).status).toBe(200);
        await fixture.database.query(`UPDATE known_networks SET seen_at = now() - interval '90 d'`);
        expect((await signIn()).status).toBe(429);
      },
    );

    it('of strangers do not keep a session from entering the password again, nor of another session', async () => {
      const [one, another] = [await signIn(), await signIn()];
      for (let tried = 0; tried < freeFailures + 1; tried += 1) await signIn('admin', other);
      const again = (cookie: string, tried: string) =>
        call('POST', '/session/password-again', { cookie, body: { password: tried } });
      for (let tried = 0; tried < freeFailures; tried += 1)
        expect((await again(one.cookie, other)).status).toBe(401);
      await waitOn();
      expect((await again(one.cookie, password)).status).toBe(429);
      expect((await again(another.cookie, password)).status).toBe(200);
    });

    it('begin as ever once the right one came', async () => {
      for (let tried = 1; tried < freeFailures; tried += 1) await signIn('admin', other);
      expect((await signIn()).status).toBe(200);
      expect((await signIn('admin', other)).status).toBe(401);
      expect((await signIn()).status).toBe(200);
    });
  });

  it.each([
    [
      'no header of ours',
      { 'X-Scrip-Dashboard': '' },
      'A call with a session sends the header X-Scrip-Dashboard: 1',
    ],
    ['another site', { 'Sec-Fetch-Site': 'cross-site' }, 'The call comes from a page of another origin'],
    [
      'another host of this site',
      { 'Sec-Fetch-Site': 'same-site' },
      'The call comes from a page of another origin',
    ],
  ])('neither begin nor count with %s', async (_name, headers, details) => {
    const body = { login: 'admin', password };
    const refused = { status: 403, body: { key: 'forbidden', details: expect.stringContaining(details) } };
    expect(await call('POST', '/session', { body, headers })).toMatchObject(refused);
    const { cookie } = await signIn();
    expect(await call('GET', '/session', { cookie, headers })).toMatchObject(refused);
  });

  it('reach the other routes by a cookie alone', async () => {
    expect((await call('GET', '/session')).body.details).toBe(
      'No credentials were sent. Send the cookie of a session, which POST /dashboard/api/session begins.',
    );
    expect((await call('GET', '/session', { cookie: 'scrip=guess' })).status).toBe(401);
  });
});
