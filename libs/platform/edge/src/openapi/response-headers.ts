import { oneTimePasswordHeader, storedOrderHeader } from '../response-headers';
import { ignoredHeader } from '../unknown-names/ignored-header';
import type { JsonSchema } from './json-schema';

const integer = (description: string): JsonSchema => ({ description, schema: { type: 'integer' } });

/** What answers tell of the caller's bucket and of names that were ignored. Source: reference 07 §1.1, §1.6. */
export const responseHeaders: Readonly<Record<string, JsonSchema>> = {
  'X-Rate-Limit-Limit': integer('Calls that the tightest limit admits in its time.'),
  'X-Rate-Limit-Remaining': integer('Calls that are left of them.'),
  'X-Rate-Limit-Retry': integer('Unix seconds of the next call that is allowed.'),
  'X-Rate-Limit-Type': {
    description: 'The bucket that is empty; only then.',
    schema: {
      type: 'string',
      enum: ['api_calls', 'bulk_api_calls', 'api_calls_cycle', 'webhook_calls', 'client_api_calls'],
    },
  },
  'Retry-After': integer('Seconds to wait.'),
  [ignoredHeader]: {
    description:
      'Names in the body (`order.ammount`) and the query (`?limt`) that the call ignored; only then.',
    schema: { type: 'string' },
  },
  [storedOrderHeader]: {
    description:
      'Id of the stored order that counted instead of the one that was sent, because it has its `source_id`; only then.',
    schema: { type: 'string' },
  },
  [oneTimePasswordHeader]: {
    description: 'Password for the first sign-in, which has to change it. It is shown this once.',
    schema: { type: 'string' },
  },
  Allow: { description: 'The methods that the path has.', schema: { type: 'string' } },
};

const told = (names: readonly string[]): JsonSchema =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));

const always = ['X-Rate-Limit-Limit', 'X-Rate-Limit-Remaining', 'X-Rate-Limit-Retry'];

/** Statuses of calls whose body and query were looked at. */
const isAboutTheInput = (status: number): boolean => status < 300 || [400, 404, 409].includes(status);

/** The headers of an answer with `status` on a route that counts calls; `own`: header of the operation itself. */
export const headersOf = (status: number, own?: string): JsonSchema => {
  if (status < 300 && own !== undefined) return { ...headersOf(status), ...told([own]) };
  if (status === 405) return told([...always, 'Allow']);
  // Refused before the caller is known.
  if (status === 401 || status === 408 || status === 431) return {};
  if (status === 429) return told([...always, 'X-Rate-Limit-Type', 'Retry-After']);
  if (status === 503) return told([...always, 'Retry-After']);
  return told(isAboutTheInput(status) ? [...always, ignoredHeader] : always);
};
