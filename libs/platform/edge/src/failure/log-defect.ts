import { Logger } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';

const logger = new Logger('Edge');

/** Logs a defect for the operator of the process: the caller gets no more than the request id. */
export const logDefect = (request: FastifyRequest, error: unknown): void =>
  logger.error(
    `${request.method} ${request.routeOptions.url ?? 'unknown route'} failed`,
    { request_id: request.id },
    error,
  );
