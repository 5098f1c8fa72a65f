import type { JsonSchema } from './json-schema';

const integer = (description: string): JsonSchema => ({ description, schema: { type: 'integer' } });

/** What answers tell of the caller's bucket. Source: spec 07 §1.6. */
export const rateLimitHeaders: Readonly<Record<string, JsonSchema>> = {
  'X-Rate-Limit-Limit': integer('Calls that the tightest limit admits in its time.'),
  'X-Rate-Limit-Remaining': integer('Calls that are left of them.'),
  'X-Rate-Limit-Retry': integer('Unix seconds of the next call that is allowed.'),
  'X-Rate-Limit-Type': {
    description: 'The bucket that is empty; only then.',
    schema: { type: 'string', enum: ['api_calls', 'bulk_api_calls', 'client_api_calls'] },
  },
  'Retry-After': integer('Seconds to wait.'),
};

const told = (names: readonly string[]): JsonSchema =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));

const always = ['X-Rate-Limit-Limit', 'X-Rate-Limit-Remaining', 'X-Rate-Limit-Retry'];

/** The headers of an answer with `status` on a route that counts calls. */
export const headersOf = (status: number): JsonSchema => {
  if (status === 401) return {};
  if (status === 429) return told([...always, 'X-Rate-Limit-Type', 'Retry-After']);
  return told(status === 503 ? [...always, 'Retry-After'] : always);
};
