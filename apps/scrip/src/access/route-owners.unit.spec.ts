import { publicRoutes } from '@scrip/contracts/registry';
import { contextNameOf, routesOfControllers } from '@scrip/edge';
import { allContexts } from '@scrip/contexts';
import { controllersOf } from './controllers.fixture';

const served = allContexts.flatMap((context) =>
  controllersOf(context).flatMap((controller) =>
    routesOfControllers([controller]).map(({ route }) => ({
      route,
      name: context.name,
      said: contextNameOf(controller),
    })),
  ),
);

/** As a controller spells it. */
const routeOf = ({ method, path }: { method: string; path: string }): string =>
  `${method} ${path.replace(/\{(\w+)\}/g, ':$1')}`;

describe('a row of the route table', () => {
  it('names the context whose controller serves it, and its parameters as the controller does', () => {
    const owned = publicRoutes.filter(({ owner }) => owner !== null);
    expect(Object.fromEntries(owned.map((row) => [routeOf(row), row.owner]))).toEqual(
      Object.fromEntries(served.map(({ route, name }) => [route, name])),
    );
  });

  it('takes no Idempotency-Key where a manager names no project: rows of keys belong to one', () => {
    const unnamed = publicRoutes.filter(
      ({ area, method, path }) => area === 'management' && method === 'POST' && !path.includes('{projectId}'),
    );
    expect(unnamed.map((row) => [routeOf(row), row.secret])).toEqual([
      ['POST /management/v1/projects/users/invite', true],
      ['POST /management/v1/projects', true],
    ]);
  });

  it('asks users for the password again where a call cannot be undone, hands out or ends credentials, or gives roles', () => {
    expect(publicRoutes.filter(({ passwordAgain }) => passwordAgain).map(routeOf)).toEqual([
      'POST /management/v1/projects/:projectId/users',
      'PUT /management/v1/projects/:projectId/users/:userId',
      'POST /management/v1/projects/users/invite',
      'POST /management/v1/projects/:projectId/keys',
      'PUT /management/v1/projects/:projectId/keys/:keyId',
      'POST /management/v1/projects/:projectId/keys/:keyId/rotate',
      'DELETE /management/v1/projects/:projectId/keys/:keyId',
      'POST /management/v1/projects',
      'DELETE /management/v1/projects/:projectId',
      'POST /dashboard/api/session/second-factor',
      'DELETE /dashboard/api/session/second-factor',
      'POST /dashboard/api/session/second-factor/backup-codes',
      'POST /v1/customers/:customerId/permanent-deletion',
      'POST /management/v1/projects/:projectId/webhook-token/rotate',
      'DELETE /v1/trash-bin/:binEntryId',
    ]);
  });

  it('has no owner only where each process serves it itself', () => {
    expect(publicRoutes.filter(({ owner }) => owner === null).map(routeOf)).toEqual([
      'GET /healthz',
      'GET /readyz',
      'GET /openapi.json',
      'GET /openapi.sdk.json',
      'GET /docs',
      'GET /docs/:asset',
    ]);
  });
});

describe('a controller', () => {
  it('says that it belongs to the context whose module has it', () => {
    expect(served.map(({ route, said }) => [route, said])).toEqual(
      served.map(({ route, name }) => [route, name]),
    );
  });
});
