import { Validator } from '@seriousme/openapi-schema-validator';
import { publicRoutes, type RouteRow } from '@scrip/contracts/registry';
import { type JsonSchema, openApiDocument, routesOfControllers, sdkDocument } from '@scrip/edge';
import { readFileSync } from 'node:fs';
import { allControllers } from './contexts';
import { openApiFile, openApiOfSources, sdkFile } from './openapi-file';

interface Operation {
  operationId: string;
  security: Record<string, string[]>[];
  parameters?: JsonSchema[];
  responses: Record<string, JsonSchema>;
}

/** Every schema of the document with its place. */
const schemasIn = (value: unknown, place = '', key = ''): [string, JsonSchema][] => {
  if (typeof value !== 'object' || value === null || key.startsWith('example')) return [];
  const isSchema =
    !Array.isArray(value) &&
    ['type', '$ref', 'anyOf', 'oneOf', 'allOf', 'enum', 'const'].some((keyword) => keyword in value) &&
    /\/(schemas|schema)(\/|$)/.test(place) &&
    !/\/(properties|schemas)$/.test(place);
  return [
    ...(isSchema ? [[place, value as JsonSchema] as [string, JsonSchema]] : []),
    ...Object.entries(value).flatMap(([name, one]) => schemasIn(one, `${place}/${name}`, name)),
  ];
};

const complaintsOf = (schema: JsonSchema): string[] => {
  const { type, items, enum: allowed, properties } = schema;
  const types = [type].flat().filter((one) => one !== undefined && one !== 'null');
  return [
    ...('const' in schema ? ['const'] : []),
    ...(types.length > 1 ? ['several types'] : []),
    ...(types.includes('array') && items === undefined ? ['a list without items'] : []),
    ...(Array.isArray(allowed) && types.length === 0 ? ['an enumeration without a type'] : []),
    ...(types.includes('boolean') && Array.isArray(allowed) ? ['an enumeration of truth values'] : []),
    ...(properties !== undefined && type === undefined ? ['an object without a type'] : []),
  ];
};

interface Link {
  operationId: string;
  parameters: Record<string, string>;
}

interface Response {
  $ref?: string;
  content?: Record<string, { schema: JsonSchema }>;
}

const resolved = (reference: string): unknown =>
  reference
    .slice(2)
    .split('/')
    .reduce<unknown>((value, step) => (value as Record<string, unknown>)[step], document);

/** The keys that an answer may have, by its schema. */
const keysOf = (response: Response): string[] => {
  if (response.$ref !== undefined) return keysOf(resolved(response.$ref) as Response);
  const { $ref } = response.content?.['application/json']?.schema ?? {};
  if (typeof $ref !== 'string') return [];
  const { allOf = [] } = resolved($ref) as { allOf?: { properties?: { key?: { enum?: string[] } } }[] };
  return allOf.flatMap(({ properties }) => properties?.key?.enum ?? []);
};

const committed = readFileSync(openApiFile, 'utf8');
const document = JSON.parse(committed) as { paths: Record<string, Record<string, Operation>> };

const operationOf = ({ method, path }: RouteRow): Operation | undefined =>
  document.paths[path]?.[method.toLowerCase()];

describe('libs/platform/edge/src/openapi/openapi.json', () => {
  it('is what controllers, route table and types of the wire say (npm run docs:openapi)', () => {
    expect(JSON.parse(committed)).toEqual(JSON.parse(JSON.stringify(openApiOfSources())));
  }, 120_000);

  it('has a document for generators beside it, derived from it', () => {
    expect(JSON.parse(readFileSync(sdkFile, 'utf8'))).toEqual(
      sdkDocument(JSON.parse(committed) as JsonSchema),
    );
  });

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
      expect(security.length > 0).toBe(row.area !== 'open' && !row.beginsSession);
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

  it('is built of forms that generators of clients know', () => {
    const complaints = schemasIn(document).flatMap(([place, schema]) =>
      complaintsOf(schema).map((complaint) => `${place}: ${complaint}`),
    );
    expect(complaints).toEqual([]);
  });

  it('has no object without a name: each stands among the components', () => {
    const inline = schemasIn(document)
      .filter(
        ([place, { properties }]) =>
          properties !== undefined && !/^\/components\/schemas\/\w+(\/allOf\/1)?$/.test(place),
      )
      .map(([place]) => place);
    expect(inline).toEqual([]);
  });

  it('names the keys of every failure that has keys', () => {
    const failures = publicRoutes.flatMap((row) =>
      Object.entries(operationOf(row)!.responses)
        .filter(([status]) => Number(status) >= 400 && status !== '429')
        .filter(([status]) => !(row.path === '/readyz' && status === '503'))
        .map(([status, response]) => [`${row.method} ${row.path} ${status}`, keysOf(response)] as const),
    );
    const without = failures.filter(([, keys]) => keys.length === 0).map(([place]) => place);
    // The contract wants this one without a body.
    expect(without).toEqual(['POST /v1/oauth/token/revoke 404']);
    expect(failures.length).toBeGreaterThan(300);
  });

  it('links what creates an id with what takes it', () => {
    const operations = publicRoutes.map((row) => ({ row, operation: operationOf(row)! }));
    const parametersOf = (id: string): string[] => {
      const found = operations.find(({ operation }) => operation.operationId === id);
      if (!found) throw new Error(`no operation ${id}`);
      return [...found.row.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
    };
    const links = operations
      .flatMap(({ operation }) => Object.values(operation.responses))
      .flatMap((response) => Object.values((response.links ?? {}) as Record<string, Link>));
    for (const { operationId, parameters } of links)
      expect(parametersOf(operationId)).toEqual(expect.arrayContaining(Object.keys(parameters)));
    const fed = new Set(
      links.flatMap(({ operationId, parameters }) =>
        Object.keys(parameters).map((name) => `${operationId} ${name}`),
      ),
    );
    const taken = operations.flatMap(({ operation: { operationId } }) =>
      parametersOf(operationId).map((name) => `${operationId} ${name}`),
    );
    // The caller chooses the code, a shopper brings it, the caller knows the project, and the page its parts.
    const known = (one: string): boolean =>
      /(addVoucher|createVoucherWithCode|clientSetVoucherExpiration) code| projectId|readDocsAsset/.test(one);
    expect(taken.filter((one) => !fed.has(one) && !known(one))).toEqual([]);
  });

  it('names no address but its own and those of examples', () => {
    const addresses = committed.match(/\b(https?|wss?):\/\/[^"\s/]+/g) ?? [];
    expect(addresses.filter((address) => !address.endsWith('.example.com'))).toEqual([]);
  });
});
