import { bodyLimitBytes } from '@scrip/contracts/registry';
import { missingFeature, refuse } from '@scrip/kernel';
import type { Failure } from './failure';
import { failureOfRefusal } from './refusals';

const rejected =
  'Cannot authenticate with the given credentials: they are wrong, blocked or expired, or not admitted from this address';

/** Every failure the edge itself answers, with the texts of reference 07 §1.3. */
export const failures = {
  invalidPayload: (details: string): Failure => ({
    status: 400,
    key: 'invalid_payload',
    message: 'Invalid payload',
    details,
  }),
  invalidQuery: (details: string): Failure => ({
    status: 400,
    key: 'invalid_query_params',
    message: 'Invalid query params',
    details,
  }),
  pageOverLimit: (highestPage: number): Failure => ({
    status: 400,
    key: 'page_over_limit',
    message: `Listing resource above ${highestPage} page is not supported`,
    details: `Property .page cannot be higher than ${highestPage}`,
  }),
  unsupportedVersion: (version: string, known: readonly string[]): Failure => ({
    status: 400,
    key: 'unsupported_api_version',
    message: 'Unsupported API version',
    details: `API version ${version} is not supported. Supported versions: ${known.join(', ')}`,
  }),
  malformedJson: (place = ''): Failure => ({
    status: 400,
    key: 'invalid_payload',
    message: 'Invalid payload',
    details: `Invalid request payload JSON format${place}`,
    extra: { statusCode: 400, error: 'Bad Request' },
  }),
  unauthorized: (details = rejected): Failure => ({
    status: 401,
    key: 'unauthorized',
    message: 'Unauthorized',
    details,
  }),
  missingPermission: (lacking = ''): Failure => ({
    status: 403,
    key: 'missing_required_permission',
    message: 'Missing permission',
    details: `User does not have a required permission to perform this operation. ${lacking}`.trimEnd(),
  }),
  integrationKeyRequired: (): Failure => ({
    status: 403,
    key: 'integration_api_key_required',
    message: 'Forbidden',
    details: 'This call needs an integration API key',
  }),
  missingFeature: (): Failure => failureOfRefusal(missingFeature()),
  passwordAgain: (): Failure =>
    failureOfRefusal(
      refuse(
        'password_required',
        'Enter the password again: POST /dashboard/api/session/password-again is good for 10 minutes',
      ),
    ),
  forbidden: (details: string): Failure => ({ status: 403, key: 'forbidden', message: 'Forbidden', details }),
  unknownRoute: (asked?: { method: string; url: string }): Failure => ({
    status: 404,
    key: 'not_found',
    message: 'Resource not found',
    details: `Cannot find the requested endpoint${asked ? `: ${asked.method} ${shown(asked.url)}` : ''}`,
  }),
  methodNotAllowed: (method: string, allowed: readonly string[]): Failure => ({
    status: 405,
    key: 'method_not_allowed',
    message: 'HTTP Method Not Allowed',
    details: `${method} is not supported by this endpoint. Did you mean ${inWords(allowed)}?`,
    headers: { Allow: allowed.flatMap(withHead).join(', ') },
  }),
  notAcceptable: (offered: readonly string[]): Failure => ({
    status: 406,
    key: 'not_acceptable',
    message: 'Not Acceptable',
    details: `The response is available as ${inWords(offered)}`,
  }),
  keyInFlight: (): Failure =>
    failureOfRefusal(
      refuse('idempotency_key_in_use', 'A request with this Idempotency-Key is still being processed'),
    ),
  keyReused: (): Failure => ({
    status: 422,
    key: 'idempotency_key_reused',
    message: 'Idempotency key reused',
    details: 'This Idempotency-Key was used with another request. Use a new key for a new request.',
  }),
  tooLarge: (limitBytes: number = bodyLimitBytes): Failure => ({
    status: 413,
    key: 'query_too_large',
    message: `Payload content length greater than maximum allowed: ${limitBytes}`,
    extra: { statusCode: 413, error: 'Request Entity Too Large' },
  }),
  unsupportedMediaType: (accepted: string): Failure => ({
    status: 415,
    key: 'unsupported_media_type',
    message: 'Unsupported Media Type',
    details: `The request body must be ${accepted}`,
  }),
  tooManyRequests: (retryAfterS?: number): Failure => ({
    status: 429,
    message: 'Too many requests hit the API too quickly.',
    ...(retryAfterS === undefined ? {} : { headers: { 'Retry-After': String(retryAfterS) } }),
  }),
  headersTooLarge: (): Failure => ({
    status: 431,
    key: 'request_headers_too_large',
    message: 'Request Header Fields Too Large',
  }),
  malformedRequest: (): Failure => ({
    status: 400,
    key: 'invalid_payload',
    message: 'Invalid payload',
    details: 'Malformed HTTP request',
  }),
  requestTimeout: (): Failure => ({ status: 408, key: 'request_timeout', message: 'Request Timeout' }),
  internalError: (): Failure => ({ status: 500, key: 'internal_error', message: 'Internal Server Error' }),
  unavailable: (details: string, retryAfterS = 1): Failure => ({
    status: 503,
    key: 'service_unavailable',
    message: 'Service Unavailable',
    details,
    headers: { 'Retry-After': String(retryAfterS) },
  }),
};

// HEAD is answered wherever GET is.
const withHead = (method: string): string[] => (method === 'GET' ? ['GET', 'HEAD'] : [method]);

const longestPath = 200;

/** The path of a request target, bounded; its query may hold what logs must not. */
const shown = (url: string): string => {
  const [path = ''] = url.split('?', 1);
  return path.length > longestPath ? `${path.slice(0, longestPath)}...` : path;
};

const inWords = (words: readonly string[]): string =>
  words.length < 2 ? (words[0] ?? '') : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`;
