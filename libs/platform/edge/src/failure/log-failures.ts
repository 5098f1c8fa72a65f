import { Logger } from '@nestjs/common';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { isOurId } from '../request/our-id';

const logger = new Logger('Edge');

declare module 'fastify' {
  interface FastifyRequest {
    /** The body of the failure that this process answered the request with. */
    failure: Readonly<Record<string, unknown>> | null;
  }
}

/** Remembers what a request is refused with, for its log line. Bodies of successes are ignored. */
export const noteFailure = (request: FastifyRequest, status: number, body: unknown): void => {
  if (status >= 400 && typeof body === 'object' && body !== null)
    request.failure = body as Record<string, unknown>;
};

/** What a line tells of a failure: ids and keys, never texts, which may quote the payload. */
const told = ['key', 'resource_type', 'resource_id', 'redeemable_type', 'redeemable_id'] as const;

const shown = (name: string, value: unknown): unknown =>
  name.endsWith('_id') && !isOurId(String(value)) ? '***' : value;

// Called app_id, as the header that carries it: a field called api_key would be masked, and an id is no secret.
const fieldsOf = ({ id, method, routeOptions, edge, failure }: FastifyRequest, status: number): object => ({
  request_id: id,
  method,
  route: edge?.row?.path ?? routeOptions.url ?? 'unknown',
  status,
  ...Object.fromEntries(
    told.flatMap((name) => (failure?.[name] === undefined ? [] : [[name, shown(name, failure[name])]])),
  ),
  ...(edge?.context ? { project: edge.context.project.id, app_id: edge.context.apiKey?.id } : {}),
});

/** Writes a line at info for each 4xx and 5xx that this process answered by itself; what a service refused, the service
 *  writes, not its gateway. */
export const logFailures = (fastify: FastifyInstance): void => {
  fastify.decorateRequest('failure', null);
  fastify.addHook('onResponse', (request, { statusCode }, done) => {
    if (statusCode >= 400 && request.failure !== null) logger.log('refused', fieldsOf(request, statusCode));
    done();
  });
};
