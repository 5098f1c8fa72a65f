import type { FastifyInstance } from 'fastify';
import type { Metrics } from './metrics';

/** Durations of requests by method, route pattern and status. */
export const measureRequests = (metrics: Metrics, fastify: FastifyInstance): void => {
  const observe = metrics.durations('scrip_http_request_seconds', 'Time from a request to its answer.', [
    'method',
    'route',
    'status',
  ]);
  fastify.addHook('onResponse', (request, reply, done) => {
    observe(reply.elapsedTime / 1_000, {
      method: request.method,
      route: request.routeOptions.url ?? 'unknown',
      status: String(reply.statusCode),
    });
    done();
  });
};
