import type { RequestContext } from '@scrip/kernel';
import type { FastifyRequest } from 'fastify';
import { createHash } from 'node:crypto';
import { EdgeFailure } from '../failure/failure';
import { failures } from '../failure/failures';
import { portionsOfList } from '../media/large-json';
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

/** What a repetition must share with the first request: the SHA-256 of the JSON `[method, target, body]`, as hex. Of a large list it is
 *  made by portions. */
export const fingerprintOf = async ({ method, url, body }: FastifyRequest): Promise<string> => {
  const hash = createHash('sha256');
  if (!Array.isArray(body) || body.length === 0)
    return hash.update(JSON.stringify([method, url, body ?? null])).digest('hex');
  hash.update(JSON.stringify([method, url]).slice(0, -1));
  let before = ',[';
  for await (const { elements } of portionsOfList(body as unknown[])) {
    if (elements.length === 0) continue;
    hash.update(`${before}${JSON.stringify(elements).slice(1, -1)}`);
    before = ',';
  }
  return hash.update(']]').digest('hex');
};
