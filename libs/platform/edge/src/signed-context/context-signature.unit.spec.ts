import { newKey, type RequestContext, Secret } from '@scrip/kernel';
import { testProject } from '../testing/fake-auth';
import { requestContextKey, signContext, verifyContext } from './context-signature';

const key = newKey();
const now = Date.parse('2026-03-31T10:00:00Z');
const target = { method: 'POST', url: '/v1/redemptions?a=b' };
const call = { requestId: 'v-000000000000000001', deadlineAt: now + 10_000, traceparent: null };
const context: RequestContext = {
  ...call,
  project: { ...testProject, name: 'Łódź & söhne' },
  channel: 'API',
  apiKey: { id: 'eu1-app', name: 'Server' },
  user: null,
  role: 'USER',
  scopes: ['vouchers', 'redemptions'],
};

describe('a signed context', () => {
  const header = signContext(key, target, { call, context }, now);
  const verdictOn = (changed: string, at = now) => verifyContext([key], target, changed, at);

  it('arrives as it was sent', () => {
    expect(verdictOn(header)).toEqual({ call, context });
  });

  it('says on open routes that nobody is known', () => {
    expect(verdictOn(signContext(key, target, { call, context: null }, now))).toEqual({
      call,
      context: null,
    });
  });

  test.each([
    ['30 s old', 30_000, { call, context }],
    ['older than 30 s', 30_001, 'expired'],
    ['from a clock 30 s ahead', -30_000, { call, context }],
    ['from a clock further ahead', -30_001, 'expired'],
  ])('%s', (_name, ageMs, verdict) => {
    expect(verdictOn(header, now + ageMs)).toEqual(verdict);
  });

  test.each([
    ['another method', { ...target, method: 'PUT' }],
    ['another path', { ...target, url: '/v1/redemptions/r_1/rollback?a=b' }],
    ['another query', { ...target, url: '/v1/redemptions?a=c' }],
    ['method and path that read the same together', { method: 'POST /v1', url: '/redemptions?a=b' }],
  ])('counts for its request only, not for %s', (_name, other) => {
    expect(verifyContext([key], other, header, now)).toBe('forged');
  });

  it('counts for the key it was signed with only', () => {
    expect(verifyContext([newKey()], target, header, now)).toBe('forged');
    expect(verifyContext([key], target, signContext(newKey(), target, { call, context }, now), now)).toBe(
      'forged',
    );
  });

  it('counts also for a key that is accepted beside the current one', () => {
    expect(verifyContext([newKey(), key], target, header, now)).toEqual({ call, context });
    expect(verifyContext([newKey(), newKey()], target, header, now)).toBe('forged');
  });

  it('cannot be given another content', () => {
    const [version = '', payload = '', mac = ''] = header.split('.');
    const admin = Buffer.from(payload, 'base64url').toString().replace('"USER"', '"ADMIN"');
    expect(verdictOn([version, Buffer.from(admin).toString('base64url'), mac].join('.'))).toBe('forged');
  });

  it('is nothing when any part of it is cut off', () => {
    for (let length = 0; length < header.length; length += 1) {
      expect(['malformed', 'forged']).toContain(verdictOn(header.slice(0, length)));
    }
  });

  test.each([
    [undefined, 'absent'],
    ['', 'malformed'],
    ['1..', 'malformed'],
    [`2${header.slice(1)}`, 'malformed'],
    [`${header}.x`, 'malformed'],
    [`${header}x`, 'forged'],
    [[header, header], 'malformed'],
  ])('%p is %s', (given, flaw) => {
    expect(verifyContext([key], target, given, now)).toBe(flaw);
  });

  it('fits into a header with every scope there may be', () => {
    const scopes = Array.from({ length: 100 }, (_, index) => `a-scope-with-a-long-name-${index}`);
    expect(signContext(key, target, { call, context: { ...context, scopes } }, now).length).toBeLessThan(
      16_384,
    );
  });

  it('has a key of its own from a secret of any length', () => {
    const keys = ['x'.repeat(32), 'x'.repeat(33), 'y'.repeat(32)].map((text) =>
      requestContextKey(new Secret(text)).toString('hex'),
    );
    expect(new Set(keys).size).toBe(3);
    expect(keys.map((text) => text.length)).toEqual([64, 64, 64]);
  });
});
