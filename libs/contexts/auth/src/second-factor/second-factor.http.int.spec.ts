import { Secret } from '@scrip/kernel';
import { waitUntil } from '@scrip/testing';
import { Secret as OtpSecret, TOTP } from 'otpauth';
import { type AuthFixture, bootAuth, knownKeys } from '../auth.fixture';
import { sessionExamples } from '../sessions/session.examples';
import { codeBucket } from '../sessions/sign-in-buckets';
import { FirstUser } from '../users/first-user';
import { SecondFactors } from './second-factors';

const { password } = sessionExamples.signIn;
const stepMs = 30_000;
const path = '/session/second-factor';

interface Answer {
  status: number;
  body: any;
  cookie: string;
}

describe('the second factor', () => {
  let fixture: AuthFixture;
  let secret = '';
  let cookie = '';
  let backupCodes: string[] = [];

  const call = async (
    method: string,
    route: string,
    { body, as = cookie }: { body?: object; as?: string } = {},
  ): Promise<Answer> => {
    const answer = await fetch(`${fixture.running.url}/dashboard/api${route}`, {
      method,
      headers: {
        ...{ 'X-Scrip-Dashboard': '1', 'Sec-Fetch-Site': 'same-origin' },
        ...(as ? { Cookie: as } : {}),
        ...(body ? { 'Content-Type': 'application/json' } : {}),
      },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    const text = await answer.text();
    const [set = ''] = answer.headers.getSetCookie();
    return {
      status: answer.status,
      body: text === '' ? null : JSON.parse(text),
      cookie: set.split(';')[0] ?? '',
    };
  };
  const signIn = (code?: string, tried = password) =>
    call('POST', '/session', {
      body: { login: 'admin', password: tried, ...(code ? { code } : {}) },
      as: '',
    });
  /** The code that an authenticator shows, so many steps away. */
  const shown = (steps = 0, of = secret): string =>
    new TOTP({ secret: OtpSecret.fromBase32(of) }).generate({ timestamp: Date.now() + steps * stepMs });
  const wrong = (): string => (shown() === '000000' ? '000001' : '000000');
  const forgetSteps = () => fixture.database.query('UPDATE second_factors SET last_step = 0');

  beforeAll(async () => {
    fixture = await bootAuth();
    await fixture.bootstrap.run(knownKeys);
  });
  afterAll(() => fixture?.running.close());
  beforeEach(async () => {
    // In the middle of a step: none ends between a code and its use.
    const now = (Math.floor(Date.now() / stepMs) + 0.5) * stepMs;
    jest.spyOn(Date, 'now').mockReturnValue(now);
    await fixture.database.query('TRUNCATE users, sign_in_failures, sign_in_buckets CASCADE');
    await fixture.running.app.get(FirstUser, { strict: false }).make(new Secret(password));
    await fixture.database.query('UPDATE users SET must_change_password = false');
    ({ cookie } = await signIn());
    secret = (await call('POST', path)).body.secret;
    const confirmed = await call('PUT', path, { body: { code: shown() } });
    expect(confirmed.status).toBe(200);
    backupCodes = confirmed.body.backup_codes;
    await forgetSteps();
  });

  afterEach(() => jest.restoreAllMocks());

  it('is offered as a secret and a URI, and counts once a code of it came', async () => {
    expect((await call('DELETE', path)).status).toBe(204);
    const { body } = await call('POST', path);
    expect(body).toEqual({
      object: 'second_factor_secret',
      secret: expect.stringMatching(/^[A-Z2-7]{32}$/),
      uri: `otpauth://totp/Scrip:admin?issuer=Scrip&secret=${body.secret}&algorithm=SHA1&digits=6&period=30`,
    });
    expect((await signIn()).status).toBe(200);
    expect((await call('GET', path)).body).toEqual({
      object: 'second_factor',
      is_on: false,
      backup_codes_left: 0,
    });
    expect(await call('PUT', path, { body: { code: shown(0, secret) } })).toMatchObject({
      status: 400,
      body: { details: 'Property .code is not the code that the authenticator shows' },
    });
    expect((await call('PUT', path, { body: { code: shown(0, body.secret) } })).status).toBe(200);
    expect((await call('GET', path)).body).toMatchObject({ is_on: true, backup_codes_left: 10 });
  });

  it('is offered again where it was not confirmed, and the earlier secret counts no more', async () => {
    await call('DELETE', path);
    const [first, second] = [await call('POST', path), await call('POST', path)];
    expect((await call('PUT', path, { body: { code: shown(0, first.body.secret) } })).status).toBe(400);
    expect((await call('PUT', path, { body: { code: shown(0, second.body.secret) } })).status).toBe(200);
  });

  it('is one at most', async () => {
    const refused = {
      status: 409,
      body: { key: 'second_factor_exists', details: 'The user has a second factor already' },
    };
    expect(await call('POST', path)).toMatchObject(refused);
    expect(await call('PUT', path, { body: { code: shown() } })).toMatchObject(refused);
  });

  it('is asked for after a right password only', async () => {
    expect(await signIn()).toMatchObject({
      status: 401,
      body: {
        key: 'second_factor_required',
        details: 'Send the code of the second factor, or a backup code, as code',
      },
      cookie: '',
    });
    expect((await signIn(undefined, 'a wrong password')).body.key).toBe('unauthorized');
    expect((await signIn(shown(), 'a wrong password')).status).toBe(401);
    expect((await signIn(shown())).status).toBe(200);
  });

  it.each([-1, 0, 1])('takes the code of a step %d away', async (steps) => {
    expect((await signIn(shown(steps))).status).toBe(200);
  });

  it('takes no code twice, and none that is older than the last', async () => {
    expect((await signIn(shown())).status).toBe(200);
    expect(await signIn(shown())).toMatchObject({
      status: 401,
      body: { key: 'unauthorized', details: 'The code of the second factor is wrong' },
    });
    expect((await signIn(shown(-1))).status).toBe(401);
    expect((await signIn(shown(1))).status).toBe(200);
  });

  it('takes a code once of many calls at once', async () => {
    const answers = await Promise.all(Array.from({ length: 4 }, () => signIn(shown())));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  it('is replaced by each of ten backup codes once, however it is typed', async () => {
    expect(new Set(backupCodes).size).toBe(10);
    const [first = '', second = ''] = backupCodes;
    expect(first).toMatch(/^[a-z2-9]{4}(?:-[a-z2-9]{4}){3}$/);
    expect((await signIn(first)).status).toBe(200);
    expect((await signIn(first)).status).toBe(401);
    expect((await signIn(second.toUpperCase().replaceAll('-', ' '))).status).toBe(200);
    expect((await call('GET', path)).body.backup_codes_left).toBe(8);
  });

  it('gets other backup codes, and the earlier ones count no more', async () => {
    const { body } = await call('POST', `${path}/backup-codes`);
    expect((await signIn(backupCodes[0])).status).toBe(401);
    expect((await signIn(body.backup_codes[0])).status).toBe(200);
  });

  const untilWaiting = (calls: number): Promise<unknown> =>
    waitUntil(
      async () => {
        const waiting = await fixture.database.query<unknown[]>(
          `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
        );
        return waiting.length === calls;
      },
      { what: `${calls} calls to wait` },
    );

  it('gets no codes where another call takes it away before', async () => {
    const runner = fixture.database.createQueryRunner();
    await runner.connect();
    await runner.query('BEGIN');
    await runner.query('UPDATE second_factors SET confirmed = false');
    const renewed = call('POST', `${path}/backup-codes`);
    await untilWaiting(1);
    await runner.query('COMMIT');
    await runner.release();
    expect(await renewed).toMatchObject({ status: 404, body: { details: 'The user has no second factor' } });
    await fixture.database.query('UPDATE second_factors SET confirmed = true');
  });

  it('has ten backup codes where two calls renew them at once', async () => {
    const renewed = await fixture.database.transaction(async (manager) => {
      await manager.query('SELECT 1 FROM second_factors FOR UPDATE');
      const calls = [call('POST', `${path}/backup-codes`), call('POST', `${path}/backup-codes`)];
      await untilWaiting(2);
      return { calls };
    });
    const answers = await Promise.all(renewed.calls);
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect((await call('GET', path)).body.backup_codes_left).toBe(10);
  });

  it('lets no sign-in in that began before its confirmation', async () => {
    await call('DELETE', path);
    const { body } = await call('POST', path);
    const factors = fixture.running.app.get(SecondFactors, { strict: false });
    const pass = factors.pass.bind(factors);
    jest.spyOn(factors, 'pass').mockImplementationOnce(async (...of) => {
      const passed = await pass(...of);
      const confirmed = await call('PUT', path, { body: { code: shown(0, body.secret) } });
      expect(confirmed.status).toBe(200);
      return passed;
    });
    expect(await signIn()).toMatchObject({
      status: 401,
      body: { key: 'second_factor_required' },
      cookie: '',
    });
    expect((await call('GET', '/sessions')).body.total).toBe(1);
  });

  it('slows guesses of codes down, as those of passwords, and by user too', async () => {
    const statuses: number[] = [];
    for (let tried = 0; tried < 6; tried += 1) statuses.push((await signIn(wrong())).status);
    expect(statuses).toEqual([401, 401, 401, 401, 401, 429]);
    await fixture.database.query('TRUNCATE sign_in_failures, sign_in_buckets, known_networks');
    for (let tried = 0; tried < codeBucket.size; tried += 1) {
      await fixture.database.query('TRUNCATE sign_in_failures');
      expect((await signIn(wrong())).status).toBe(401);
    }
    await fixture.database.query('TRUNCATE sign_in_failures');
    expect((await signIn(wrong())).status).toBe(429);
  });

  it('is kept sealed, and its backup codes as hashes', async () => {
    const rows = await fixture.database.query<{ text: string }[]>(
      `SELECT f::text AS text FROM second_factors f UNION ALL SELECT encode(code_hash, 'escape') FROM backup_codes`,
    );
    const all = rows.map(({ text }) => text).join('\n');
    expect(all).not.toContain(secret);
    expect(all).not.toContain(backupCodes[0]);
    expect(rows).toHaveLength(11);
  });

  it('ends the other sessions when it begins, and is taken away with the password', async () => {
    const { cookie: other } = await signIn(shown());
    await call('DELETE', path);
    const { body } = await call('POST', path);
    await call('PUT', path, { body: { code: shown(0, body.secret) } });
    expect((await call('GET', '/session', { as: other })).status).toBe(401);
    expect((await call('GET', '/session')).status).toBe(200);
    await fixture.database.query(`UPDATE sessions SET password_at = now() - interval '1 h'`);
    for (const [method, route] of [
      ['DELETE', path],
      ['POST', path],
      ['POST', `${path}/backup-codes`],
    ] as const)
      expect(await call(method, route)).toMatchObject({ status: 403, body: { key: 'password_required' } });
  });

  it.each([
    ['DELETE', path, 'The user has no second factor'],
    ['POST', `${path}/backup-codes`, 'The user has no second factor'],
    ['PUT', path, 'No second factor was begun'],
  ])('that is not there is not found: %s %s', async (method, route, details) => {
    await call('DELETE', path);
    const body = method === 'PUT' ? { code: '123456' } : undefined;
    expect(await call(method, route, body ? { body } : {})).toMatchObject({
      status: 404,
      body: { key: 'not_found', details },
    });
  });
});
