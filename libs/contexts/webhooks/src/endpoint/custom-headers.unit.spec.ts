import { customHeaders } from './custom-headers';

describe('headers an endpoint may add (reference 06 §5.1)', () => {
  it('are known by lower-case names', () => {
    expect(customHeaders({ Authorization: 'Bearer x', 'X-Shop': '7' })).toEqual({
      headers: { authorization: 'Bearer x', 'x-shop': '7' },
    });
  });

  it.each([
    [[], 'Property .headers must be object'],
    [{ 'Webhook-Id': 'x' }, 'Property .headers.Webhook-Id cannot be set'],
    [{ 'X-Service-Signature': 'x' }, 'Property .headers.X-Service-Signature cannot be set'],
    [{ 'Content-Length': '1' }, 'Property .headers.Content-Length cannot be set'],
    [{ 'a b': 'x' }, 'Property .headers.a b has an invalid name'],
    [{ 'x-a': 'one\r\nx-b: two' }, 'Property .headers.x-a must contain printable characters only'],
    [{ 'x-a': 7 }, 'Property .headers.x-a must be string'],
    [{ 'x-a': 'a', 'X-A': 'b' }, 'Property .headers.X-A is given twice'],
    [{ 'x-a': 'a'.repeat(1_025) }, 'Property .headers.x-a should NOT be longer than 1024 characters'],
    [
      Object.fromEntries(Array.from({ length: 21 }, (_, index) => [`x-${index}`, ''])),
      'Property .headers should NOT have more than 20 items',
    ],
  ])('cannot be %j', (input, details) => {
    expect(customHeaders(input)).toEqual({ refused: 'invalid_payload', details });
  });
});
