import { apiVersions } from '../request/api-version';
import type { RouteRow } from '@scrip/contracts/registry';
import { strictHandling } from '../unknown-names/check-names';
import { inlineDtoSchema } from './dto-schema';
import { takesIdempotencyKey } from './error-answers';
import type { JsonSchema } from './json-schema';
import { type NamedSchemas, typeNameOf } from './named-schemas';

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
      'A repetition with the same key within 24 hours gets the first answer and changes nothing; after 503 and ' +
      '`multiple_requests` it is tried again. Another request under the key is refused.',
    schema: { type: 'string', minLength: 1, maxLength: 255 },
  },
  Prefer: {
    name: 'Prefer',
    in: 'header',
    description:
      'Refuses names in bodies and queries that the call does not know, with 400 and the name that was probably meant. ' +
      'Otherwise they are ignored, and listed in `X-Scrip-Ignored`.',
    schema: { type: 'string', enum: [strictHandling] },
  },
  Dashboard: {
    name: 'X-Scrip-Dashboard',
    in: 'header',
    required: true,
    description: 'Sent with every call that has a session: pages of other origins cannot send it.',
    schema: { type: 'string', enum: ['1'] },
  },
  Origin: {
    name: 'Origin',
    in: 'header',
    required: true,
    description: 'Set by browsers; must be among the trusted domains of the project.',
    schema: { type: 'string' },
  },
};

/** Source: reference 07 §8. */
const codeSpelling = 'A code; case-sensitive unless the project was made with `case_sensitive_codes: false`.';

const pathParameters = ({ path }: RouteRow, examples: Readonly<Record<string, string>>): JsonSchema[] =>
  [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    description: name === 'code' ? codeSpelling : 'Case-sensitive.',
    schema: { type: 'string' },
    ...(examples[name] === undefined ? {} : { example: examples[name] }),
  }));

const styleOf = (name: string, { type }: JsonSchema): JsonSchema => {
  // Lists are sent as `ids[]=a&ids[]=b`, objects as `created_at[before]=2026-03-31`.
  if (type === 'array') return { name: `${name}[]`, style: 'form', explode: true };
  // Without an example, pages fill in one with every member there can be.
  return type === 'object' ? { name, style: 'deepObject', explode: true, example: {} } : { name };
};

/** Where schemas of parameters are put, under names that begin with `typeName`. */
interface Naming {
  typeName: string;
  /** Values for parameters of the path. */
  pathExample: Readonly<Record<string, string>>;
  schemas: NamedSchemas;
}

const queryParameters = (query: Class, { typeName, schemas }: Naming): JsonSchema[] => {
  const { properties, required = [] } = inlineDtoSchema(query, 'query') as {
    properties: Record<string, JsonSchema>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, { description, ...schema }]) => ({
    ...styleOf(name, schema),
    in: 'query',
    ...(description === undefined ? {} : { description }),
    ...(required.includes(name) ? { required: true } : {}),
    schema: schemas.refer(schema, `${typeName}${typeNameOf(name)}`),
  }));
};

/** Everything besides the body that a call of the route may carry. */
export const parametersOf = (row: RouteRow, query: Class | null, naming: Naming): JsonSchema[] => [
  ...pathParameters(row, naming.pathExample),
  ...(query ? queryParameters(query, naming) : []),
  ...(row.area === 'client' ? [reference('Origin')] : []),
  ...(row.area === 'dashboard' ? [reference('Dashboard')] : []),
  ...(row.area === 'open' ? [] : [reference('ApiVersion'), reference('Prefer')]),
  ...(takesIdempotencyKey(row) ? [reference('IdempotencyKey')] : []),
];
