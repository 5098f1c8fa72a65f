import type { RequestContext } from '@scrip/kernel';
import type { FastifyRequest } from 'fastify';
import { createHash } from 'node:crypto';
import { EdgeFailure } from '../failure/failure';
import { failures } from '../failure/failures';
import { edgeOf } from '../request/edge-request';

const longestKey = 255;

/** The Idempotency-Key that counts for a request: on each POST of the table but the token endpoints and calls that
 *  answer a secret; else null. Throws `EdgeFailure` (400) for an empty or overlong one. Source: architecture §8. */
export const idempotencyKeyOf = (request: FastifyRequest): string | null => {
  const header = request.headers['idempotency-key'];
  const { row } = edgeOf(request);
  if (header === undefined || row?.method !== 'POST' || row.secret) return null;
  const key = Array.isArray(header) ? (header[0] ?? '') : header;
  if (key.length === 0 || key.length > longestKey) {
    throw new EdgeFailure(
      failures.invalidPayload(`Header Idempotency-Key should have 1 to ${longestKey} characters`),
    );
  }
  return key;
};

/** The name of a key row: an Idempotency-Key belongs to the channel and the API key or user that sent it, so that no caller can
 *  take or read another's. A token counts as the key that issued it. Neither part before the last holds a blank. */
export const callersKey = ({ channel, apiKey, user }: RequestContext, key: string): string =>
  `${channel} ${apiKey?.id ?? user?.id ?? '-'} ${key}`;

/** What a repetition must share with the first request: method, target and body. */
export const fingerprintOf = ({ method, url, body }: FastifyRequest): string =>
  createHash('sha256')
    .update(JSON.stringify([method, url, body ?? null]))
    .digest('hex');
