import { leastCpuMs } from '@scrip/testing';
import { credentialUnitsMax, presentedCredentials } from './presented-credentials';

const oauthHeaders = ['X-Service-OAuth', 'Authorization'];
const present = (headers: Record<string, string>, area: 'server' | 'client' | 'management' = 'server') =>
  presentedCredentials(headers, area, { oauthHeaders, ip: '10.0.0.1' });
const key = { 'x-app-id': 'app', 'x-app-token': 'secret' };

describe('what a request presents', () => {
  test.each([
    ['Bearer abc', 'abc'],
    ['bearer abc', 'abc'],
    ['BEARER   abc  ', 'abc'],
    ['Bearer   ', ''],
  ])('is the token of "%s"', (authorization, token) => {
    expect(present({ authorization, ...key })).toEqual({
      kind: 'token',
      access_token: token,
      ip: '10.0.0.1',
    });
  });

  test.each(['Basic eA==', 'Bearerabc', 'Bearer a b', 'Bearer'])(
    'is the key beside "%s"',
    (authorization) => {
      expect(present({ authorization, ...key })).toMatchObject({ kind: 'server', app_id: 'app' });
      expect(present({ authorization })).toEqual({ flaw: 'not_bearer', header: 'Authorization' });
    },
  );

  it('names the half of a key that is missing', () => {
    expect(present({ 'x-app-id': 'app' })).toEqual({ flaw: 'incomplete', header: 'X-App-Token' });
    expect(present({ 'x-app-token': 'secret', 'x-app-id': '' })).toEqual({
      flaw: 'incomplete',
      header: 'X-App-Id',
    });
    expect(present({})).toEqual({ flaw: 'absent' });
    expect(present(key, 'management')).toEqual({ flaw: 'absent' });
  });

  it('is looked up only up to the longest that there can be', () => {
    const longest = 'x'.repeat(credentialUnitsMax);
    expect(present({ authorization: `Bearer ${longest}` })).toMatchObject({ access_token: longest });
    expect(present({ authorization: `Bearer ${longest}x` })).toEqual({
      flaw: 'too_long',
      header: 'Authorization',
    });
    expect(present({ ...key, 'x-app-token': longest })).toMatchObject({ app_token: longest });
    expect(present({ ...key, 'x-app-token': `${longest}x` })).toEqual({
      flaw: 'too_long',
      header: 'X-App-Token',
    });
  });

  // Headers reach the process before anybody is authenticated: 16 KiB of them, a quadratic reading of which takes
  // hundreds of milliseconds.
  test.each([
    ['blanks', `Bearer ${' '.repeat(15_900)}x y`],
    ['blanks before a token', `Bearer ${' '.repeat(15_900)}`],
    ['words', `Bearer ${'a '.repeat(7_900)}`],
  ])('is read in no time from a header of %s', (_name, authorization) => {
    expect(leastCpuMs(() => present({ authorization }), { runs: 20 })).toBeLessThan(10);
  });
});
