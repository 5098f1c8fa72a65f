import type { FastifyInstance } from 'fastify';

/** What every answer carries unless a route says otherwise: answers are about one caller, and are what their
 *  Content-Type says. */
export const standingHeaders: Readonly<Record<string, string>> = {
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
};

export const requestIdHeader = 'X-Request-Id';

/** Puts the standing headers and the request's id on every answer. Only the process that callers reach does so: what a
 *  service says of a route's caching goes through its gateway and counts. To be called before any other hook answers. */
export const useAnswerHeaders = (fastify: FastifyInstance): void => {
  fastify.addHook('onRequest', (request, reply, done) => {
    void reply.headers(standingHeaders).header(requestIdHeader, request.id);
    done();
  });
};
