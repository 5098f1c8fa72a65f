import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyInstance } from 'fastify';
import { redeemablesHeader } from '../access/redeemables';
import { useAnswerHeaders } from './answer-headers';
import type { EdgeOptions } from './edge-options';
import { useRouteTable, type RegisteredEdge } from '../routes/use-route-table';
import { publicRoutes, type RouteRow } from '@scrip/contracts/registry';
import { useSignedContext } from '../signed-context/use-signed-context';
import { useAdmission } from '../admission/use-admission';
import { useHandling } from './use-handling';

/** The Fastify instance below a Nest application. */
export const fastifyOf = (app: NestFastifyApplication): FastifyInstance =>
  app.getHttpAdapter().getInstance() as unknown as FastifyInstance;

/** Puts the edge in front of an application made with `edgeFastifyOptions()` and `{ bodyParser: false }`, before
 *  `init()` or `listen()`: authentication, limits, media, scopes, request context, error shape, input validation and
 *  Idempotency-Key for every route of the table. A route without a row stops the start. Source: reference 07 §1, §2. */
export const registerEdge = (app: NestFastifyApplication, options: EdgeOptions): RegisteredEdge => {
  const fastify = fastifyOf(app);
  useAnswerHeaders(fastify);
  const table = useRouteTable(fastify, options.routes ?? publicRoutes);
  useAdmission(fastify, options, table.index);
  useHandling(app, fastify);
  return table;
};

/** Tells the gateway, which does not read bodies, how many redeemables a call named. */
const tellRedeemables = (fastify: FastifyInstance): void => {
  fastify.addHook('preHandler', async ({ edge }, reply) => {
    if (edge && edge.redeemables > 0) void reply.header(redeemablesHeader, String(edge.redeemables));
  });
};

/** The same for a service behind gateways: they let callers in, and sign for it with `contextKey` or one of
 *  `acceptedContextKeys`. */
export const registerServiceEdge = (
  app: NestFastifyApplication,
  {
    contextKey,
    acceptedContextKeys = [],
    routes = publicRoutes,
  }: { contextKey: Buffer; acceptedContextKeys?: readonly Buffer[]; routes?: readonly RouteRow[] },
): RegisteredEdge => {
  const fastify = fastifyOf(app);
  const table = useRouteTable(fastify, routes);
  useSignedContext(fastify, [contextKey, ...acceptedContextKeys], table.index);
  useHandling(app, fastify);
  tellRedeemables(fastify);
  return table;
};
