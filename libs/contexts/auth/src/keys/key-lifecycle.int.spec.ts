import { type Refusal, isRefused, newRequestId, noDeadline } from '@scrip/kernel';
import { type AuthFixture, bootAuth, knownKeys } from '../auth.fixture';
import { type IssuedKey, KeyLifecycle } from './key-lifecycle';
import { KeyUse } from './key-use';

describe('the life of a key', () => {
  let fixture: AuthFixture;
  let keys: KeyLifecycle;

  beforeAll(async () => {
    fixture = await bootAuth();
    await fixture.bootstrap.run(knownKeys);
    keys = fixture.running.app.get(KeyLifecycle, { strict: false });
  });
  afterAll(() => fixture?.running.close());

  const issued = (key: IssuedKey | Refusal): { id: string; secret: string } => {
    if (isRefused(key)) throw new Error(key.refused);
    return { id: key.id, secret: key.secret.reveal() };
  };
  const admits = async ({ id, secret }: { id: string; secret: string }, kind = 'server' as const) => {
    const context = { requestId: newRequestId(), deadlineAt: noDeadline, traceparent: null };
    const credentials = { kind, app_id: id, app_token: secret, ip: '::1' };
    return !isRefused(await fixture.auth.authenticate(context, { credentials }));
  };
  const newServerKey = async () =>
    issued(await keys.issue({ projectId: 'proj_demo', kind: 'server', name: 'Till', role: 'USER' }));
  const toldOf = async (id: string): Promise<string[]> =>
    (
      await fixture.database.query<{ type: string }[]>(
        `SELECT type FROM events WHERE data::jsonb->>'key_id' = $1 ORDER BY epoch, ord, position`,
        [id],
      )
    ).map(({ type }) => type);

  it('begins with a secret that is shown once, and works at once', async () => {
    const key = await newServerKey();
    expect(await admits(key)).toBe(true);
    const [listed] = (await keys.list()).filter(({ id }) => id === key.id);
    expect(listed).toMatchObject({
      projectId: 'proj_demo',
      kind: 'server',
      name: 'Till',
      role: 'USER',
      blocked: false,
    });
    expect(JSON.stringify(await keys.list())).not.toContain(key.secret);
    expect(await toldOf(key.id)).toEqual(['ApiKeyIssued']);
  });

  it('goes on with another secret and the same id', async () => {
    const key = await newServerKey();
    const rotated = issued(await keys.rotate(key.id));
    expect(rotated.id).toBe(key.id);
    expect([await admits(key), await admits(rotated)]).toEqual([false, true]);
  });

  it('is interrupted by a block, which takes its tokens along', async () => {
    const key = await newServerKey();
    const headers = { 'x-app-id': key.id, 'x-app-token': key.secret };
    const form = { grant_type: 'client_credentials', scope: 'api' };
    const { body } = await fixture.form('/v1/oauth/token', form, headers);
    const { access_token } = body as { access_token: string };
    const introspect = async () =>
      (await fixture.form('/v1/oauth/introspect', { access_token })).body as { active: boolean };
    expect((await introspect()).active).toBe(true);
    expect(await keys.setBlocked(key.id, true)).toBeNull();
    expect(await admits(key)).toBe(false);
    const context = { requestId: newRequestId(), deadlineAt: noDeadline, traceparent: null };
    const credentials = { kind: 'token', access_token, ip: '::1' } as const;
    expect(isRefused(await fixture.auth.authenticate(context, { credentials }))).toBe(true);
    expect(await keys.setBlocked(key.id, false)).toBeNull();
    expect(await admits(key)).toBe(true);
    expect(await toldOf(key.id)).toEqual(['ApiKeyIssued', 'ApiKeyRevoked', 'ApiKeyIssued']);
  });

  it('knows when it was used last, of those that were right', async () => {
    const use = fixture.running.app.get(KeyUse, { strict: false });
    const [key, other] = [await newServerKey(), await newServerKey()];
    await admits(key);
    await admits({ ...other, secret: 'wrong' });
    await use.store();
    const lastUse = async (one: { id: string }) =>
      (await keys.list()).find(({ id }) => id === one.id)?.lastUsedAt;
    expect(await lastUse(key)).toEqual(expect.any(Date));
    expect(await lastUse(other)).toBeNull();
  });

  it('is admitted from its addresses only, once it has some', async () => {
    const key = await newServerKey();
    expect(await keys.restrict(key.id, ['192.0.2.0/24', '2001:db8::1'])).toBeNull();
    expect(await admits(key)).toBe(false);
    expect(await keys.restrict(key.id, ['192.0.2.7', '::/64'])).toBeNull();
    expect(await admits(key)).toBe(true);
    expect((await keys.list()).find(({ id }) => id === key.id)?.allowedIps).toEqual(['192.0.2.7', '::/64']);
    expect(await keys.restrict(key.id, [])).toBeNull();
    expect(await admits(key)).toBe(true);
  });

  it.each([
    [['192.0.2.300'], '192.0.2.300 is no address and no range of addresses'],
    [['192.0.2.0/33'], '192.0.2.0/33 is no address and no range of addresses'],
    [Array.from({ length: 101 }, () => '192.0.2.1'), 'A key can have at most 100 addresses'],
  ])('is not bound to what is no address', async (addresses, details) => {
    const { id } = await newServerKey();
    expect(await keys.restrict(id, addresses)).toMatchObject({ refused: 'invalid_payload', details });
  });

  it('exists five times at most for managers, also when six are asked for at once', async () => {
    const answers = await Promise.all(
      Array.from({ length: 6 }, (_, index) => keys.issueManagement({ name: `Manager ${index}` })),
    );
    const refused = answers.filter((answer) => isRefused(answer));
    expect(refused.map(({ refused: key }) => key)).toEqual(['limit_exceeded', 'limit_exceeded']);
    expect((await keys.list()).filter(({ kind }) => kind === 'management')).toHaveLength(5);
  });

  it('is refused where there is no such key or project', async () => {
    const wanted = { projectId: 'proj_none', kind: 'server', name: 'x', role: 'ADMIN' } as const;
    expect(await keys.issue(wanted)).toMatchObject({ refused: 'not_found', resourceId: 'proj_none' });
    expect(await keys.rotate('eu1-none')).toMatchObject({ refused: 'not_found', resourceId: 'eu1-none' });
    expect(await keys.setBlocked('eu1-none', true)).toMatchObject({ refused: 'not_found' });
    expect(await keys.restrict('eu1-none', [])).toMatchObject({ refused: 'not_found' });
  });
});
