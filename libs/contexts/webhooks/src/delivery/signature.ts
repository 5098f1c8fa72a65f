import { createHmac } from 'node:crypto';
import { Webhook } from 'standardwebhooks';

/** Returns the headers that prove the sender of `body` and identify repeated deliveries. `tokens`: the project's
 *  webhook tokens `whsec_…`, the newest first; more than one while a rotation's grace lasts. `attemptedAt`: this
 *  attempt. Source: reference 06 §5.1. */
export const signatureHeaders = (
  sendoutId: string,
  body: string,
  attemptedAt: Date,
  tokens: readonly [string, ...string[]],
): Record<string, string> => ({
  'webhook-id': sendoutId,
  'webhook-timestamp': String(Math.floor(attemptedAt.getTime() / 1_000)),
  'webhook-signature': tokens.map((token) => new Webhook(token).sign(sendoutId, attemptedAt, body)).join(' '),
  'X-Service-Signature': hexSignature(tokens[0], body),
});

/** Returns the lower-case hex HMAC-SHA256 of the raw body under the UTF-8 bytes of the whole token. Source: reference
 *  06 §5.1. */
export const hexSignature = (token: string, body: string): string =>
  createHmac('sha256', token).update(body).digest('hex');
