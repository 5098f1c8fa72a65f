import { client, oauth, server } from '../routes/route-row';
import { isTrustedOrigin } from './origin';
import { mayCall, stacksAsMerchant } from './permissions';
import { RateBucket } from './rate-limits';

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
    expect(mayCall({ scopes: [scope], role: 'ADMIN' }, row)).toBe(may);
  });

  test.each([
    ['ADMIN', [true, true, true, true]],
    ['USER', [true, true, true, false]],
    ['USER_RESTRICTED', [true, true, true, false]],
    ['VIEWER', [true, false, false, false]],
    ['MERCHANT', [true, false, true, false]],
    ['role_unknown', [false, false, false, false]],
    ['toString', [false, false, false, false]],
  ])('for the role %s', (role, [mayRead, mayWrite, mayRedeem, maySet]) => {
    const may = [read, write, redeem, settings].map((row) => mayCall({ scopes: null, role }, row));
    expect(may).toEqual([mayRead, mayWrite, mayRedeem, maySet]);
  });

  it('lets merchants redeem one incentive at a time', () => {
    expect(stacksAsMerchant('MERCHANT', redeem, { redeemables: [1, 2] })).toBe(true);
    expect(stacksAsMerchant('MERCHANT', redeem, { redeemables: [1] })).toBe(false);
    expect(stacksAsMerchant('ADMIN', redeem, { redeemables: [1, 2] })).toBe(false);
    expect(stacksAsMerchant('MERCHANT', redeem, null)).toBe(false);
  });
});

describe('a rate limit', () => {
  it('admits as many calls as it says, and tells when to come again', async () => {
    const bucket = new RateBucket('client_api_calls', [{ value: 2, durationS: 60 }]);
    const [first, second, third] = [
      await bucket.take('ip'),
      await bucket.take('ip'),
      await bucket.take('ip'),
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
    expect((await bucket.take('other ip')).admitted).toBe(true);
  });

  it('tells the tightest of several', async () => {
    const bucket = new RateBucket('api_calls', [
      { value: 100, durationS: 3_600 },
      { value: 1, durationS: 60 },
    ]);
    expect((await bucket.take('p')).headers).toMatchObject({
      'X-Rate-Limit-Limit': '1',
      'X-Rate-Limit-Remaining': '0',
    });
    expect((await bucket.take('p')).admitted).toBe(false);
  });
});
