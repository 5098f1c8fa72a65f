import { Controller, Get, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { newKey, type RequestContext } from '@scrip/kernel';
import { serviceFastifyOptions } from '../assembly/fastify-options';
import { registerServiceEdge } from '../assembly/register-edge';
import { Ctx } from '../request/request-decorators';
import { open, servedBy, server } from '@scrip/contracts/registry';
import { testKeys } from '../testing/edge-application';
import { testProject } from '../testing/fake-auth';
import { contextHeader, signContext } from './context-signature';
import { serviceEdge } from '../assembly/service-edge';

@Controller()
class Things {
  @Get('v1/things')
  list(@Ctx() { project, role }: RequestContext): object {
    return { project: project.id, role };
  }

  @Get('v1/assets/:id')
  asset(): object {
    return { asset: true };
  }

  @Get('healthz')
  health(): string {
    return 'ok';
  }
}

@Module({ controllers: [Things] })
class ThingsModule {}

const rows = [
  ...servedBy('campaigns', [server('GET /v1/things', 'vouchers'), open('GET /v1/assets/{id}')]),
  open('GET /healthz'),
];

const call = { requestId: 'v-0123456789abcdef01', deadlineAt: Date.now() + 60_000, traceparent: null };
const context: RequestContext = {
  ...call,
  project: testProject,
  channel: 'API',
  apiKey: null,
  user: null,
  role: 'VIEWER',
  scopes: null,
};

describe('a service behind gateways', () => {
  const key = newKey();
  let app: NestFastifyApplication;

  beforeAll(async () => {
    app = await NestFactory.create<NestFastifyApplication>(
      ThingsModule,
      new FastifyAdapter(serviceFastifyOptions()),
      { bodyParser: false, logger: false },
    );
    registerServiceEdge(app, { contextKey: key, routes: rows });
    await app.init();
    await app.getHttpAdapter().getInstance().ready();
  });
  afterAll(() => app.close());

  const get = (url: string, headers: Record<string, string> = {}) =>
    app.getHttpAdapter().getInstance().inject({ method: 'GET', url, headers });
  const signed = (url: string, who: RequestContext | null = context) => ({
    [contextHeader]: signContext(key, { method: 'GET', url }, { call, context: who }),
  });

  it('believes what the gateway says of its caller', async () => {
    const answer = await get('/v1/things?a=b', signed('/v1/things?a=b'));
    expect(answer.json()).toEqual({ project: 'proj_1', role: 'VIEWER' });
  });

  it('authenticates nobody by itself', async () => {
    const answer = await get('/v1/things', testKeys.server);
    expect(answer.statusCode).toBe(401);
    expect(answer.json()).toMatchObject({ code: 401, key: 'unauthorized' });
    expect(answer.headers['x-scrip-context-refused']).toBe('absent');
  });

  test.each([
    ['of another request', () => signed('/v1/assets/1'), 'forged'],
    [
      'that is old',
      () => ({
        [contextHeader]: signContext(
          key,
          { method: 'GET', url: '/v1/things' },
          { call, context },
          Date.now() - 31_000,
        ),
      }),
      'expired',
    ],
    ['that is none', () => ({ [contextHeader]: 'x' }), 'malformed'],
  ])('refuses a context %s', async (_name, headers, flaw) => {
    const answer = await get('/v1/things', headers());
    expect(answer.statusCode).toBe(403);
    expect(answer.json()).toMatchObject({ code: 403, key: 'forbidden' });
    expect(answer.headers['x-scrip-context-refused']).toBe(flaw);
  });

  it('serves open routes to gateways only', async () => {
    expect((await get('/v1/assets/1')).statusCode).toBe(401);
    expect((await get('/v1/assets/1', signed('/v1/assets/1', null))).json()).toEqual({ asset: true });
  });

  it('tells its health to anybody', async () => {
    expect((await get('/healthz')).body).toBe('ok');
  });

  it("answers errors under the request's id", async () => {
    const unknown = await get('/v1/nothing', signed('/v1/nothing'));
    expect(unknown.json()).toMatchObject({ code: 404, key: 'not_found', request_id: call.requestId });
    expect((await get('/v1/nothing')).statusCode).toBe(401);
  });

  it('does not start without a secret', () => {
    expect(() => serviceEdge.register(app, { distribution: null })).toThrow(
      'a service needs SCRIP_SERVICES and SCRIP_INTERNAL_SECRET',
    );
  });
});
