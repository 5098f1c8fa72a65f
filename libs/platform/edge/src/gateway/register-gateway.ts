import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyInstance } from 'fastify';
import { useAnswerHeaders } from '../assembly/answer-headers';
import { defaultOauthHeaders, type EdgeOptions } from '../assembly/edge-options';
import { EdgeExceptionFilter } from '../nest/edge-exception.filter';
import { fastifyOf } from '../assembly/register-edge';
import { publicRoutes } from '@scrip/contracts/registry';
import { type RegisteredEdge, useRouteTable } from '../routes/use-route-table';
import { useAdmission } from '../admission/use-admission';
import { forwardTo } from './forward';
import type { Upstreams } from './upstreams';

/** How a gateway lets callers in, and where it sends them. */
export interface GatewayOptions extends EdgeOptions {
  contextKey: Buffer;
  upstreams: Upstreams;
}

/** Bodies go on as the bytes they came in; forms with a file while they come in. */
const takeBodiesAsBytes = (fastify: FastifyInstance): void => {
  fastify.removeAllContentTypeParsers();
  fastify.addContentTypeParser('multipart/form-data', (_request, payload, done) => done(null, payload));
  fastify.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
};

/** `/v1/campaigns/{campaignId}` as Fastify spells it. */
const urlOf = (path: string): string => path.replace(/\{(\w+)\}/g, ':$1');

/** Puts the edge in front of services in other processes: callers are let in here, and requests sent on to the owner
 *  of their route with a signed context. Same application and moment as with `registerEdge`. */
export const registerGateway = (app: NestFastifyApplication, options: GatewayOptions): RegisteredEdge => {
  const fastify = fastifyOf(app);
  const { upstreams, contextKey, routes = publicRoutes, oauthHeaders = defaultOauthHeaders } = options;
  useAnswerHeaders(fastify);
  const table = useRouteTable(fastify, routes);
  useAdmission(fastify, options, table.index);
  takeBodiesAsBytes(fastify);
  app.useGlobalFilters(new EdgeExceptionFilter());
  const forwarding = { contextKey, oauthHeaders: new Set(oauthHeaders.map((name) => name.toLowerCase())) };
  for (const { method, path, owner } of routes) {
    if (owner === null) continue;
    fastify.route({ method, url: urlOf(path), handler: forwardTo(upstreams.of(owner), forwarding) });
  }
  fastify.addHook('onReady', () => upstreams.start());
  fastify.addHook('onClose', () => upstreams.close());
  return table;
};
