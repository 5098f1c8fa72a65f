import type { InjectOptions } from 'fastify';
import { arrangements, testKeys } from '../testing/edge-application';
import { bootThings, type ThingsFixture } from './things.fixture';

describe.each(arrangements)('what may pass the edge: %s', (arrangement) => {
  let things: ThingsFixture;
  const keys = testKeys.server;

  beforeAll(async () => {
    things = await bootThings(arrangement);
  });
  afterAll(() => things.close());

  const call: ThingsFixture['call'] = (options) => things.call(options);

  describe('routes, methods and media', () => {
    test.each<[string, InjectOptions, number, object]>([
      [
        'an unknown route',
        { method: 'GET', url: '/v1/nothing?secret=1', headers: keys },
        404,
        { key: 'not_found', details: 'Cannot find the requested endpoint: GET /v1/nothing' },
      ],
      [
        'an unknown route with a long name',
        { method: 'POST', url: `/v1/${'x'.repeat(300)}`, headers: keys },
        404,
        { details: `Cannot find the requested endpoint: POST /v1/${'x'.repeat(196)}...` },
      ],
      [
        'a route with a slash too many',
        { method: 'GET', url: '/v1/things/?secret=1', headers: keys },
        404,
        { key: 'not_found', details: 'Cannot find the requested endpoint: GET /v1/things/' },
      ],
      [
        'an unknown route without credentials',
        { method: 'GET', url: '/v1/nothing' },
        401,
        { key: 'unauthorized' },
      ],
      ['an unknown path outside of all areas', { method: 'GET', url: '/nothing' }, 404, { key: 'not_found' }],
      [
        'a wrong method',
        { method: 'PUT', url: '/v1/things', headers: keys },
        405,
        {
          key: 'method_not_allowed',
          message: 'HTTP Method Not Allowed',
          details: 'PUT is not supported by this endpoint. Did you mean GET or POST?',
        },
      ],
      [
        'an answer nobody offers',
        { method: 'GET', url: '/v1/things', headers: { ...keys, accept: 'text/csv' } },
        406,
        { key: 'not_acceptable' },
      ],
      [
        'an Accept that refuses JSON',
        { method: 'GET', url: '/v1/things', headers: { ...keys, accept: 'application/json;q=0, */*' } },
        406,
        {},
      ],
      [
        'a body of another type',
        {
          method: 'POST',
          url: '/v1/things',
          headers: { ...keys, 'content-type': 'text/plain' },
          payload: 'x',
        },
        415,
        { key: 'unsupported_media_type' },
      ],
      [
        'a body without a type',
        { method: 'POST', url: '/v1/things', headers: keys, payload: Buffer.from('{}') },
        415,
        {},
      ],
      [
        'a form where JSON is due',
        {
          method: 'POST',
          url: '/v1/things',
          headers: { ...keys, 'content-type': 'application/x-www-form-urlencoded' },
          payload: 'a=b',
        },
        415,
        {},
      ],
      [
        'JSON where a form is due',
        {
          method: 'POST',
          url: '/v1/oauth/token',
          headers: { ...keys, 'content-type': 'application/json' },
          payload: '{}',
        },
        415,
        {},
      ],
      [
        'a path that cannot be decoded',
        { method: 'GET', url: '/v1/things/%E0%A4%A', headers: keys },
        400,
        { key: 'invalid_payload' },
      ],
      [
        'NUL in a path',
        { method: 'GET', url: '/v1/things/a%00b', headers: keys },
        400,
        { details: 'Property .id cannot contain NUL characters or lone surrogates' },
      ],
      [
        'NUL in a query',
        { method: 'GET', url: '/v1/things?x=%00', headers: keys },
        400,
        { key: 'invalid_payload' },
      ],
      [
        'an unknown version',
        { method: 'GET', url: '/v1/things', headers: { ...keys, 'x-service-api-version': 'v1999-01-01' } },
        400,
        { key: 'unsupported_api_version' },
      ],
    ])('%s', async (_name, request, status, body) => {
      const answer = await call(request);
      expect(answer.body).toMatchObject({ code: status, request_id: expect.stringMatching(/^v-/), ...body });
      expect(answer.status).toBe(status);
    });

    it('names the methods of a path in Allow', async () => {
      expect((await call({ method: 'PUT', url: '/v1/things', headers: keys })).headers.allow).toBe(
        'GET, HEAD, POST',
      );
    });

    it('takes a path parameter of any length', async () => {
      const id = 'x'.repeat(2_000);
      expect((await call({ method: 'GET', url: `/v1/things/${id}`, headers: keys })).body).toEqual({ id });
    });

    it('reads forms at token endpoints', async () => {
      const headers = { ...keys, 'content-type': 'application/x-www-form-urlencoded' };
      const { body } = await call({
        method: 'POST',
        url: '/v1/oauth/token',
        headers,
        payload: 'scope=a+b&scope=c&__proto__=x',
      });
      expect(body).toMatchObject({ scope: 'a b' });
    });

    it('answers the requested version', async () => {
      const headers = { ...keys, 'x-service-api-version': 'v2018-08-01' };
      expect((await call({ method: 'GET', url: '/v1/things', headers })).body).toMatchObject({
        version: 'v2018-08-01',
      });
    });
  });

  describe('queries', () => {
    test.each([
      ['limit=0', 'invalid_query_params', 'Property .limit must be >= 1'],
      ['limit=101', 'invalid_query_params', 'Property .limit must be <= 100'],
      ['limit=ten', 'invalid_query_params', 'Property .limit must be integer'],
      [
        'order=name',
        'invalid_query_params',
        'Property .order should be equal to one of the allowed values [ created_at, -created_at ]',
      ],
      ['page=0', 'invalid_query_params', 'Property .page must be >= 1'],
      ['page=100', 'page_over_limit', 'Property .page cannot be higher than 99'],
    ])('%s', async (query, key, details) => {
      const { body } = await call({ method: 'GET', url: `/v1/things?${query}`, headers: keys });
      expect(body).toMatchObject({ code: 400, key, details });
    });

    it('reads the bounds themselves', async () => {
      const { body } = await call({
        method: 'GET',
        url: '/v1/things?limit=100&page=99&order=-created_at',
        headers: keys,
      });
      expect(body).toMatchObject({
        object: 'list',
        data_ref: 'things',
        things: [],
        query: { limit: 100, page: 99, order: '-created_at' },
      });
    });
  });
});
