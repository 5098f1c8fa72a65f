import type { RefusalTable } from '../failure/refusals';
import type { RouteRow } from '../routes/route-row';
import type { JsonSchema } from './json-schema';

/** The one shape of failures. Source: spec 07 §1.3. */
export const errorSchema: JsonSchema = {
  type: 'object',
  description: 'What went wrong. 429 has `code` and `message` only; 405 has no `key`.',
  properties: {
    code: { type: 'integer', description: 'The HTTP status.' },
    key: { type: 'string', description: 'What went wrong, for programs.' },
    message: { type: 'string', description: 'What went wrong, for people.' },
    details: { type: 'string', description: 'Where and why.' },
    request_id: { type: 'string', description: 'Id of the request, as logs and events know it.' },
    resource_id: { type: 'string' },
    resource_type: { type: 'string' },
    related_object_ids: { type: 'array', items: { type: 'string' } },
    related_object_type: { type: 'string' },
  },
  required: ['code', 'message'],
  additionalProperties: true,
};

/** Whether an Idempotency-Key counts on a route. Source: architecture §8. */
export const takesIdempotencyKey = (row: RouteRow): boolean =>
  row.method === 'POST' && !row.secret && row.area !== 'open';

const meanings: Readonly<Record<number, string>> = {
  400: 'The request is wrong, or the state forbids it',
  401: 'Credentials are missing, wrong, blocked or expired',
  403: 'The credentials do not reach this call',
  404: 'Something that the path or the body names does not exist',
  406: '`Accept` admits no offered type',
  409: 'Something else stands in the way',
  413: 'The body is too large',
  415: 'The body has a type that is not read here',
  422: 'The Idempotency-Key was used with another request',
  429: 'Too many requests; `Retry-After` tells how many seconds to wait',
  500: 'A defect of the server',
  503: 'A part that the call needs does not answer; repeat it with the same Idempotency-Key',
};

const sentence = (status: number, keys: readonly string[]): string => {
  const meaning = meanings[status] ?? 'The call failed';
  return keys.length > 0 ? `${meaning}: ${keys.map((key) => `\`${key}\``).join(', ')}` : meaning;
};

const keysOfTheEdge = (
  row: RouteRow,
  reads: { body: boolean; query: boolean },
): readonly (readonly [number, string | null])[] => {
  if (row.area === 'open') {
    return [
      ...(reads.query ? [[400, 'invalid_query_params'] as const] : []),
      ...(row.path.includes('{') ? [[404, 'not_found'] as const] : []),
    ];
  }
  return [
    [400, 'unsupported_api_version'],
    ...(reads.query ? [[400, 'invalid_query_params'] as const] : []),
    ...(reads.body || takesIdempotencyKey(row) ? [[400, 'invalid_payload'] as const] : []),
    [401, 'unauthorized'],
    [403, 'missing_required_permission'],
    [403, 'forbidden'],
    ...(row.path.includes('{') ? [[404, 'not_found'] as const] : []),
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

/** Descriptions of a route's failures by status, each with the keys that programs tell them apart by. */
export const errorAnswers = (
  row: RouteRow,
  reads: { body: boolean; query: boolean },
  refusals: RefusalTable,
): ReadonlyMap<number, string> => {
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
      .map(([status, known]) => [status, sentence(status, [...known])]),
  );
};

/** Failures that have no keys of a route's own, wherever they occur. */
export const commonErrors: ReadonlyMap<number, string> = new Map(
  (
    [
      [401, ['unauthorized']],
      [403, ['missing_required_permission', 'forbidden']],
      [406, ['not_acceptable']],
      [413, ['query_too_large']],
      [415, ['unsupported_media_type']],
      [422, ['idempotency_key_reused']],
      [429, []],
      [500, ['internal_error']],
      [503, ['service_unavailable']],
    ] as const
  ).map(([status, keys]) => [status, sentence(status, keys)]),
);
