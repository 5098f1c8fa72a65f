import { client, oauth, publicRoutes, server } from '@scrip/contracts/registry';
import { addressKey } from './address-key';
import { isTrustedOrigin } from './origin';
import { lackingPermission, stacksAsMerchant } from './permissions';
import { headersOfStanding, RateBucket, tightestOf } from './rate-limits';
import { RightCredentials } from './right-credentials';

/** Whether the call was admitted, and what its caller is told. */
const told = async (bucket: RateBucket, key: string) => {
  const tightest = tightestOf(await bucket.take(key));
  if (!tightest) throw new Error('no limits');
  return { admitted: tightest.admitted, headers: headersOfStanding(tightest) };
};

describe('an Origin', () => {
  test.each([
    ['https://shop.example.com', 'https://shop.example.com', true],
    ['https://shop.example.com', 'http://shop.example.com', false],
    ['https://shop.example.com:8443', 'https://shop.example.com', false],
    ['https://shop.example.com:8443', 'shop.example.com', true],
    ['http://SHOP.example.com', 'Shop.Example.com', true],
    ['http://localhost:5173', 'localhost:5173', true],
    ['http://localhost:5174', 'localhost:5173', false],
    ['https://evil.com/shop.example.com', 'shop.example.com', false],
    ['https://shop.example.com.evil.com', 'shop.example.com', false],
    ['https://any.example.com', '*', true],
    ['null', '*', false],
    [undefined, '*', false],
  ])('%s under %s: %s', (origin, entry, trusted) => {
    expect(isTrustedOrigin(origin, ['other.example.com', entry])).toBe(trusted);
  });

  it('is foreign to an empty list', () => {
    expect(isTrustedOrigin('https://shop.example.com', [])).toBe(false);
  });
});

describe('a route', () => {
  const read = server('GET /v1/vouchers', 'vouchers');
  const write = server('POST /v1/vouchers', 'vouchers');
  const redeem = server('POST /v1/redemptions', 'redemptions', { permission: 'redeem' });
  const settings = server('PUT /v1/settings', 'settings', { permission: 'settings' });
  const browser = client('POST /client/v1/redemptions', 'client_redemptions', { permission: 'redeem' });

  test.each([
    ['vouchers', read, true],
    ['api', read, true],
    ['campaigns', read, false],
    ['client_api', read, false],
    ['client_redemptions', browser, true],
    ['client_api', browser, true],
    ['api', browser, false],
    ['api', oauth('POST /v1/oauth/token'), false],
  ])('of scope %s', (scope, row, may) => {
    expect(lackingPermission({ scopes: [scope], role: 'ADMIN' }, row) === null).toBe(may);
  });

  test.each([
    ['ADMIN', [true, true, true, true]],
    ['USER', [true, true, true, false]],
    ['USER_RESTRICTED', [false, false, false, false]],
    ['VIEWER', [true, false, false, false]],
    ['MERCHANT', [true, false, true, false]],
    ['role_unknown', [false, false, false, false]],
    ['toString', [false, false, false, false]],
  ])('for the role %s', (role, [mayRead, mayWrite, mayRedeem, maySet]) => {
    const may = [read, write, redeem, settings].map(
      (row) => lackingPermission({ scopes: null, role }, row) === null,
    );
    expect(may).toEqual([mayRead, mayWrite, mayRedeem, maySet]);
  });

  const exports = publicRoutes.filter(({ path }) => path.startsWith('/v1/exports'));

  test.each(['GET', 'POST'])('%s of exports is for those who may export', (method) => {
    const rows = exports.filter((row) => row.method === method);
    expect(rows).not.toHaveLength(0);
    for (const row of rows) {
      expect(lackingPermission({ scopes: null, role: 'VIEWER' }, row)).toBeNull();
      expect(lackingPermission({ scopes: null, role: 'MERCHANT' }, row)).toMatchObject({
        permission: 'export',
      });
    }
  });

  test('exports are deleted by those who may write', () => {
    const [row] = exports.filter(({ method }) => method === 'DELETE');
    expect(lackingPermission({ scopes: null, role: 'VIEWER' }, row!)).toMatchObject({ permission: 'write' });
    expect(lackingPermission({ scopes: null, role: 'USER' }, row!)).toBeNull();
  });

  it.each(['USER_RESTRICTED', 'role_unknown'])('lets the role %s take no token either', (role) => {
    expect(lackingPermission({ scopes: null, role }, oauth('POST /v1/oauth/token'))).toEqual({
      lacks: 'role',
      role,
      permission: 'token',
    });
  });

  it('lets merchants redeem one incentive at a time', () => {
    expect(stacksAsMerchant('MERCHANT', redeem, { redeemables: [1, 2] })).toBe(true);
    expect(stacksAsMerchant('MERCHANT', redeem, { redeemables: [1] })).toBe(false);
    expect(stacksAsMerchant('ADMIN', redeem, { redeemables: [1, 2] })).toBe(false);
    expect(stacksAsMerchant('MERCHANT', redeem, null)).toBe(false);
    const stack = { redeemables: [{ object: 'promotion_stack', id: 'stack_1' }] };
    expect(stacksAsMerchant('MERCHANT', redeem, stack)).toBe(true);
    expect(stacksAsMerchant('ADMIN', redeem, stack)).toBe(false);
  });
});

describe('an address', () => {
  test.each([
    ['192.0.2.1', '192.0.2.1'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['::ffff:c000:201', '192.0.2.1'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:0DB8:0001:0002::1', '2001:db8:1:2::/64'],
    ['2001:db8:1:3::1', '2001:db8:1:3::/64'],
    ['fe80::1%eth0', 'fe80::/64'],
    ['unknown', 'unknown'],
  ])('%s counts as %s', (ip, key) => {
    expect(addressKey(ip)).toBe(key);
  });
});

describe('credentials that were right', () => {
  const key = { kind: 'server', app_id: 'app', app_token: 'secret', ip: '192.0.2.1' } as const;
  const right = new RightCredentials();

  it.each([
    [
      'all the same, from another address of the network',
      '2001:db8::/64',
      { ...key, ip: '2001:db8::2' },
      true,
    ],
    ['at another address', '192.0.2.9', key, false],
    ['with another secret', '2001:db8::/64', { ...key, app_token: 'guess' }, false],
    ['with another id', '2001:db8::/64', { ...key, app_id: 'other' }, false],
    ['of another kind', '2001:db8::/64', { ...key, kind: 'client' as const }, false],
  ])('%s', (_, address, credentials, known) => {
    right.remember(right.digestOf('2001:db8::/64', key));
    expect(right.wereRight(right.digestOf(address, credentials))).toBe(known);
  });
});

describe('a rate limit', () => {
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => void jest.useRealTimers());

  it('is waited for as often as it was used', async () => {
    const bucket = new RateBucket('client_api_calls', [{ value: 5, durationS: 5 }]);
    await told(bucket, 'ip');
    await bucket.charge('ip', 4);
    expect(Number((await told(bucket, 'ip')).headers['Retry-After'])).toBeLessThanOrEqual(5);
    await bucket.charge('other', 30);
    const refused = await told(bucket, 'other');
    expect(refused.admitted).toBe(false);
    expect(Number(refused.headers['Retry-After'])).toBeGreaterThanOrEqual(29);
    expect(Number(refused.headers['Retry-After'])).toBeLessThanOrEqual(30);
  });

  it('admits as many calls as it says, and tells when to come again', async () => {
    const bucket = new RateBucket('client_api_calls', [{ value: 2, durationS: 60 }]);
    const [first, second, third] = [
      await told(bucket, 'ip'),
      await told(bucket, 'ip'),
      await told(bucket, 'ip'),
    ];
    expect([first.admitted, second.admitted, third.admitted]).toEqual([true, true, false]);
    expect(first.headers).toMatchObject({ 'X-Rate-Limit-Limit': '2', 'X-Rate-Limit-Remaining': '1' });
    expect(first.headers).not.toHaveProperty('Retry-After');
    expect(third.headers).toMatchObject({
      'X-Rate-Limit-Remaining': '0',
      'X-Rate-Limit-Type': 'client_api_calls',
    });
    const now = Math.floor(Date.now() / 1_000);
    expect(Number(third.headers['X-Rate-Limit-Retry'])).toBeGreaterThanOrEqual(now + 58);
    expect(Number(third.headers['Retry-After'])).toBeLessThanOrEqual(60);
    expect((await told(bucket, 'other ip')).admitted).toBe(true);
  });

  it('tells the tightest of several', async () => {
    const bucket = new RateBucket('api_calls', [
      { value: 100, durationS: 3_600 },
      { value: 1, durationS: 60 },
    ]);
    expect((await told(bucket, 'p')).headers).toMatchObject({
      'X-Rate-Limit-Limit': '1',
      'X-Rate-Limit-Remaining': '0',
    });
    expect((await told(bucket, 'p')).admitted).toBe(false);
  });
});
