import { Module, type Provider, type Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { newKey } from '@scrip/kernel';
import type { EdgeOptions } from '../assembly/edge-options';
import { edgeFastifyOptions, serviceFastifyOptions } from '../assembly/fastify-options';
import { registerGateway } from '../gateway/register-gateway';
import { Upstreams } from '../gateway/upstreams';
import { registerEdge, registerServiceEdge } from '../assembly/register-edge';
import type { RegisteredEdge } from '../routes/use-route-table';
import { fakeAuth, testPrincipal } from './fake-auth';

/** Headers that the default `fakeAuth` of `edgeApplication` admits, as an ADMIN of `testProject`. */
export const testKeys = {
  server: { 'x-app-id': 'app', 'x-app-token': 'secret' },
  client: {
    'x-client-application-id': 'web',
    'x-client-token': 'secret',
    origin: 'https://shop.example.com',
  },
  management: { 'x-management-id': 'boss', 'x-management-token': 'secret' },
} as const;

const admitted = {
  'server:app:secret': testPrincipal(),
  'client:web:secret': testPrincipal({ kind: 'client', key: { id: 'eu1-web', name: 'Browser' } }),
  'management:boss:secret': testPrincipal({ kind: 'management', project: null, client_switches: null }),
};

/** The edge and handlers in one process, or the edge in a gateway before handlers in another process; both answer
 *  alike, so that suites run against each. */
export const arrangements = ['one process', 'gateway and service'] as const;
export type Arrangement = (typeof arrangements)[number];

/** What an application under test is made of. */
interface Parts {
  controllers: Type[];
  providers?: Provider[];
  imports?: Type[];
}

/** `app` is what callers reach; `handlers` is the application that has the controllers, in one process the same.
 *  Closing `app` closes both. */
export interface EdgeApplication {
  app: NestFastifyApplication;
  handlers: NestFastifyApplication;
  edge: RegisteredEdge;
}

type Options = Partial<EdgeOptions> & Required<Pick<EdgeOptions, 'routes'>>;

const nestOf = (parts: Parts, fastifyOptions: object): Promise<NestFastifyApplication> => {
  @Module({ controllers: parts.controllers, providers: parts.providers ?? [], imports: parts.imports ?? [] })
  class TestModule {}

  return NestFactory.create<NestFastifyApplication>(
    TestModule,
    new FastifyAdapter(fastifyOptions as object),
    {
      bodyParser: false,
      logger: false,
    },
  );
};

const ready = async (app: NestFastifyApplication): Promise<void> => {
  await app.init();
  await app.getHttpAdapter().getInstance().ready();
};

const inOneProcess = async (parts: Parts, options: EdgeOptions): Promise<EdgeApplication> => {
  const app = await nestOf(parts, edgeFastifyOptions());
  const edge = registerEdge(app, options);
  await ready(app);
  return { app, handlers: app, edge };
};

const behindGateway = async (parts: Parts, options: EdgeOptions & Options): Promise<EdgeApplication> => {
  const contextKey = newKey();
  const routes = options.routes.map((row) => ({ ...row, owner: 'campaigns' as const }));
  const handlers = await nestOf(parts, serviceFastifyOptions());
  registerServiceEdge(handlers, { contextKey, routes });
  await handlers.listen({ host: '127.0.0.1', port: 0 });
  const { port: httpPort } = handlers.getHttpServer().address() as { port: number };

  const app = await nestOf({ controllers: [] }, edgeFastifyOptions());
  const upstreams = new Upstreams({ campaigns: [{ host: '127.0.0.1', httpPort }] });
  const edge = registerGateway(app, { ...options, routes, contextKey, upstreams });
  app
    .getHttpAdapter()
    .getInstance()
    .addHook('onClose', () => handlers.close());
  await ready(app);
  return { app, handlers, edge };
};

/** A Nest application of the given controllers behind the edge, initialized but not listening: use
 *  `app.getHttpAdapter().getInstance().inject(…)`. */
export const edgeApplication = (
  parts: Parts,
  options: Options,
  arrangement: Arrangement = 'one process',
): Promise<EdgeApplication> => {
  const complete = { auth: fakeAuth(admitted), ...options };
  return arrangement === 'one process' ? inOneProcess(parts, complete) : behindGateway(parts, complete);
};
