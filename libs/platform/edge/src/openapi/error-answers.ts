import type { RefusalTable } from '../failure/refusals';
import type { RouteRow } from '@scrip/contracts/registry';
import type { JsonSchema } from './json-schema';

/** The one shape of failures. Source: reference 07 §1.3. */
export const errorSchema: JsonSchema = {
  type: 'object',
  description: 'What went wrong. 429 has `code` and `message` only.',
  properties: {
    code: { type: 'integer', description: 'The HTTP status.' },
    key: { type: 'string', description: 'What went wrong, for programs.' },
    message: { type: 'string', description: 'What went wrong, for people.' },
    details: { type: 'string', description: 'Where and why.' },
    request_id: { type: 'string', description: 'Id of the request, as logs and events know it.' },
    redemption: {
      type: 'object',
      description: 'Of `quantity_exceeded`: how many uses there are, and how many are taken.',
      properties: {
        quantity: { type: 'integer' },
        redeemed_quantity: { type: 'integer' },
      },
      required: ['quantity', 'redeemed_quantity'],
    },
    resource_id: { type: 'string' },
    resource_type: { type: 'string' },
    related_object_ids: { type: 'array', items: { type: 'string' } },
    related_object_type: { type: 'string' },
  },
  required: ['code', 'message'],
  additionalProperties: true,
};

/** Of 429. */
const keylessErrorSchema: JsonSchema = {
  type: 'object',
  properties: { code: { type: 'integer' }, message: { type: 'string' } },
  required: ['code', 'message'],
};

/** Whether an Idempotency-Key counts on a route. Source: architecture §8. */
export const takesIdempotencyKey = (row: RouteRow): boolean =>
  row.method === 'POST' && !row.secret && row.area !== 'open';

const meanings: Readonly<Record<number, string>> = {
  400: 'The request is wrong, or the state forbids it',
  401: 'Credentials are missing, wrong, blocked or expired',
  402: 'The installation has a feature of the call switched off',
  403: 'The credentials do not reach this call',
  404: 'Something that the path or the body names does not exist',
  405: 'The path has no such method; `Allow` names those that it has',
  406: '`Accept` admits no offered type',
  408: 'The request did not arrive in time',
  409: 'Something else stands in the way',
  413: 'The body is too large',
  415: 'The body has a type that is not read here',
  422: 'The Idempotency-Key was used with another request',
  429: 'Too many requests; `Retry-After` tells how many seconds to wait',
  431: 'The headers are too large',
  500: 'A defect of the server',
  503: 'A part that the call needs does not answer; repeat it with the same Idempotency-Key',
};

/** A failure of an operation: what it means, and the keys that programs tell its causes apart by. */
export interface ErrorAnswer {
  description: string;
  keys: readonly string[];
}

const errorAnswer = (status: number, keys: readonly string[]): ErrorAnswer => {
  const meaning = meanings[status] ?? 'The call failed';
  const description = keys.length > 0 ? `${meaning}: ${keys.map((key) => `\`${key}\``).join(', ')}` : meaning;
  return { description, keys };
};

/** Answered before the server knows which operation is meant. */
const beforeRouting = [
  [408, 'request_timeout'],
  [431, 'request_headers_too_large'],
] as const;

const keysOfTheEdge = (row: RouteRow, reads: Reads): readonly (readonly [number, string | null])[] => {
  if (row.area === 'open') {
    return [
      ...beforeRouting,
      [405, 'method_not_allowed'],
      ...(reads.query ? [[400, 'invalid_query_params'] as const] : []),
      ...(row.path.includes('{') ? [[404, 'not_found'] as const] : []),
    ];
  }
  return [
    ...beforeRouting,
    [400, 'unsupported_api_version'],
    ...(reads.query ? [[400, 'invalid_query_params'] as const] : []),
    ...(reads.pages ? [[400, 'page_over_limit'] as const] : []),
    ...(reads.body || takesIdempotencyKey(row) ? [[400, 'invalid_payload'] as const] : []),
    [401, 'unauthorized'],
    ...(row.feature === null ? [] : [[402, 'missing_required_feature'] as const]),
    [403, 'missing_required_permission'],
    [403, 'forbidden'],
    ...(row.integrationKeysOnly ? [[403, 'integration_api_key_required'] as const] : []),
    // Deletions that read a query can be forced.
    ...(row.passwordAgain || (row.method === 'DELETE' && reads.query)
      ? [[403, 'password_required'] as const]
      : []),
    ...(row.path.includes('{') ? [[404, 'not_found'] as const] : []),
    [405, 'method_not_allowed'],
    [406, 'not_acceptable'],
    ...(takesIdempotencyKey(row)
      ? [[409, 'idempotency_key_in_use'] as const, [422, 'idempotency_key_reused'] as const]
      : []),
    ...(row.method === 'POST' || row.method === 'PUT'
      ? [[413, 'query_too_large'] as const, [415, 'unsupported_media_type'] as const]
      : []),
    [429, null],
    [500, 'internal_error'],
    [503, 'service_unavailable'],
  ];
};

/** What a route reads besides its path; `pages`: a list by pages. */
export interface Reads {
  body: boolean;
  query: boolean;
  pages: boolean;
}

/** A route's failures by status. */
export const errorAnswers = (
  row: RouteRow,
  reads: Reads,
  refusals: RefusalTable,
): ReadonlyMap<number, ErrorAnswer> => {
  const keys = new Map<number, Set<string>>();
  const told = [
    ...keysOfTheEdge(row, reads),
    ...Object.entries(refusals).map(([key, { status }]) => [status, key] as const),
  ];
  for (const [status, key] of told) {
    const known = keys.get(status) ?? new Set<string>();
    if (key !== null) known.add(key);
    keys.set(status, known);
  }
  return new Map(
    [...keys]
      .sort(([left], [right]) => left - right)
      .map(([status, known]) => [status, errorAnswer(status, [...known])]),
  );
};

/** Failures that have no keys of a route's own, wherever they occur. */
export const commonErrors: ReadonlyMap<number, ErrorAnswer> = new Map(
  (
    [
      [401, ['unauthorized']],
      [403, ['missing_required_permission', 'forbidden']],
      [405, ['method_not_allowed']],
      [406, ['not_acceptable']],
      [408, ['request_timeout']],
      [413, ['query_too_large']],
      [415, ['unsupported_media_type']],
      [422, ['idempotency_key_reused']],
      [429, []],
      [431, ['request_headers_too_large']],
      [500, ['internal_error']],
      [503, ['service_unavailable']],
    ] as const
  ).map(([status, keys]) => [status, errorAnswer(status, keys)]),
);

/** The shape of failures with one of `keys`. */
export const errorSchemaOf = (keys: readonly string[]): JsonSchema =>
  keys.length === 0
    ? keylessErrorSchema
    : {
        allOf: [
          { $ref: '#/components/schemas/Error' },
          {
            type: 'object',
            properties: { key: { type: 'string', enum: [...keys] } },
            required: ['key'],
            additionalProperties: true,
          },
        ],
      };
