import { leastCpuMs } from '@scrip/testing';
import { Secret } from '@scrip/kernel';
import { maskSecrets, maskText } from './masking';

describe('what a log shows', () => {
  it.each([
    'authorization',
    'Authorization',
    'X-App-Token',
    'x-client-token',
    'X-Management-Token',
    'X-Service-OAuth',
    'cookie',
    'access_token',
    'webhook_token',
    'masterKey',
    'password',
    'client_secret',
  ])('masks the member %s', (name) => {
    expect(maskSecrets({ deep: [{ [name]: 'topsecret' }] })).toEqual({ deep: [{ [name]: '***' }] });
  });

  it.each([
    ['Authorization: Bearer abc.def-1', 'Authorization: Bearer ***'],
    ['token whsec_AAEC/w==', 'token whsec_***'],
    ['postgres://scrip:pass@127.0.0.1:5432/scrip', 'postgres://scrip:***@127.0.0.1:5432/scrip'],
    ['http://127.0.0.1:3000/v1?at=a@b', 'http://127.0.0.1:3000/v1?at=a@b'],
  ])('masks the text %s', (text, masked) => {
    expect(maskText(text)).toBe(masked);
  });

  it('cuts a long text, and says by how much', () => {
    expect(maskText(`${'x'.repeat(8_192)}yz`)).toBe(`${'x'.repeat(8_192)} (2 characters more)`);
    expect(maskText('x'.repeat(8_192))).toBe('x'.repeat(8_192));
    const password = `${'x'.repeat(8_170)} postgres://scrip:secret@localhost/scrip`;
    expect(maskText(password)).toBe(`${'x'.repeat(8_170)} (40 characters more)`);
  });

  it.each([
    ['letters', 'a.'.repeat(4_096)],
    ['starts of URLs', 'a://b:'.repeat(1_365)],
    ['blanks', `Bearer${' '.repeat(8_180)}`],
  ])('masks %s in no time', (_name, text) => {
    expect(leastCpuMs(() => maskText(text), { runs: 20 })).toBeLessThan(8);
  });

  it('keeps ids and numbers', () => {
    expect(maskSecrets({ request_id: 'v-1', app_id: 'eu1-1', status: 200, ok: true, none: null })).toEqual({
      request_id: 'v-1',
      app_id: 'eu1-1',
      status: 200,
      ok: true,
      none: null,
    });
  });

  it('masks secret values wherever they are', () => {
    expect(maskSecrets({ value: new Secret('topsecret') })).toEqual({ value: '***' });
  });

  it('shows of an error what identifies it, not the statement and values that drivers attach', () => {
    const error = Object.assign(new Error('duplicate key'), {
      code: '23505',
      constraint: 'vouchers_code',
      query: 'INSERT …',
      parameters: ['ada@example.com'],
      detail: 'Key (email)=(ada@example.com) already exists.',
    });
    expect(maskSecrets(error)).toEqual({
      type: 'Error',
      message: 'duplicate key',
      code: '23505',
      constraint: 'vouchers_code',
      stack: expect.stringContaining('duplicate key') as string,
    });
  });

  it('ends at a depth, also in circles', () => {
    const circle: Record<string, unknown> = {};
    circle.self = circle;
    expect(JSON.stringify(maskSecrets(circle))).toContain('(deeper)');
  });
});
