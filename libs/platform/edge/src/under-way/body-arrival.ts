import type { FastifyReply, FastifyRequest } from 'fastify';
import { answerFailure } from '../failure/answer-failure';
import { failures } from '../failure/failures';
import { whenAnswerEnds } from './answer-end';

/** Ends a request with 408, and its connection, when its body is not there at `deadlineAt` (epoch ms). */
export const endWithoutBody = (request: FastifyRequest, reply: FastifyReply, deadlineAt: number): void => {
  if (request.raw.complete) return;
  const timer = setTimeout(() => {
    if (!reply.sent)
      void answerFailure(request, reply.header('Connection', 'close'), failures.requestTimeout());
  }, deadlineAt - Date.now()).unref();
  const stop = (): void => clearTimeout(timer);
  request.raw.once('end', stop);
  whenAnswerEnds(request, reply, stop);
};
