import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Failure, renderFailure } from './failure/failure';

/** Ends a request with a failure's headers, status and body. */
export const answerFailure = (request: FastifyRequest, reply: FastifyReply, failure: Failure): FastifyReply =>
  reply
    .headers(failure.headers ?? {})
    .code(failure.status)
    .header('Content-Type', 'application/json; charset=utf-8')
    .send(renderFailure(failure, request.id));
