import type { FastifyInstance } from 'fastify';
import { withLogContext } from './log-context';
import type { ScripLogger } from './scrip-logger';

/** Gives log lines written while a request is served its id, and writes one line per answer: method, route pattern,
 *  status, duration. To be called before other hooks are added. */
export const logRequests = (fastify: FastifyInstance, logger: ScripLogger): void => {
  fastify.addHook('onRequest', (request, _reply, done) => withLogContext({ request_id: request.id }, done));
  // Reading the body comes back in the context of the socket, so it is set once more.
  fastify.addHook('preValidation', (request, _reply, done) =>
    withLogContext({ request_id: request.id }, done),
  );
  fastify.addHook('onResponse', (request, reply, done) => {
    const isProbe = request.routeOptions.url === '/healthz' || request.routeOptions.url === '/readyz';
    if (!isProbe && logger.writes('debug')) {
      logger.debug(
        'answered',
        {
          request_id: request.id,
          method: request.method,
          route: request.routeOptions.url ?? 'unknown',
          status: reply.statusCode,
          duration_ms: Math.round(reply.elapsedTime * 10) / 10,
        },
        'Http',
      );
    }
    done();
  });
};
