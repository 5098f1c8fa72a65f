import { assertRoutesComplete } from './assert-routes-complete';
import { areaOfPath, RouteIndex } from './route-index';
import { open, publicRoutes, server } from '@scrip/contracts/registry';

const rows = [
  server('GET /v1/vouchers/{code}', 'vouchers'),
  server('DELETE /v1/vouchers/{code}', 'vouchers'),
  server('POST /v1/vouchers/import', 'vouchers'),
  server('POST /v1/vouchers/{code}/redemption', 'vouchers'),
  open('GET /healthz'),
];
const index = new RouteIndex(rows);

describe('the route index', () => {
  test.each([
    ['/v1/vouchers/CODE', ['GET', 'DELETE']],
    ['/v1/vouchers/import', ['POST']],
    ['/v1/vouchers/import/redemption', ['POST']],
    ['/v1/vouchers/a%2Fb', ['GET', 'DELETE']],
    ['/v1/vouchers/', []],
    ['/v1/vouchers', []],
    ['/v1/vouchers/CODE/', []],
    ['/v1/%76ouchers/CODE', ['GET', 'DELETE']],
    ['/V1/vouchers/CODE', []],
    ['/healthz', ['GET']],
    ['/', []],
  ])('knows the methods of %s', (path, methods) => {
    expect([...index.rowsAt(path).keys()]).toEqual(methods);
  });

  it('finds a row by the url of a Fastify route, HEAD as GET', () => {
    expect(index.rowOf('HEAD', '/v1/vouchers/:anything')).toBe(rows[0]);
    expect(index.rowOf('PUT', '/v1/vouchers/:code')).toBeUndefined();
  });

  it('refuses two rows of one method and path', () => {
    const twice = [open('GET /a/{x}'), open('GET /a/{y}')];
    expect(() => new RouteIndex(twice)).toThrow('the route table has GET /a/{} twice');
  });

  test.each([
    ['/v1/x', 'server'],
    ['/v2/x', 'server'],
    ['/client/v1/x', 'client'],
    ['/management/v1/x', 'management'],
    ['/dashboard/api/x', 'dashboard'],
    ['/dashboard/x', 'open'],
    ['/x', 'open'],
  ])('puts an unknown %s into the area %s', (path, area) => {
    expect(areaOfPath(path)).toBe(area);
  });
});

describe('the table of public routes', () => {
  it('is free of contradictions', () => {
    expect(() => new RouteIndex(publicRoutes)).not.toThrow();
  });

  it('gives a scope to what tokens reach, and to nothing else', () => {
    for (const { area, scope } of publicRoutes) {
      expect(scope === null).toBe(area !== 'server' && area !== 'client');
      if (area === 'client') expect(scope).toMatch(/^client_/);
    }
  });

  it('keeps keys of repetition away from secrets', () => {
    const secret = publicRoutes
      .filter((row) => row.secret && row.area !== 'dashboard')
      .map(({ method, path }) => `${method} ${path}`);
    expect(secret).toEqual([
      'POST /v1/oauth/token',
      'POST /v1/oauth/introspect',
      'POST /v1/oauth/token/revoke',
      'POST /management/v1/projects/users/invite',
      'POST /management/v1/projects/{projectId}/keys',
      'POST /management/v1/projects/{projectId}/keys/{keyId}/rotate',
      'POST /management/v1/projects',
      'POST /management/v1/projects/{projectId}/webhook-token/rotate',
    ]);
  });

  it('takes no keys of repetition from sessions that answer a cookie', () => {
    const sessions = publicRoutes.filter(({ path }) => path.startsWith('/dashboard/api/session'));
    expect(sessions.length).toBeGreaterThan(0);
    expect(sessions.filter(({ secret }) => !secret)).toEqual([]);
  });

  it('is complete when every row has a route and every route a row', () => {
    const routes = rows.map(({ method, path }) => ({ method, url: path.replace(/\{(\w+)\}/g, ':$1') }));
    expect(() =>
      assertRoutesComplete([...routes, { method: ['GET', 'HEAD'], url: '/healthz' }], rows),
    ).not.toThrow();
    expect(() => assertRoutesComplete(routes.slice(1), rows)).toThrow(
      'rows without a route: [GET /v1/vouchers/{}]',
    );
    expect(() => assertRoutesComplete([...routes, { method: 'PUT', url: '/v1/new' }], rows)).toThrow(
      'routes without a row: [PUT /v1/new]',
    );
  });
});
