import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyInstance } from 'fastify';
import type { EdgeOptions } from './edge-options';
import { useRouteTable, type RegisteredEdge } from './routes/use-route-table';
import { publicRoutes } from './routes/routes';
import type { RouteRow } from './routes/route-row';
import { useSignedContext } from './signed-context/use-signed-context';
import { useAdmission } from './use-admission';
import { useHandling } from './use-handling';

/** The Fastify instance below a Nest application. */
export const fastifyOf = (app: NestFastifyApplication): FastifyInstance =>
  app.getHttpAdapter().getInstance() as unknown as FastifyInstance;

/** Puts the edge in front of an application made with `edgeFastifyOptions()` and `{ bodyParser: false }`, before
 *  `init()` or `listen()`: authentication, limits, media, scopes, request context, error shape, input validation and
 *  Idempotency-Key for every route of the table. A route without a row stops the start. Source: spec 07 §1, §2. */
export const registerEdge = (app: NestFastifyApplication, options: EdgeOptions): RegisteredEdge => {
  const fastify = fastifyOf(app);
  const table = useRouteTable(fastify, options.routes ?? publicRoutes);
  useAdmission(fastify, options, table.index);
  useHandling(app, fastify);
  return table;
};

/** The same for a service behind gateways: they let callers in, and sign for it with `contextKey`. */
export const registerServiceEdge = (
  app: NestFastifyApplication,
  { contextKey, routes = publicRoutes }: { contextKey: Buffer; routes?: readonly RouteRow[] },
): RegisteredEdge => {
  const fastify = fastifyOf(app);
  const table = useRouteTable(fastify, routes);
  useSignedContext(fastify, contextKey, table.index);
  useHandling(app, fastify);
  return table;
};
