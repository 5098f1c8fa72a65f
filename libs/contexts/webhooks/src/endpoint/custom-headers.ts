import { refuse } from '@scrip/kernel';
import type { WebhooksRefusal } from '../webhooks.refusals';

/** Headers an endpoint may have, and characters of a value. */
export const customHeaderLimits = { count: 20, valueLength: 1_024 };

const reserved = new Set([
  'content-type',
  'user-agent',
  'x-service-signature',
  'webhook-id',
  'webhook-timestamp',
  'webhook-signature',
  'x-service-webhook-version',
  'host',
  'content-length',
  'connection',
  'transfer-encoding',
  'expect',
  'keep-alive',
  'proxy-authorization',
  'te',
  'trailer',
  'upgrade',
]);

const problemOf = (name: string, value: unknown): string | null => {
  if (!/^[a-z0-9-]+$/.test(name)) return 'has an invalid name';
  if (reserved.has(name)) return 'cannot be set';
  if (typeof value !== 'string') return 'must be string';
  if (value.length > customHeaderLimits.valueLength) {
    return `should NOT be longer than ${customHeaderLimits.valueLength} characters`;
  }
  return /^[\t\x20-\x7e]*$/.test(value) ? null : 'must contain printable characters only';
};

/** Returns the headers of a request's `headers`, names in lower case. Refuses `invalid_payload`. Source: reference 06
 *  §5.1, §6.1. */
export const customHeaders = (input: unknown): { headers: Record<string, string> } | WebhooksRefusal => {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) {
    return refuse('invalid_payload', 'Property .headers must be object');
  }
  const entries = Object.entries(input as Record<string, unknown>);
  if (entries.length > customHeaderLimits.count) {
    return refuse(
      'invalid_payload',
      `Property .headers should NOT have more than ${customHeaderLimits.count} items`,
    );
  }
  const headers = new Map<string, string>();
  for (const [name, value] of entries) {
    const key = name.toLowerCase();
    const problem = problemOf(key, value) ?? (headers.has(key) ? 'is given twice' : null);
    if (problem) return refuse('invalid_payload', `Property .headers.${name} ${problem}`);
    headers.set(key, value as string);
  }
  return { headers: Object.fromEntries(headers) };
};
