import { publicRoutes } from '@scrip/contracts/registry';
import { routeAccessSuite } from '@scrip/edge/testing';
import { type AccessFixture, bootAccess } from './access.fixture';
import { deedOf, deedsOfRoles } from './role-access.table';

describe('access to every route', () => {
  let fixture: AccessFixture;

  beforeAll(async () => {
    fixture = await bootAccess();
  });
  afterAll(() => fixture.close());

  routeAccessSuite(publicRoutes, () => fixture.world);

  // Management keys have no role; of users' roles see the table of sessions.
  const withRoles = publicRoutes.filter(
    ({ area }) => area === 'server' || area === 'client' || area === 'oauth',
  );

  it.each(Object.entries(deedsOfRoles))('the role %s reaches: %p', async (role, deeds) => {
    const keys = {
      server: await fixture.keyOf('server', role),
      client: await fixture.keyOf('client', role),
    };
    const wrong: string[] = [];
    for (const row of withRoles) {
      const headers = {
        ...keys[row.area === 'client' ? 'client' : 'server'],
        ...(row.consumes === 'form' ? { 'Content-Type': 'application/x-www-form-urlencoded' } : {}),
        ...(row.consumes !== 'form' && row.method !== 'GET' ? { 'Content-Type': 'application/json' } : {}),
      };
      const { status, body } = await fixture.world.call({
        method: row.method,
        path: row.path.replace(/\{\w+\}/g, 'absent'),
        headers,
        ...(row.method === 'POST' || row.method === 'PUT' ? { body: {} } : {}),
      });
      const refused = status === 403 && (body as { key?: string }).key === 'missing_required_permission';
      if (refused === deeds.includes(deedOf(row)) || status >= 500)
        wrong.push(`${row.method} ${row.path} answers ${status} ${JSON.stringify(body)}`);
    }
    expect(wrong).toEqual([]);
  });
});
