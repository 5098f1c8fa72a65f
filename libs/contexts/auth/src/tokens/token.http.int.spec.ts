import { waitUntil } from '@scrip/testing';
import { type AuthFixture, bootAuth, knownKeys, serverKeys } from '../auth.fixture';

interface TokenBody {
  access_token: string;
  expires_at: number;
  expires_in: number;
}

describe('access tokens', () => {
  let fixture: AuthFixture;

  beforeAll(async () => {
    fixture = await bootAuth();
    await fixture.bootstrap.run(knownKeys);
  });
  afterAll(() => fixture.running.close());
  beforeEach(() => fixture.database.query('DELETE FROM access_tokens'));

  const issue = async (scope = 'api'): Promise<TokenBody> => {
    const { status, body } = await fixture.form('/v1/oauth/token', {
      grant_type: 'client_credentials',
      scope,
    });
    expect(status).toBe(200);
    return body as TokenBody;
  };
  const introspect = (access_token: string, headers?: Record<string, string>) =>
    fixture.form('/v1/oauth/introspect', { access_token }, headers);
  const callWith = async (token: string) => {
    const response = await fetch(`${fixture.running.url}/v1/nothing`, {
      headers: { Authorization: `Bearer ${token}` },
    });
    return response.status;
  };

  it('are issued with the fields of the interface', async () => {
    const before = Math.floor(Date.now() / 1_000);
    const token = await issue('vouchers campaigns');
    expect(token).toEqual({
      access_token: expect.stringMatching(/^eu1-[\w-]{43}$/) as string,
      client_id: 'shop-server',
      expires_at: expect.any(Number) as number,
      expires_in: 900,
      scope: 'vouchers campaigns',
      token_type: 'Bearer',
    });
    const after = Math.ceil(Date.now() / 1_000);
    expect(token.expires_at).toBeGreaterThanOrEqual(before + 899);
    expect(token.expires_at).toBeLessThanOrEqual(after + 900);
  });

  test.each<[string, Record<string, string>, string, string]>([
    ['no scope', { grant_type: 'client_credentials' }, 'missing_parameters', 'Missing parameters'],
    ['no grant type', { scope: 'api' }, 'missing_parameters', 'Missing parameters'],
    ['nothing', {}, 'missing_parameters', 'Missing parameters'],
    [
      'another grant type',
      { grant_type: 'password', scope: 'api' },
      'invalid_grant_type',
      'Invalid grant_type',
    ],
    [
      'unknown scopes',
      { grant_type: 'client_credentials', scope: 'voucher api campaign' },
      'invalid_scope',
      'Invalid scope: voucher,campaign',
    ],
    [
      'two spaces',
      { grant_type: 'client_credentials', scope: 'api  vouchers' },
      'invalid_scope',
      'Invalid scope: ',
    ],
  ])('are refused for %s', async (_name, fields, key, message) => {
    const { status, body } = await fixture.form('/v1/oauth/token', fields);
    expect(status).toBe(400);
    expect(body).toMatchObject({ code: 400, key, message });
  });

  it('are shown with the seconds left', async () => {
    const token = await issue('api');
    await fixture.database.query(`UPDATE access_tokens SET expires_at = expires_at - interval '100 s'`);
    const before = Math.floor(Date.now() / 1_000);
    const { body } = await introspect(token.access_token);
    const after = Math.ceil(Date.now() / 1_000);
    expect(body).toEqual({
      ...token,
      expires_at: token.expires_at - 100,
      expires_in: expect.any(Number) as number,
      active: true,
    });
    const { expires_at, expires_in } = body as TokenBody;
    expect(expires_in).toBeLessThanOrEqual(expires_at - before + 1);
    expect(expires_in).toBeGreaterThanOrEqual(expires_at - after - 1);
  });

  it('that are unknown, expired or revoked show exactly that they are inactive', async () => {
    expect(await introspect('eu1-unknown')).toEqual({ status: 200, body: { active: false } });
    const expired = await issue();
    await fixture.database.query('UPDATE access_tokens SET expires_at = now()');
    expect(await introspect(expired.access_token)).toEqual({ status: 200, body: { active: false } });
    const revoked = await issue();
    await fixture.form('/v1/oauth/token/revoke', { access_token: revoked.access_token });
    expect(await introspect(revoked.access_token)).toEqual({ status: 200, body: { active: false } });
    expect(await fixture.form('/v1/oauth/introspect', {})).toMatchObject({
      status: 400,
      body: { key: 'missing_parameters' },
    });
  });

  it('are revoked at once, and only once', async () => {
    const { access_token } = await issue();
    expect(await callWith(access_token)).toBe(404);
    expect(await fixture.form('/v1/oauth/token/revoke', { access_token })).toEqual({ status: 204, body: '' });
    expect(await callWith(access_token)).toBe(401);
    expect(await fixture.form('/v1/oauth/token/revoke', { access_token })).toEqual({ status: 404, body: '' });
    expect(await fixture.form('/v1/oauth/token/revoke', {})).toEqual({ status: 404, body: '' });
  });

  it('expire', async () => {
    const { access_token } = await issue();
    await fixture.database.query('UPDATE access_tokens SET expires_at = now()');
    expect(await callWith(access_token)).toBe(401);
  });

  it('of another project look as if they did not exist', async () => {
    const { access_token } = await issue();
    await fixture.database.query(`UPDATE access_tokens SET project_id = 'proj_other'`);
    expect(await introspect(access_token)).toEqual({ status: 200, body: { active: false } });
    expect((await fixture.form('/v1/oauth/token/revoke', { access_token })).status).toBe(404);
    expect(await fixture.database.query('SELECT count(*)::int AS count FROM access_tokens')).toEqual([
      { count: 1 },
    ]);
  });

  it('made on another cluster are told so', async () => {
    const response = await fetch(`${fixture.running.url}/v1/nothing`, {
      headers: { Authorization: `Bearer us1-${'x'.repeat(43)}` },
    });
    expect(await response.json()).toMatchObject({
      code: 403,
      key: 'forbidden',
      message: 'Forbidden',
      details: 'Project is bound to different region',
    });
  });

  it('are not issued by a blocked key, not even within the second that keys are remembered', async () => {
    const statusOfIssue = async () =>
      (await fixture.form('/v1/oauth/token', { grant_type: 'client_credentials', scope: 'api' })).status;
    await issue();
    await fixture.database.query(`UPDATE application_keys SET blocked = true WHERE id = 'shop-server'`);
    try {
      expect(await statusOfIssue()).toBe(401);
    } finally {
      await fixture.database.query(`UPDATE application_keys SET blocked = false WHERE id = 'shop-server'`);
      // That it was blocked is remembered for a second too.
      await waitUntil(async () => (await statusOfIssue()) === 200, { what: 'the key to issue again' });
    }
  });

  it('are stored as hashes only', async () => {
    const { access_token } = await issue();
    const [row] = await fixture.database.query<{ text: string }[]>(
      'SELECT t::text AS text FROM access_tokens t',
    );
    expect(row?.text).not.toContain(access_token.slice(4));
  });

  it('number at most 1,000 under 50 parallel issuers', async () => {
    await fixture.database.query(
      `INSERT INTO access_tokens (project_id, slot, token_hash, key_id, scope, expires_at)
       SELECT 'proj_demo', slot, sha256(slot::text::bytea), 'shop-server', 'api',
         now() + CASE WHEN slot = 500 THEN interval '-1 s' ELSE interval '900 s' END
       FROM generate_series(1, 998) AS slot`,
    );
    const fields = { grant_type: 'client_credentials', scope: 'api' };
    const gate = fixture.database.createQueryRunner();
    await gate.startTransaction();
    await gate.query('LOCK TABLE access_tokens IN SHARE MODE');
    const issuing = Promise.all(Array.from({ length: 50 }, () => fixture.form('/v1/oauth/token', fields)));
    // Let go together, the pool's statements choose their slots at one moment.
    const waiting = `SELECT count(*)::int AS count FROM pg_locks WHERE relation = 'access_tokens'::regclass AND NOT granted`;
    const waits = async () => ((await gate.query(waiting)) as { count: number }[])[0]?.count ?? 0;
    await waitUntil(async () => (await waits()) >= 8, { what: 'eight issuers at the table' });
    await gate.commitTransaction();
    await gate.release();
    const answers = await issuing;
    const issued = answers.filter(({ status }) => status === 200);
    const refused = answers.filter(({ status }) => status === 400);
    expect([issued.length, refused.length]).toEqual([3, 47]);
    expect(refused[0]?.body).toMatchObject({ key: 'oauth_tokens_limit_exceeded' });
    expect(
      await fixture.database.query(
        'SELECT count(*)::int AS count FROM access_tokens WHERE expires_at > now()',
      ),
    ).toEqual([{ count: 1_000 }]);
    for (const { body } of issued) expect(await callWith((body as TokenBody).access_token)).toBe(404);
  });

  it('are shared among the keys of a project once it has 900, so that none takes all', async () => {
    const addKey = (id: string) =>
      fixture.database.query(
        `INSERT INTO application_keys (id, project_id, kind, name, role, secret_hash)
         SELECT $1, project_id, kind, 'Other', role, secret_hash FROM application_keys WHERE id = 'shop-server'`,
        [id],
      );
    const holdTokens = (keyId: string, from: number, to: number) =>
      fixture.database.query(
        `INSERT INTO access_tokens (project_id, slot, token_hash, key_id, scope, expires_at)
         SELECT 'proj_demo', slot, sha256(slot::text::bytea), $1, 'api', now() + interval '900 s'
         FROM generate_series($2::int, $3::int) AS slot`,
        [keyId, from, to],
      );
    const ask = () => fixture.form('/v1/oauth/token', { grant_type: 'client_credentials', scope: 'api' });
    await addKey('other-server');
    try {
      await holdTokens('other-server', 1, 10);
      await holdTokens('shop-server', 11, 899);
      expect((await ask()).status).toBe(200);
      expect(await ask()).toMatchObject({
        status: 400,
        body: {
          key: 'oauth_tokens_limit_exceeded',
          details: 'The application key has used its share of the 1000 active access tokens of the project',
        },
      });
    } finally {
      await fixture.database.query(`DELETE FROM application_keys WHERE id = 'other-server'`);
    }
    expect((await ask()).status).toBe(200);
  });

  it('win over keys', async () => {
    const response = await fetch(`${fixture.running.url}/v1/nothing`, {
      headers: { ...serverKeys, 'X-Service-OAuth': 'Bearer eu1-no' },
    });
    expect(response.status).toBe(401);
  });
});
