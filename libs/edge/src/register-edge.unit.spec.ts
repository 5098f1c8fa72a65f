import { Body, Controller, Delete, Get, HttpCode, Param, Post, Put, Query } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { RequestContext } from '@scrip/kernel';
import { Fault, refuse } from '@scrip/kernel';
import { IsOptional } from 'class-validator';
import type { InjectOptions } from 'fastify';
import { Refusals } from './failure/refusals';
import { listOf } from './lists/list-of';
import { pageQuery } from './lists/page-query';
import { Ctx } from './request/request-decorators';
import { client, management, oauth, open, server } from './routes/route-row';
import { edgeApplication, testKeys } from './testing/edge-application';
import { fakeAuth, testPrincipal } from './testing/fake-auth';
import {
  IsAmount,
  IsDateInput,
  IsInteger,
  IsMetadata,
  IsOneOf,
  IsText,
  NestedList,
} from './validation/rules';

class Item {
  @IsText({ max: 20 })
  sku: string;

  @IsOptional()
  @IsInteger({ min: 1 })
  quantity?: number;
}

class Thing {
  @IsText()
  name: string;

  @IsOptional()
  @IsOneOf(['a', 'b'])
  kind?: string;

  @IsOptional()
  @IsAmount()
  amount?: number;

  @IsOptional()
  @IsDateInput()
  start_date?: string;

  @IsOptional()
  @IsMetadata()
  metadata?: object;

  @IsOptional()
  @NestedList(() => Item, { max: 3 })
  items?: Item[];
}

class ThingQuery extends pageQuery({ highestPage: 99, orders: ['created_at'], order: 'created_at' }) {}

@Controller(['v1/things', 'client/v1/things'])
@Refusals({ thing_taken: { status: 409, message: 'Thing taken' } })
class Things {
  @Post()
  create(@Body() body: Thing): unknown {
    if (body.name === 'taken')
      return refuse('thing_taken', 'Somebody has it', {
        resourceId: 't_1',
        resourceType: 'thing',
        redeemable_id: 'R',
      });
    if (body.name === 'unheard') return refuse('unheard_of');
    if (body.name === 'crash') throw new Error('the password is 1234');
    if (body.name === 'late') throw new Fault('deadline', 'too late');
    return body;
  }

  @Get()
  list(@Query() query: ThingQuery, @Ctx() context: RequestContext): unknown {
    return {
      ...listOf('things', [], { total: 0 }),
      query,
      channel: context.channel,
      version: context.project.apiVersion,
    };
  }

  @Get(':id')
  one(@Param('id') id: string): unknown {
    return { id };
  }

  @Delete(':id')
  @HttpCode(204)
  remove(): void {}
}

@Controller('v1/oauth/token')
class Tokens {
  @Post()
  issue(@Body() form: Record<string, string>): unknown {
    return form;
  }
}

@Controller('management/v1/projects/:projectId/things')
class ManagedThings {
  @Put(':id')
  change(@Ctx() context: RequestContext): unknown {
    return { project: context.project.id };
  }
}

@Controller('healthz')
class Health {
  @Get()
  ok(): string {
    return 'ok';
  }
}

const routes = [
  server('POST /v1/things', 'vouchers'),
  server('GET /v1/things', 'vouchers'),
  server('GET /v1/things/{id}', 'vouchers'),
  server('DELETE /v1/things/{id}', 'vouchers'),
  client('POST /client/v1/things', 'client_redeem', {
    clientSwitch: 'client_redeem_enabled',
    permission: 'redeem',
  }),
  client('GET /client/v1/things', 'client_vouchers'),
  client('GET /client/v1/things/{id}', 'client_vouchers'),
  client('DELETE /client/v1/things/{id}', 'client_vouchers'),
  oauth('POST /v1/oauth/token'),
  management('PUT /management/v1/projects/{projectId}/things/{id}'),
  open('GET /healthz'),
];

const auth = fakeAuth({
  'server:app:secret': testPrincipal(),
  'server:viewer:secret': testPrincipal({ role: 'VIEWER' }),
  'client:web:secret': testPrincipal({ kind: 'client' }),
  'client:off:secret': testPrincipal({ kind: 'client', client_switches: null }),
  'management:boss:secret': testPrincipal({ kind: 'management', project: null }),
  'token:wide': testPrincipal({ kind: 'token', scopes: ['api'] }),
  'token:narrow': testPrincipal({ kind: 'token', scopes: ['campaigns'] }),
  'token:browser': testPrincipal({ kind: 'token', scopes: ['client_api'] }),
});

describe('the edge', () => {
  let app: NestFastifyApplication;
  const keys = testKeys.server;

  beforeAll(async () => {
    const started = await edgeApplication(
      { controllers: [Things, Tokens, ManagedThings, Health] },
      { auth, routes, rateLimits: { clientCalls: [{ value: 1_000, durationS: 5 }] } },
    );
    app = started.app;
    started.edge.assertRoutesComplete();
  });
  afterAll(() => app.close());

  const call = async (options: InjectOptions) => {
    const { statusCode, headers, body } = await app.getHttpAdapter().getInstance().inject(options);
    const json = String(headers['content-type']).includes('json')
      ? (JSON.parse(body) as Record<string, unknown>)
      : body;
    return { status: statusCode, headers, body: json };
  };
  const post = (payload: unknown, headers: Record<string, string> = keys) =>
    call({
      method: 'POST',
      url: '/v1/things',
      headers: { 'content-type': 'application/json', ...headers },
      payload: typeof payload === 'string' ? payload : JSON.stringify(payload),
    });

  describe('authentication', () => {
    test.each([
      ['no credentials', {}, 401, 'unauthorized'],
      ['wrong credentials', { 'x-app-id': 'app', 'x-app-token': 'guess' }, 401, 'unauthorized'],
      ["another cluster's key", { 'x-app-id': 'us1-1', 'x-app-token': 'secret' }, 403, 'forbidden'],
      [
        'client keys on a server route',
        { 'x-client-application-id': 'web', 'x-client-token': 'secret' },
        401,
        'unauthorized',
      ],
      ['a token in the first header', { 'x-service-oauth': 'Bearer wide' }, 200, undefined],
      ['a token in Authorization', { authorization: 'bearer wide' }, 200, undefined],
      [
        'another scheme in Authorization beside keys',
        { authorization: 'Basic eA==', ...testKeys.server },
        200,
        undefined,
      ],
      [
        'a wrong token beside good keys',
        { authorization: 'Bearer guess', ...testKeys.server },
        401,
        'unauthorized',
      ],
      [
        'a token of too small a scope',
        { authorization: 'Bearer narrow' },
        403,
        'missing_required_permission',
      ],
      [
        'a client token on a server route',
        { authorization: 'Bearer browser' },
        403,
        'missing_required_permission',
      ],
    ])('%s', async (_name, headers, status, key) => {
      const answer = await call({ method: 'GET', url: '/v1/things', headers });
      expect(answer.status).toBe(status);
      expect((answer.body as { key?: string }).key).toBe(key);
    });

    it('answers 401 in the error shape', async () => {
      const { body, headers } = await call({ method: 'GET', url: '/v1/things' });
      expect(body).toEqual({
        code: 401,
        key: 'unauthorized',
        message: 'Unauthorized',
        details: 'Cannot authenticate with the given credentials',
        request_id: expect.stringMatching(/^v-[0-9a-f]{18}$/),
      });
      expect(headers['content-type']).toBe('application/json; charset=utf-8');
    });

    it('keeps tokens from token endpoints and management', async () => {
      const headers = { authorization: 'Bearer wide', 'content-type': 'application/x-www-form-urlencoded' };
      expect((await call({ method: 'POST', url: '/v1/oauth/token', headers, payload: 'a=b' })).status).toBe(
        403,
      );
      const url = '/management/v1/projects/proj_1/things/1';
      expect((await call({ method: 'PUT', url, headers: { authorization: 'Bearer wide' } })).status).toBe(
        403,
      );
    });

    it('lets a viewer read and not write', async () => {
      const viewer = { 'x-app-id': 'viewer', 'x-app-token': 'secret' };
      expect((await call({ method: 'GET', url: '/v1/things', headers: viewer })).status).toBe(200);
      expect((await post({ name: 'x' }, viewer)).body).toMatchObject({
        code: 403,
        key: 'missing_required_permission',
      });
    });
  });

  describe('routes, methods and media', () => {
    test.each<[string, InjectOptions, number, object]>([
      ['an unknown route', { method: 'GET', url: '/v1/nothing', headers: keys }, 404, { key: 'not_found' }],
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
        'GET, POST',
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
        { name: 'x', start_date: '2026-02-30' },
        'Property .start_date cannot be recognized as a ISO-8601 compliant date',
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

    it('answers malformed JSON with the fields old clients read', async () => {
      const { body } = await post('{"name": ');
      expect(body).toMatchObject({
        code: 400,
        key: 'invalid_payload',
        statusCode: 400,
        error: 'Bad Request',
        details: 'Invalid request payload JSON format',
      });
    });

    it('answers a body above 10 MB likewise', async () => {
      const { status, body } = await post(JSON.stringify({ name: 'x'.repeat(10_485_760) }));
      expect(status).toBe(413);
      expect(body).toMatchObject({
        code: 413,
        key: 'query_too_large',
        message: 'Payload content length greater than maximum allowed: 10485760',
        statusCode: 413,
        error: 'Request Entity Too Large',
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

  describe('management', () => {
    const headers = testKeys.management;

    it('takes the project from the path', async () => {
      const { body } = await call({ method: 'PUT', url: '/management/v1/projects/proj_1/things/1', headers });
      expect(body).toEqual({ project: 'proj_1' });
    });

    it('answers an unknown project with the whole error body', async () => {
      const { body } = await call({ method: 'PUT', url: '/management/v1/projects/proj_2/things/1', headers });
      expect(body).toMatchObject({
        code: 404,
        key: 'not_found',
        resource_id: 'proj_2',
        resource_type: 'project',
      });
    });

    it('takes management keys only', async () => {
      const { status } = await call({
        method: 'PUT',
        url: '/management/v1/projects/proj_1/things/1',
        headers: keys,
      });
      expect(status).toBe(401);
    });
  });

  describe('the client-side API', () => {
    const client = testKeys.client;

    it('echoes an admitted origin', async () => {
      const { status, headers, body } = await call({
        method: 'GET',
        url: '/client/v1/things',
        headers: client,
      });
      expect(status).toBe(200);
      expect(headers['access-control-allow-origin']).toBe('https://shop.example.com');
      expect(body).toMatchObject({ channel: 'CLIENT_API' });
    });

    test.each([
      ['a foreign origin', { ...client, origin: 'https://evil.example.com' }],
      ['no origin', { 'x-client-application-id': 'web', 'x-client-token': 'secret' }],
    ])('refuses %s', async (_name, headers) => {
      const answer = await call({ method: 'GET', url: '/client/v1/things', headers });
      expect(answer.body).toMatchObject({ code: 403, key: 'forbidden' });
      expect(answer.headers).not.toHaveProperty('access-control-allow-origin');
    });

    it('names the setting of an action that is switched off', async () => {
      const headers = { ...client, 'x-client-application-id': 'off' };
      const { body } = await call({ method: 'POST', url: '/client/v1/things', headers });
      expect(body).toMatchObject({
        code: 403,
        key: 'forbidden',
        details: expect.stringContaining('client_redeem_enabled') as string,
      });
    });

    it('answers a preflight without credentials', async () => {
      const headers = { origin: 'https://any.example.com', 'access-control-request-method': 'POST' };
      const answer = await call({ method: 'OPTIONS', url: '/client/v1/things', headers });
      expect(answer.status).toBe(204);
      expect(answer.headers).toMatchObject({
        'access-control-allow-origin': 'https://any.example.com',
        'access-control-allow-methods': 'GET, POST',
        'access-control-allow-headers': expect.stringContaining('X-Client-Application-Id') as string,
      });
    });
  });

  it('asks nobody for credentials on open routes', async () => {
    expect(await call({ method: 'GET', url: '/healthz' })).toMatchObject({ status: 200, body: 'ok' });
  });
});
