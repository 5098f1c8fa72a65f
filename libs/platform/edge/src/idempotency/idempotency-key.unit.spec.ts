import type { FastifyRequest } from 'fastify';
import { createHash } from 'node:crypto';
import { parseLargeJson } from '../media/large-json';
import { fingerprintOf } from './idempotency-key';

const fingerprint = (body: unknown) =>
  fingerprintOf({ method: 'POST', url: '/v1/things?a="b"', body } as FastifyRequest);

const ofWhole = (body: unknown): string =>
  createHash('sha256')
    .update(JSON.stringify(['POST', '/v1/things?a="b"', body ?? null]))
    .digest('hex');

describe('the fingerprint of a request', () => {
  it.each([
    ['no body', undefined],
    ['an object', { codes: ['a'] }],
    ['an empty list', []],
    ['a list', [{ code: 'a' }, [1], 'x']],
  ])('is that of its whole body: %s', async (_what, body) => {
    expect(await fingerprint(body)).toBe(ofWhole(body));
  });

  it('is the same where a large list is read by portions', async () => {
    const raw = JSON.stringify(Array.from({ length: 100_000 }, (_, n) => ({ code: `C-${n}` })));
    const body = await parseLargeJson(raw, (text) => JSON.parse(text) as unknown);
    expect(await fingerprint(body)).toBe(ofWhole(JSON.parse(raw)));
  });
});
