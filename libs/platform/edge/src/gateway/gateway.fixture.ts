import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { newKey } from '@scrip/kernel';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { EdgeOptions } from '../assembly/edge-options';
import { edgeFastifyOptions } from '../assembly/fastify-options';
import { open, servedBy, server } from '@scrip/contracts/registry';
import { testKeys } from '../testing/edge-application';
import { fakeAuth, testPrincipal } from '../testing/fake-auth';
import { registerGateway } from './register-gateway';
import type { UpstreamOutcome } from './upstream-metrics';
import { Upstreams } from './upstreams';

/** A service that is nothing but an HTTP server. */
export interface PlainService {
  readonly port: number;
  /** Ends with all its connections at once. */
  kill(): Promise<void>;
}

/** Answers its health by itself. `port` 0 takes a free one. */
export const plainService = async (listener: RequestListener, port = 0): Promise<PlainService> => {
  const http: Server = createServer((request, response) =>
    request.url === '/healthz' ? void response.end('ok') : listener(request, response),
  );
  await new Promise<void>((resolve) => http.listen(port, '127.0.0.1', resolve));
  return {
    port: (http.address() as AddressInfo).port,
    kill: () =>
      new Promise((resolve) => {
        http.close(() => resolve());
        http.closeAllConnections();
      }),
  };
};

/** A port that no process listens on. */
export const deadPort = async (): Promise<number> => {
  const service = await plainService(() => undefined);
  await service.kill();
  return service.port;
};

/** A gateway in front of services at ports of this machine. */
export interface GatewayFixture {
  url: string;
  port: number;
  contextKey: Buffer;
  outcomes: UpstreamOutcome[];
  fetch(path: string, init?: RequestInit): Promise<Response>;
  close(): Promise<void>;
}

@Module({})
class Nothing {}

const routes = servedBy('campaigns', [
  server('GET /v1/things', 'vouchers'),
  server('POST /v1/things', 'vouchers'),
  server('GET /v1/things/{id}', 'vouchers'),
  server('DELETE /v1/things/{id}', 'vouchers'),
  server('GET /v1/trials', 'vouchers', { permission: 'validate' }),
  open('GET /v1/assets/{id}'),
]);

/** Listens in front of one service with an address at each of `ports`. */
export const bootGateway = async (
  ports: readonly number[],
  { deadlineMs = 10_000, ...options }: Pick<EdgeOptions, 'answerBudget' | 'deadlineMs'> = {},
): Promise<GatewayFixture> => {
  const contextKey = newKey();
  const outcomes: UpstreamOutcome[] = [];
  const app = await NestFactory.create<NestFastifyApplication>(
    Nothing,
    new FastifyAdapter({ ...edgeFastifyOptions(), forceCloseConnections: true }),
    { bodyParser: false, logger: false },
  );
  const hosts = ports.map((httpPort) => ({ host: '127.0.0.1', httpPort }));
  registerGateway(app, {
    auth: fakeAuth({ 'server:app:secret': testPrincipal() }),
    routes,
    contextKey,
    deadlineMs,
    ...options,
    upstreams: new Upstreams({ campaigns: hosts }, { called: ({ outcome }) => outcomes.push(outcome) }),
  });
  await app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = app.getHttpServer().address() as AddressInfo;
  const url = `http://127.0.0.1:${port}`;
  return {
    url,
    port,
    contextKey,
    outcomes,
    fetch: (path, init = {}) =>
      fetch(`${url}${path}`, { ...init, headers: { ...testKeys.server, ...init.headers } }),
    close: () => app.close(),
  };
};
