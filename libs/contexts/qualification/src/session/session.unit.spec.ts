import { randomIds } from '@scrip/kernel';
import { establishedBy, expiryOf, type SessionRequest, tooLongSession } from './session';

const now = new Date('2026-06-15T10:00:00.000Z');
const expiry = (sent: SessionRequest) => expiryOf(establishedBy({ type: 'LOCK', ...sent }, randomIds)!, now);

/** Reference 03 §8 and §14. */
test.each([
  [{}, '2026-06-22T10:00:00.000Z'],
  [{ ttl: 2 }, '2026-06-17T10:00:00.000Z'],
  [{ ttl_unit: 'HOURS' }, '2026-06-15T17:00:00.000Z'],
  [{ ttl: 90, ttl_unit: 'MINUTES' }, '2026-06-15T11:30:00.000Z'],
  [{ ttl: 1, ttl_unit: 'SECONDS' }, '2026-06-15T10:00:01.000Z'],
  [{ ttl: 5, ttl_unit: 'MILLISECONDS' }, '2026-06-15T10:00:00.005Z'],
  [{ ttl: 1_999, ttl_unit: 'MICROSECONDS' }, '2026-06-15T10:00:00.001Z'],
  [{ ttl: 1, ttl_unit: 'NANOSECONDS' }, '2026-06-15T10:00:00.000Z'],
] as [SessionRequest, string][])('a session of %j expires at %s', (sent, expected) => {
  expect(expiry(sent)).toBe(expected);
});

it('lasts 365 days and no longer', () => {
  expect(tooLongSession({ ttl: 365 })).toBeNull();
  expect(tooLongSession({ ttl: 365 * 24 + 1, ttl_unit: 'HOURS' })).toMatchObject({
    refused: 'invalid_payload',
    details: 'Property .session.ttl must not be longer than 365 days',
  });
  expect(tooLongSession(undefined)).toBeNull();
});

it('has the key that was sent, or one of its own', () => {
  expect(establishedBy({ type: 'LOCK', key: 'cart-1' }, randomIds)).toEqual({
    key: 'cart-1',
    type: 'LOCK',
    ttl: 7,
    ttl_unit: 'DAYS',
  });
  expect(establishedBy({ type: 'LOCK' }, randomIds)!.key).toMatch(/^ssn_\w{32}$/);
});

it('is established by a type alone', () => {
  expect(establishedBy({ key: 'cart-1', ttl: 1 }, randomIds)).toBeNull();
  expect(establishedBy(undefined, randomIds)).toBeNull();
});
