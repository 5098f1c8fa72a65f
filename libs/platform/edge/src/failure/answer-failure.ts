import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Failure, renderFailure } from './failure';
import { noteFailure } from './log-failures';

/** Ends a request with a failure's headers, status and body. */
export const answerFailure = (
  request: FastifyRequest,
  reply: FastifyReply,
  failure: Failure,
): FastifyReply => {
  const body = renderFailure(failure, request.id);
  noteFailure(request, failure.status, body);
  return reply
    .headers(failure.headers ?? {})
    .code(failure.status)
    .header('Content-Type', 'application/json; charset=utf-8')
    .send(body);
};
