import { Validator } from '@seriousme/openapi-schema-validator';
import {
  type JsonSchema,
  openApiDocument,
  publicRoutes,
  type RouteRow,
  routesOfControllers,
} from '@scrip/edge';
import { readFileSync } from 'node:fs';
import { allControllers } from './contexts';
import { openApiFile, openApiOfSources } from './openapi-file';

interface Operation {
  operationId: string;
  security: Record<string, string[]>[];
  parameters?: JsonSchema[];
  responses: Record<string, JsonSchema>;
}

const committed = readFileSync(openApiFile, 'utf8');
const document = JSON.parse(committed) as { paths: Record<string, Record<string, Operation>> };

const operationOf = ({ method, path }: RouteRow): Operation | undefined =>
  document.paths[path]?.[method.toLowerCase()];

describe('libs/edge/src/openapi/openapi.json', () => {
  it('is what controllers, route table and types of the wire say (npm run docs:openapi)', () => {
    expect(JSON.parse(committed)).toEqual(JSON.parse(JSON.stringify(openApiOfSources())));
  }, 120_000);

  it('is valid OpenAPI 3.1', async () => {
    const validator = new Validator();
    expect(await validator.validate(JSON.parse(committed) as Record<string, unknown>)).toEqual({
      valid: true,
    });
    expect(validator.version).toBe('3.1');
  });

  it('has an operation for every row of the route table, and no other', () => {
    const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    );
    expect(operations.sort()).toEqual(publicRoutes.map(({ method, path }) => `${method} ${path}`).sort());
  });

  it('refuses a route without a description', () => {
    const routes = [...publicRoutes, { ...publicRoutes[0]!, path: '/v1/nothing' }];
    const described = routesOfControllers(allControllers());
    expect(() => openApiDocument(routes, described, {})).toThrow(
      'routes without @Operation: POST /v1/nothing',
    );
  });

  it('gives each operation a name of its own', () => {
    const ids = publicRoutes.map((row) => operationOf(row)?.operationId);
    expect(new Set(ids).size).toBe(publicRoutes.length);
  });

  it.each(publicRoutes.map((row) => [`${row.method} ${row.path}`, row] as const))(
    '%s names its credentials, scope, key of repetition and failures',
    (_, row) => {
      const { security, parameters = [], responses } = operationOf(row)!;
      const references = parameters.map(({ $ref }) => $ref);
      expect(security.length > 0).toBe(row.area !== 'open');
      expect(security.flatMap(({ accessToken }) => accessToken ?? [])).toEqual(
        row.scope === null ? [] : [row.scope],
      );
      expect(references.includes('#/components/parameters/IdempotencyKey')).toBe(
        row.method === 'POST' && !row.secret,
      );
      expect(references.includes('#/components/parameters/ApiVersion')).toBe(row.area !== 'open');
      for (const status of row.area === 'open' ? [] : ['401', '403', '429', '500', '503'])
        expect(Object.keys(responses)).toContain(status);
    },
  );

  it('names no address but its own and those of examples', () => {
    const addresses = committed.match(/\b(https?|wss?):\/\/[^"\s/]+/g) ?? [];
    expect(addresses.filter((address) => !address.endsWith('.example.com'))).toEqual([]);
  });
});
