import { apiVersions } from '../api-version';
import type { RouteRow } from '../routes/route-row';
import { inlineDtoSchema } from './dto-schema';
import { takesIdempotencyKey } from './error-answers';
import type { JsonSchema } from './json-schema';

type Class = new () => object;

const reference = (name: string): JsonSchema => ({ $ref: `#/components/parameters/${name}` });

/** Headers that many routes take. */
export const headerParameters: Readonly<Record<string, JsonSchema>> = {
  ApiVersion: {
    name: 'X-Service-API-Version',
    in: 'header',
    description: 'Version of the API for this call instead of the project’s.',
    schema: { type: 'string', enum: [...apiVersions] },
  },
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    description:
      'A repetition with the same key within 24 hours gets the first answer and changes nothing. Another request under ' +
      'the key is refused.',
    schema: { type: 'string', minLength: 1, maxLength: 255 },
  },
  Origin: {
    name: 'Origin',
    in: 'header',
    required: true,
    description: 'Set by browsers; must be among the trusted domains of the project.',
    schema: { type: 'string' },
  },
};

const pathParameters = ({ path }: RouteRow): JsonSchema[] =>
  [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }));

const styleOf = (name: string, { type }: JsonSchema): JsonSchema => {
  // Lists are sent as `ids[]=a&ids[]=b`, objects as `created_at[before]=2026-03-31`.
  if (type === 'array') return { name: `${name}[]`, style: 'form', explode: true };
  // Without an example, pages fill in one with every member there can be.
  return type === 'object' ? { name, style: 'deepObject', explode: true, example: {} } : { name };
};

const queryParameters = (query: Class): JsonSchema[] => {
  const { properties, required = [] } = inlineDtoSchema(query, 'query') as {
    properties: Record<string, JsonSchema>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, { description, ...schema }]) => ({
    ...styleOf(name, schema),
    in: 'query',
    ...(description === undefined ? {} : { description }),
    ...(required.includes(name) ? { required: true } : {}),
    schema,
  }));
};

/** Everything besides the body that a call of the route may carry. */
export const parametersOf = (row: RouteRow, query: Class | null): JsonSchema[] => [
  ...pathParameters(row),
  ...(query ? queryParameters(query) : []),
  ...(row.area === 'client' ? [reference('Origin')] : []),
  ...(row.area === 'open' ? [] : [reference('ApiVersion')]),
  ...(takesIdempotencyKey(row) ? [reference('IdempotencyKey')] : []),
];
