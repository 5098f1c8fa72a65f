import { Readable } from 'node:stream';
import { arrangements, testKeys } from '../testing/edge-application';
import { bootThings, type ThingsFixture } from './things.fixture';

describe.each(arrangements)('bodies and answers at the edge: %s', (arrangement) => {
  let things: ThingsFixture;
  const keys = testKeys.server;

  beforeAll(async () => {
    things = await bootThings(arrangement);
  });
  afterAll(() => things.close());

  const call: ThingsFixture['call'] = (options) => things.call(options);
  const post: ThingsFixture['post'] = (payload, headers) => things.post(payload, headers);

  describe('bodies', () => {
    const item = (fields: object) => ({ name: 'x', items: [{ sku: 's' }, fields] });

    test.each<[string, unknown, string]>([
      ['a missing property', {}, "Payload must have required property 'name'"],
      ['no body at all', '', "Payload must have required property 'name'"],
      ['a wrong type', { name: 1 }, 'Property .name must be string'],
      ['null where a text is due', { name: null }, 'Property .name must be string'],
      [
        'a wrong type below',
        item({ sku: 's', quantity: 'x' }),
        'Property .items[1].quantity must be integer',
      ],
      ['a missing property below', item({}), "Property .items[1] must have required property 'sku'"],
      ['a number too low', item({ sku: 's', quantity: 0 }), 'Property .items[1].quantity must be >= 1'],
      ['an element that is no object', { name: 'x', items: [1] }, 'Property .items[0] must be object'],
      ['a list that is none', { name: 'x', items: {} }, 'Property .items must be array'],
      [
        'a list too long',
        { name: 'x', items: [1, 2, 3, 4] },
        'Property .items should NOT have more than 3 items',
      ],
      [
        'a value not allowed',
        { name: 'x', kind: 'c' },
        'Property .kind should be equal to one of the allowed values [ a, b ]',
      ],
      ['a negative amount', { name: 'x', amount: -1 }, 'Property .amount must be >= 0'],
      [
        'an amount that is no safe integer',
        { name: 'x', amount: 2 ** 53 },
        'Property .amount must be <= 9007199254740991',
      ],
      [
        'no date',
        { name: 'x', start_date: 'tomorrow' },
        'Property .start_date cannot be recognized as a ISO-8601 compliant date: ' +
          'write 2026-03-31 or 2026-03-31T10:00:00Z, other offsets as +02:00',
      ],
      [
        'a day that there is not',
        { name: 'x', start_date: '2026-02-30' },
        'Property .start_date cannot be recognized as a ISO-8601 compliant date: there is no such day or time',
      ],
      ['a list as body', [], 'Payload must be object'],
      ['a text as body', '"x"', 'Payload must be object'],
      ['null as body', 'null', 'Payload must be object'],
      ['NUL in a text', { name: 'a\0b' }, 'Property .name cannot contain NUL characters or lone surrogates'],
      [
        'half a surrogate pair',
        '{"name":"\\ud800"}',
        'Property .name cannot contain NUL characters or lone surrogates',
      ],
      [
        'NUL in a property name',
        { name: 'x', metadata: { 'a\0': 1 } },
        'Property .metadata.a\\u0000 cannot contain NUL characters or lone surrogates',
      ],
      ['a name that poisons', '{"name":"x","__proto__":{"a":1}}', 'Payload has a forbidden property name'],
      [
        'a constructor that poisons',
        '{"constructor":{"prototype":{"a":1}}}',
        'Payload has a forbidden property name',
      ],
      [
        'a bottomless body',
        `{"name":${'['.repeat(100_000)}${']'.repeat(100_000)}}`,
        'Payload is nested too deeply',
      ],
    ])('%s', async (_name, payload, details) => {
      const answer = await post(payload);
      expect(answer.body).toMatchObject({
        code: 400,
        key: 'invalid_payload',
        message: 'Invalid payload',
        details,
      });
      expect(answer.status).toBe(400);
    });

    it('drops what the class does not name and stores dates in one form', async () => {
      const { status, body } = await post({
        name: 'x',
        id: 'mine',
        toString: 1,
        constructor: 2,
        start_date: '2026-03-31',
      });
      expect(body).toEqual({ name: 'x', start_date: '2026-03-31T00:00:00.000Z' });
      expect(status).toBe(200);
    });

    it('keeps metadata as sent', async () => {
      const metadata = { constructor: null, toString: 'x', deep: { list: [1, { hasOwnProperty: true }] } };
      expect((await post({ name: 'x', metadata })).body).toEqual({ name: 'x', metadata });
    });

    test.each([
      ['{"name": ', ': it ends too early'],
      ['{"name": "x" "kind": "a"}', ': unexpected character at position 13'],
      ['{"name": x}', ': unexpected x'],
    ])('answers %s with the place and the fields old clients read', async (payload, place) => {
      const { body } = await post(payload);
      expect(body).toMatchObject({
        code: 400,
        key: 'invalid_payload',
        statusCode: 400,
        error: 'Bad Request',
        details: `Invalid request payload JSON format${place}`,
      });
    });

    const tooLarge = (limit: number) => ({
      status: 413,
      body: {
        code: 413,
        key: 'query_too_large',
        message: `Payload content length greater than maximum allowed: ${limit}`,
        statusCode: 413,
        error: 'Request Entity Too Large',
      },
    });
    /** A JSON body of exactly so many bytes. */
    const jsonOf = (bytes: number): string => `{"name":"${'x'.repeat(60_000)}"${' '.repeat(bytes - 60_011)}}`;

    it('reads a body of 1 MB, and answers a larger one likewise', async () => {
      expect((await post(jsonOf(1_048_576))).status).toBe(200);
      expect(await post(jsonOf(1_048_577))).toMatchObject(tooLarge(1_048_576));
    });

    it('reads imports of 10 MB, and no larger ones', async () => {
      const rows = Array.from({ length: 100_000 }, (_, n) => ({ code: `C-${n}` }));
      const sent = (bytes: number) => {
        const payload = JSON.stringify(rows).padEnd(bytes);
        const headers = { ...keys, 'content-type': 'application/json' };
        return call({ method: 'POST', url: '/v1/things/import', headers, payload });
      };
      expect(await sent(10_485_760)).toMatchObject({ body: { count: 100_000 } });
      expect(await sent(10_485_761)).toMatchObject(tooLarge(10_485_760));
    });

    it('refuses a body in chunks once it is too large', async () => {
      const chunks = Readable.from([Buffer.from(jsonOf(700_000)), Buffer.alloc(700_000, ' ')]);
      const headers = { ...keys, 'content-type': 'application/json', 'transfer-encoding': 'chunked' };
      expect(await call({ method: 'POST', url: '/v1/things', headers, payload: chunks })).toMatchObject(
        tooLarge(1_048_576),
      );
    });

    it('reads less from a browser', async () => {
      const headers = { ...testKeys.client, 'content-type': 'application/json' };
      const sent = (units: number) =>
        call({
          method: 'POST',
          url: '/client/v1/things',
          headers,
          payload: JSON.stringify({ name: 'x' }).padEnd(units),
        });
      expect((await sent(65_536)).status).toBe(200);
      expect(await sent(65_537)).toMatchObject(tooLarge(65_536));
    });

    it('reads less of a form', async () => {
      const headers = { ...keys, 'content-type': 'application/x-www-form-urlencoded' };
      const form = (units: number) =>
        call({ method: 'POST', url: '/v1/oauth/token', headers, payload: `a=${'x'.repeat(units - 2)}` });
      expect((await form(16_384)).status).toBe(200);
      expect(await form(16_385)).toMatchObject(tooLarge(16_384));
    });
  });

  describe('answers', () => {
    it('tells a refusal by its table, with further fields', async () => {
      const { status, body } = await post({ name: 'taken' });
      expect(status).toBe(409);
      expect(body).toEqual({
        code: 409,
        key: 'thing_taken',
        message: 'Thing taken',
        details: 'Somebody has it',
        resource_id: 't_1',
        resource_type: 'thing',
        redeemable_id: 'R',
        request_id: expect.stringMatching(/^v-/),
      });
    });

    it('tells a defect without internals', async () => {
      expect((await post({ name: 'crash' })).body).toEqual({
        code: 500,
        key: 'internal_error',
        message: 'Internal Server Error',
        request_id: expect.stringMatching(/^v-/),
      });
      expect((await post({ name: 'unheard' })).status).toBe(500);
    });

    it('tells a fault as 503 to be tried again', async () => {
      const { status, headers } = await post({ name: 'late' });
      expect(status).toBe(503);
      expect(headers['retry-after']).toBe('1');
    });

    it('sends nothing with 204', async () => {
      expect(await call({ method: 'DELETE', url: '/v1/things/1', headers: keys })).toMatchObject({
        status: 204,
        body: '',
      });
    });
  });
});
