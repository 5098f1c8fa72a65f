import { HttpException } from '@nestjs/common';
import { isDatabaseAway } from '@scrip/event-store';
import { Fault } from '@scrip/kernel';
import type { RouteRow } from '@scrip/contracts/registry';
import { EdgeFailure, type Failure } from './failure';
import { failures } from './failures';

/** What a thrown error is answered with, and whether it is a defect, which is logged. */
export interface AnsweredError {
  failure: Failure;
  defect: boolean;
}

const detailsOfFault: Record<Fault['kind'], string> = {
  overloaded: 'The service is overloaded. Try again later.',
  deadline: 'The request took too long. Try again.',
  unavailable: 'A part of the service is unavailable. Try again later.',
};

/** What was asked for. */
type Asked = Parameters<typeof failures.unknownRoute>[0];

const failureOfStatus = (
  status: number,
  bodyLimitBytes: number | undefined,
  asked: Asked,
): Failure | undefined => {
  switch (status) {
    case 400:
      return failures.invalidPayload('The request cannot be read');
    case 401:
      return failures.unauthorized();
    case 403:
      return failures.missingPermission();
    case 404:
      return failures.unknownRoute(asked);
    case 406:
      return failures.notAcceptable(['application/json']);
    case 408:
      return failures.requestTimeout();
    case 413:
      return failures.tooLarge(bodyLimitBytes);
    case 415:
      return failures.unsupportedMediaType('application/json');
    case 429:
      return failures.tooManyRequests();
    case 503:
      return failures.unavailable(detailsOfFault.unavailable);
    default:
      return undefined;
  }
};

const statusOf = (error: unknown): number | undefined => {
  if (error instanceof HttpException) return error.getStatus();
  // Fastify's and the router's own errors, before Nest wraps them.
  const { code, statusCode } = (error ?? {}) as { code?: unknown; statusCode?: unknown };
  return typeof code === 'string' && code.startsWith('FST_') && typeof statusCode === 'number'
    ? statusCode
    : undefined;
};

/** Maps anything thrown; `row`: of the route that was asked for, `asked`: the request. Internals never reach the answer. Source: reference 07 §1.3. */
export const failureOfError = (
  error: unknown,
  row?: Pick<RouteRow, 'bodyLimitBytes'> | null,
  asked?: Asked,
): AnsweredError => {
  if (error instanceof EdgeFailure) return { failure: error.failure, defect: false };
  if (error instanceof Fault) {
    return { failure: failures.unavailable(detailsOfFault[error.kind]), defect: false };
  }
  if (isDatabaseAway(error))
    return { failure: failures.unavailable(detailsOfFault.unavailable), defect: false };
  const status = statusOf(error);
  const failure = status === undefined ? undefined : failureOfStatus(status, row?.bodyLimitBytes, asked);
  return failure ? { failure, defect: false } : { failure: failures.internalError(), defect: true };
};
