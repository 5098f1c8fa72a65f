import { Logger } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyInstance } from 'fastify';
import { Admission } from './admission';
import { answerFailure } from './answer-failure';
import type { EdgeOptions } from './edge-options';
import { failureOfError } from './failure/failure-of-error';
import { failures } from './failure/failures';
import { logDefect } from './failure/log-defect';
import { IdempotencyStores } from './idempotency/idempotency-stores';
import { useBodyParsers } from './media/body-parsers';
import { EdgeExceptionFilter } from './nest/edge-exception.filter';
import { EdgeInterceptor } from './nest/edge.interceptor';
import {
  assertRoutesComplete,
  type RegisteredRoute,
  routesWithoutRow,
} from './routes/assert-routes-complete';
import { RouteIndex } from './routes/route-index';
import { publicRoutes } from './routes/routes';
import { InputPipe } from './validation/input.pipe';

/** What the edge knows after it was registered. */
export interface RegisteredEdge {
  /** Throws `Error` naming routes without a row and rows without a route. Call it once all routes are registered. */
  assertRoutesComplete(): void;
}

const logger = new Logger('Edge');

const isNest = (app: NestFastifyApplication | FastifyInstance): app is NestFastifyApplication =>
  'getHttpAdapter' in app;

const useHooks = (fastify: FastifyInstance, options: EdgeOptions, index: RouteIndex): void => {
  const admission = new Admission(options, index);
  fastify.decorateRequest('edge');
  useBodyParsers(fastify);
  fastify.addHook('onRequest', async (request, reply) => {
    if (request.method === 'OPTIONS' && request.url.startsWith('/client/'))
      return admission.answerPreflight(request, reply);
    try {
      await admission.admit(request, reply);
    } catch (error) {
      const { failure, defect } = failureOfError(error);
      if (defect) logDefect(request, error);
      return answerFailure(request, reply, failure);
    }
  });
  fastify.addHook('preHandler', async (request, reply) => {
    try {
      admission.checkBody(request);
    } catch (error) {
      return answerFailure(request, reply, failureOfError(error).failure);
    }
  });
};

const useOwnErrorHandlers = (fastify: FastifyInstance): void => {
  fastify.setErrorHandler((error, request, reply) => {
    const { failure, defect } = failureOfError(error);
    if (defect) logDefect(request, error);
    return answerFailure(request, reply, failure);
  });
  fastify.setNotFoundHandler((request, reply) => answerFailure(request, reply, failures.unknownRoute()));
};

const pruneEveryMs = 600_000;

const pruneRegularly = (fastify: FastifyInstance, stores: IdempotencyStores): void => {
  const timer = setInterval(() => {
    stores.prune().catch((error: unknown) => logger.warn('key rows were not pruned', error));
  }, pruneEveryMs).unref();
  fastify.addHook('onClose', async () => clearInterval(timer));
};

/** Puts the edge in front of an application made with `edgeFastifyOptions()` (Nest: and `{ bodyParser: false }`), before
 *  `init()` or `listen()`: authentication, limits, media, scopes, request context, error shape, input validation and
 *  Idempotency-Key for every route of the table. A route without a row stops the start. Source: spec 07 §1, §2. */
export const registerEdge = (
  app: NestFastifyApplication | FastifyInstance,
  options: EdgeOptions,
): RegisteredEdge => {
  const fastify = isNest(app) ? (app.getHttpAdapter().getInstance() as unknown as FastifyInstance) : app;
  const rows = options.routes ?? publicRoutes;
  const registered: RegisteredRoute[] = [];
  fastify.addHook('onRoute', ({ method, url }) => void registered.push({ method, url }));
  fastify.addHook('onReady', async () => {
    const rowless = routesWithoutRow(registered, rows);
    if (rowless.length > 0) throw new Error(`routes without a row in the route table: ${rowless.join(', ')}`);
  });
  useHooks(fastify, options, new RouteIndex(rows));
  if (isNest(app)) {
    const stores = new IdempotencyStores(app);
    pruneRegularly(fastify, stores);
    app.useGlobalFilters(new EdgeExceptionFilter());
    app.useGlobalInterceptors(new EdgeInterceptor(stores));
    app.useGlobalPipes(new InputPipe());
  } else {
    useOwnErrorHandlers(fastify);
  }
  return { assertRoutesComplete: () => assertRoutesComplete(registered, rows) };
};
