import { EdgeFailure, filterLimits, type JsonSchema, readInput, routesOfControllers } from '@scrip/edge';
import { nearSchema, widened } from '@scrip/edge/testing';
import { rounds } from '@scrip/testing';
import Ajv2020 from 'ajv/dist/2020';
import fc from 'fast-check';
import { readFileSync } from 'node:fs';
import { allControllers } from './contexts';
import { openApiFile } from './openapi-file';

interface Parameter {
  in: string;
  name: string;
  required?: boolean;
  schema: JsonSchema;
}

interface Document {
  paths: Record<string, Record<string, { parameters?: Parameter[] }>>;
  components: { schemas: Record<string, JsonSchema> };
}

const document = JSON.parse(readFileSync(openApiFile, 'utf8')) as Document;
const ajv = new Ajv2020({ strict: false });
ajv.addSchema({ ...widened(document as unknown as JsonSchema), $id: 'openapi' });
const coercing = new Ajv2020({ strict: false, coerceTypes: true });

const resolve = ({ $ref }: JsonSchema): JsonSchema =>
  document.components.schemas[String($ref).split('/').at(-1) ?? ''] ?? {};

/** Their handlers read these themselves, after the pipe. */
const readByHandlers: Readonly<Record<string, readonly string[]>> = {
  WebhookBody: ['headers', 'events'],
  StackingRulesBody: ['applicable_redeemables_category_limits'],
  MetadataSchemaBody: ['properties'],
  MetadataSchemaChangeBody: ['properties'],
  ManagedMetadataSchemaBody: ['properties'],
  ManagedMetadataSchemaChangeBody: ['properties'],
  InviteUserBody: ['projects'],
  LocationBody: ['shape'],
  LocationChangeBody: ['shape'],
  EventSchemaBody: ['schema'],
  EventSchemaChangeBody: ['schema'],
  // Its values are counted together, over all fields and operators.
  CreateSegmentBody: ['filter'],
  UpdateSegmentBody: ['filter'],
  CreateCollectionBody: ['filter'],
  UpdateCollectionBody: ['filter'],
  'GET /v1/redemptions': ['result'],
  // Read as the body of POST /v1/publications.
  'GET /v1/publications/create': ['campaign', 'customer', 'metadata'],
  'GET /client/v1/validate': [
    ...['amount', 'item', 'customer', 'metadata', 'order'],
    ...['session_key', 'session_type', 'session_ttl', 'session_ttl_unit'],
  ],
};

/** Good values of those that are required. */
const given: Readonly<Record<string, object>> = {
  WebhookBody: { events: ['*'] },
  EventSchemaBody: { schema: { properties: {} } },
  LocationBody: {
    shape: { type: 'circle', format: 'distance', distance: { center: '0,0', radius: '1 km' } },
  },
  InviteUserBody: { projects: { proj_1: 'USER' } },
  MetadataSchemaBody: { properties: {} },
  ManagedMetadataSchemaBody: { properties: {} },
};

const bodies = [
  ...new Map(routesOfControllers(allControllers()).map(({ body }) => [body?.name ?? '', body])).values(),
].filter((body) => body !== null);

const readByPipe = (name: string): JsonSchema => {
  const schema = document.components.schemas[name]!;
  const properties = { ...(schema.properties as Record<string, JsonSchema>) };
  for (const property of readByHandlers[name] ?? []) delete properties[property];
  const required = ((schema.required ?? []) as string[]).filter((property) => property in properties);
  return { ...schema, properties, required };
};

const withGiven = (name: string, value: unknown): unknown =>
  isObject(value) ? { ...(value as object), ...given[name] } : value;

const isRead = (dto: new () => object, value: unknown, source: 'body' | 'query'): boolean => {
  try {
    readInput(dto, value, source);
    return true;
  } catch (error) {
    if (error instanceof EdgeFailure) return false;
    throw error;
  }
};

/** Operations with a query class, and the parameters that the document tells for them. */
const queries = routesOfControllers(allControllers()).flatMap(({ route, query }) => {
  const [method = '', url = ''] = route.split(' ');
  const path = url.replace(/:(\w+)/g, '{$1}');
  const parameters = document.paths[path]?.[method.toLowerCase()]?.parameters ?? [];
  const sent = parameters.filter(
    (one) => one.in === 'query' && !readByHandlers[route]?.includes(one.name.replace('[]', '')),
  );
  return query ? [[route, { query, parameters: sent }] as const] : [];
});

const querySchema = (parameters: readonly Parameter[]): JsonSchema => ({
  type: 'object',
  properties: Object.fromEntries(parameters.map(({ name, schema }) => [name.replace('[]', ''), schema])),
  required: parameters.filter(({ required }) => required).map(({ name }) => name.replace('[]', '')),
});

// As parts of one schema, to which their references point: compiled alone, each would have all components checked again.
coercing.addSchema({
  $id: 'openapi',
  components: widened(document.components as unknown as JsonSchema),
  queries: Object.fromEntries(
    queries.map(([, { parameters }], index) => [index, widened(querySchema(parameters))]),
  ),
});

const isObject = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A value without what no query can have: null, what is empty but a text, and lists of anything but texts. */
const sendable = (value: unknown): unknown => {
  if (Array.isArray(value)) {
    const texts = value.map(sendable).filter((one) => one !== undefined && !isObject(one));
    return texts.length > 0 ? texts : undefined;
  }
  if (!isObject(value)) return value ?? undefined;
  const members = Object.entries(value as object)
    .map(([name, one]) => [name, sendable(one)] as const)
    .filter(([, one]) => one !== undefined);
  return members.length > 0 ? Object.fromEntries(members) : undefined;
};

/** Everything in a query is text. */
const asTexts = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(asTexts);
  if (typeof value !== 'object' || value === null) return String(value);
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, asTexts(one)]));
};

/** How many values the filters of a query have over all fields, of which no schema can say that they are too many. */
const valuesTogether = (query: unknown): number => {
  const texts = (value: unknown): number =>
    isObject(value) || Array.isArray(value)
      ? Object.values(value as object).reduce<number>((sum, one) => sum + texts(one), 0)
      : 1;
  return texts((query as { filters?: object }).filters ?? {});
};

/** Fails where the document and the validation differ. Calls `expect` only then: comparing every value with itself took most of the
 *  time. */
const expectSame = (admitted: boolean, read: boolean, value: unknown): void => {
  if (admitted !== read) expect({ value, admitted }).toEqual({ value, admitted: read });
};

describe('document and validation agree', () => {
  it.each(bodies.map((body) => [body.name, body] as const))(
    'on what a %s is',
    (name, body) => {
      const validate = ajv.compile({ $ref: `openapi#/components/schemas/${name}` });
      const seen = { read: 0, refused: 0 };
      fc.assert(
        fc.property(nearSchema(readByPipe(name), resolve), (near) => {
          const value = withGiven(name, near);
          const read = isRead(body, value, 'body');
          seen[read ? 'read' : 'refused'] += 1;
          expectSame(validate(value), read, value);
        }),
        { numRuns: Math.max(75, rounds(400)), seed: 4, endOnFailure: true },
      );
      // Otherwise nothing was compared.
      expect(Math.min(seen.read, seen.refused)).toBeGreaterThan(1);
    },
    120_000,
  );

  it.each(queries.map(([route, read], index) => [route, { ...read, index }] as const))(
    'on what a query of %s is',
    (_, { query, parameters, index }) => {
      const schema = querySchema(parameters);
      const validate = coercing.compile({ $ref: `openapi#/queries/${index}` });
      const seen = { read: 0, refused: 0 };
      fc.assert(
        fc.property(nearSchema(schema, resolve), (value) => {
          const sent = asTexts(isObject(value) ? (sendable(value) ?? {}) : {}) as object;
          fc.pre(valuesTogether(sent) <= filterLimits.values);
          const read = isRead(query, sent, 'query');
          seen[read ? 'read' : 'refused'] += 1;
          expectSame(validate(structuredClone(sent)), read, sent);
        }),
        { numRuns: parameters.length < 3 ? 300 : Math.max(60, rounds(300)), seed: 4, endOnFailure: true },
      );
      expect(Math.min(seen.read, seen.refused)).toBeGreaterThan(1);
    },
    120_000,
  );
});
