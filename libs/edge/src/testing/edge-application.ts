import { Module, type Provider, type Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import type { EdgeOptions } from '../edge-options';
import { edgeFastifyOptions } from '../fastify-options';
import { registerEdge, type RegisteredEdge } from '../register-edge';
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

/** A Nest application of the given controllers behind the edge, initialized but not listening: use
 *  `app.getHttpAdapter().getInstance().inject(…)`. */
export const edgeApplication = async (
  parts: { controllers: Type[]; providers?: Provider[]; imports?: Type[] },
  options: Partial<EdgeOptions> & Pick<EdgeOptions, 'routes'>,
): Promise<{ app: NestFastifyApplication; edge: RegisteredEdge }> => {
  @Module({ controllers: parts.controllers, providers: parts.providers ?? [], imports: parts.imports ?? [] })
  class TestModule {}

  const adapter = new FastifyAdapter(edgeFastifyOptions());
  const app = await NestFactory.create<NestFastifyApplication>(TestModule, adapter, {
    bodyParser: false,
    logger: false,
  });
  const edge = registerEdge(app, { auth: fakeAuth(admitted), ...options });
  await app.init();
  await app.getHttpAdapter().getInstance().ready();
  return { app, edge };
};
