import { resultOf } from './attempt-result';
import type { HttpEnd } from './http-delivery';

const first = new Date('2026-03-31T10:00:00.000Z');
const after = (ms: number) => new Date(first.getTime() + ms);
const minute = 60_000;
const answer = (status: number | null, more: Partial<HttpEnd> = {}): HttpEnd => ({
  status,
  error: status === null ? 'timeout' : null,
  excerpt: null,
  retryAfter: null,
  ...more,
});
const result = (attempt: number | null, end: HttpEnd, nowMs = 100) =>
  resultOf({ scheduledAttempt: attempt, firstAttemptAt: first }, end, { now: after(nowMs), random: 0 });

describe('what becomes of a sendout (reference 06 §5.2)', () => {
  it.each([200, 201, 204, 299])('%i delivers it', (status) => {
    expect(result(1, answer(status))).toEqual({ state: 'SUCCEEDED', nextAttemptAt: null, stop: null });
  });

  it.each([199, 300, 302, 400, 404, 429, 500, null])('%s makes it wait for the next slot', (status) => {
    expect(result(1, answer(status))).toEqual({
      state: 'RETRYING',
      nextAttemptAt: after(minute),
      stop: null,
    });
  });

  it('a 200 whose body did not come completely does not deliver it', () => {
    expect(result(1, answer(200, { error: 'timeout' })).state).toBe('RETRYING');
  });

  it('410 ends it and stops the endpoint', () => {
    expect(result(1, answer(410))).toEqual({ state: 'CANCELED', nextAttemptAt: null, stop: 'gone' });
  });

  it('the twelfth failure leaves one retry, the thirteenth none', () => {
    expect(result(12, answer(500), 1_024 * minute)).toMatchObject({
      state: 'RETRYING',
      nextAttemptAt: after(1_440 * minute),
    });
    expect(result(13, answer(500))).toEqual({
      state: 'FAILED',
      nextAttemptAt: null,
      stop: 'retries_exhausted',
    });
  });

  it.each([
    [429, '90', 90_100],
    [503, 'Tue, 31 Mar 2026 10:01:30 GMT', 90_000],
    [503, '36000', 2 * minute],
    [503, 'soon', minute],
    [500, '90', minute],
  ])('%i with Retry-After %s', (status, retryAfter, dueMs) => {
    expect(result(1, answer(status, { retryAfter })).nextAttemptAt).toEqual(after(dueMs));
  });

  it('slots that passed while nobody worked do not become a burst', () => {
    expect(result(3, answer(500), 600 * minute).nextAttemptAt).toEqual(after(602 * minute));
  });

  it('a failed attempt by hand changes nothing', () => {
    expect(result(null, answer(500))).toEqual({ state: null, nextAttemptAt: null, stop: null });
  });
});
