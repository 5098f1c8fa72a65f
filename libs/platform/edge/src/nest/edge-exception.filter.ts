import { type ArgumentsHost, Catch, type ExceptionFilter } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { answerFailure } from '../failure/answer-failure';
import { failureOfError } from '../failure/failure-of-error';
import { logDefect } from '../failure/log-defect';

/** Answers whatever is thrown on the way to or in a handler. Source: reference 07 §1.3. */
@Catch()
export class EdgeExceptionFilter implements ExceptionFilter {
  catch(error: unknown, host: ArgumentsHost): void {
    const request = host.switchToHttp().getRequest<FastifyRequest>();
    const reply = host.switchToHttp().getResponse<FastifyReply>();
    const { failure, defect } = failureOfError(error, request.edge?.row, request);
    if (defect) logDefect(request, error);
    if (!reply.sent) void answerFailure(request, reply, failure);
  }
}
