import type { Credentials } from '@scrip/contracts/auth';
import { newRequestId, noDeadline, Secret } from '@scrip/kernel';
import { type AuthFixture, bootAuth, knownKeys } from '../auth.fixture';
import type { BootstrapRequest } from './bootstrap';

describe('the first start', () => {
  let fixture: AuthFixture;

  beforeEach(async () => (fixture = await bootAuth()));
  afterEach(() => fixture.running.close());

  const isAccepted = async (credentials: Credentials): Promise<boolean> => {
    const context = { requestId: newRequestId(), deadlineAt: noDeadline, traceparent: null };
    return 'role' in (await fixture.auth.authenticate(context, { credentials }));
  };
  const works = (id: string, secret: string) =>
    isAccepted({ kind: 'server', app_id: id, app_token: secret, ip: '::1' });
  const manages = (id: string, secret: string) =>
    isAccepted({ kind: 'management', management_id: id, management_token: secret, ip: '::1' });
  const eventTypes = async () =>
    (
      await fixture.database.query<{ type: string }[]>(
        'SELECT type FROM events ORDER BY epoch, ord, position',
      )
    ).map(({ type }) => type);

  it('generates ids and secrets, and shows the secrets only then', async () => {
    const first = await fixture.bootstrap.run({});
    expect(first.projectCreated).toBe(true);
    expect(first.project.id).toMatch(/^proj_/);
    expect(first.server.id).toMatch(/^eu1-[0-9a-f]{32}$/);
    expect(await works(first.server.id, first.server.secret?.reveal() ?? '')).toBe(true);
    const second = await fixture.bootstrap.run({});
    expect(second).toEqual({
      ...first,
      projectCreated: false,
      server: { id: first.server.id, secret: null },
      client: { id: first.client.id, secret: null },
      management: { id: first.management.id, secret: null },
    });
    expect(await eventTypes()).toEqual(['ProjectCreated', 'ApiKeyIssued', 'ApiKeyIssued']);
  });

  it('takes given ids and secrets, and applies them on every start', async () => {
    await fixture.bootstrap.run({});
    const given = await fixture.bootstrap.run(knownKeys);
    expect(given).toMatchObject({
      project: { id: 'proj_demo' },
      server: { id: 'shop-server', secret: null },
    });
    expect(await works('shop-server', 'server-secret')).toBe(true);
    await fixture.bootstrap.run({ ...knownKeys, appToken: new Secret('changed') });
    expect(await works('shop-server', 'changed')).toBe(true);
    expect(await works('shop-server', 'server-secret')).toBe(false);
  });

  it('blocks the keys whose place others take', async () => {
    const first = await fixture.bootstrap.run({});
    const secret = first.server.secret?.reveal() ?? '';
    expect(await works(first.server.id, secret)).toBe(true);
    await fixture.bootstrap.run({ appId: 'shop-server', appToken: new Secret('server-secret') });
    expect(await works(first.server.id, secret)).toBe(false);
    expect(await works('shop-server', 'server-secret')).toBe(true);
  });

  it('blocks a management key whose place another takes, also with another project', async () => {
    await fixture.bootstrap.run(knownKeys);
    expect(await manages('boss', 'boss-secret')).toBe(true);
    await fixture.bootstrap.run({
      projectId: 'proj_other',
      appId: 'other-server',
      clientAppId: 'other-browser',
      managementId: 'chief',
      managementToken: new Secret('chief-secret'),
    });
    expect(await manages('boss', 'boss-secret')).toBe(false);
    expect(await manages('chief', 'chief-secret')).toBe(true);
    // A key of the earlier project, which is there still.
    expect(await works('shop-server', 'server-secret')).toBe(true);
  });

  describe('that ends while it replaces keys', () => {
    const others: BootstrapRequest = {
      ...knownKeys,
      appId: 'other-server',
      clientAppId: 'other-browser',
      managementId: 'chief',
      managementToken: new Secret('chief-secret'),
    };
    const failing = (name: string, on: string) => `
      CREATE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'the process is killed'; END $$;
      CREATE TRIGGER ${name} BEFORE ${on} FOR EACH ROW EXECUTE FUNCTION ${name}()`;

    beforeEach(() => fixture.bootstrap.run(knownKeys));

    const neitherWorks = async () => {
      expect(await manages('boss', 'boss-secret')).toBe(false);
      expect(await works('shop-server', 'server-secret')).toBe(false);
    };

    it('leaves none of the old ones usable where the new ids were not stored yet', async () => {
      await fixture.database.query(failing('storing', 'UPDATE ON bootstrap'));
      await expect(fixture.bootstrap.run(others)).rejects.toThrow('the process is killed');
      await neitherWorks();
      await fixture.database.query('DROP FUNCTION storing CASCADE');
      await fixture.bootstrap.run(others);
      await neitherWorks();
      expect(await manages('chief', 'chief-secret')).toBe(true);
      expect(await works('other-server', 'server-secret')).toBe(true);
    });

    it('blocks at the next start what it had not blocked yet', async () => {
      await fixture.database.query(failing('blocking', 'UPDATE ON application_keys'));
      await expect(fixture.bootstrap.run(others)).rejects.toThrow('the process is killed');
      await fixture.database.query('DROP FUNCTION blocking CASCADE');
      await fixture.bootstrap.run(others);
      await neitherWorks();
    });
  });

  it('keeps no secret in clear', async () => {
    await fixture.bootstrap.run(knownKeys);
    const rows = await fixture.database.query<{ text: string }[]>(
      `SELECT k::text AS text FROM application_keys k UNION ALL SELECT k::text FROM management_keys k UNION ALL SELECT e::text FROM events e`,
    );
    expect(rows.filter(({ text }) => text.includes('-secret'))).toEqual([]);
  });

  it('makes one project when two processes start at once', async () => {
    const other = await bootAuth(fixture.databaseUrl);
    const [left, right] = await Promise.all([fixture.bootstrap.run({}), other.bootstrap.run({})]);
    await other.running.close();
    expect(left.project.id).toBe(right.project.id);
    expect([left.server.secret, right.server.secret].filter(Boolean)).toHaveLength(1);
  });
});
